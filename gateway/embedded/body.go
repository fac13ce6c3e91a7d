package embedded

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// replayable is the size, in bytes, of the largest body that is read before it is sent. Larger bodies are streamed; few
// calls accept them.
const replayable = 64 << 10

// wellFramed reads a small body before it sends the request. A malformed body then never reaches the service. A valid
// body is sent with a Content-Length, and can be sent again if the service has just closed the connection.
type wellFramed struct{ next http.RoundTripper }

// RoundTrip sends r. It returns errBody when the client's body could not be read to its end.
func (t wellFramed) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return t.next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.Trailer = nil // no service reads trailers, and a Content-Length excludes them
	if r.ContentLength > replayable {
		return t.stream(r, r.Body)
	}
	start, err := io.ReadAll(io.LimitReader(r.Body, replayable+1))
	if err != nil {
		return nil, errors.Join(errBody, err)
	}
	if len(start) > replayable {
		return t.stream(r, struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(start), r.Body), r.Body})
	}
	r.ContentLength, r.TransferEncoding = int64(len(start)), nil
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(start)), nil }
	r.Body, _ = r.GetBody()
	if len(start) == 0 {
		r.Body = http.NoBody
	}
	return t.next.RoundTrip(r)
}

func (t wellFramed) stream(r *http.Request, body io.ReadCloser) (*http.Response, error) {
	observed := &observedBody{ReadCloser: body}
	r.Body = observed
	res, err := t.next.RoundTrip(r)
	if err != nil && observed.failed.Load() {
		return nil, errors.Join(errBody, err)
	}
	return res, err
}

// observedBody records whether reading the client's body failed. The client then caused the error, not the service.
type observedBody struct {
	io.ReadCloser
	failed atomic.Bool
}

func (b *observedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, http.ErrBodyReadAfterClose) { // closed by the transport
		b.failed.Store(true)
	}
	return n, err
}
