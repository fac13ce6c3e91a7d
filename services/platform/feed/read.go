package feed

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// ErrEpoch is returned for a position of another epoch than the source's.
var ErrEpoch = errors.New("the source began a new epoch")

// Reader reads pages of one source's feed.
type Reader struct{ client *identity.Client }

// NewReader returns a reader that uses client, which calls the source's internal address.
func NewReader(client *identity.Client) Reader { return Reader{client: client} }

// Read returns at most limit events after the position. With ErrEpoch the page has the source's epoch and head and no
// events; any other error means that the feed could not be read.
func (r Reader) Read(ctx context.Context, after Position, limit int) (outbox.Page, error) {
	var page outbox.Page
	query := url.Values{
		"epoch": {after.Epoch}, "after": {strconv.FormatInt(after.Seq, 10)}, "limit": {strconv.Itoa(limit)},
	}
	status, err := r.client.Call(ctx, http.MethodGet, "/internal/events?"+query.Encode(), nil, &page)
	switch {
	case err != nil:
		return page, err
	case status == http.StatusConflict:
		return page, ErrEpoch
	case status != http.StatusOK:
		return page, errors.New("the feed answered " + http.StatusText(status))
	}
	return page, nil
}
