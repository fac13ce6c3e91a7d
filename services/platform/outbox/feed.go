package outbox

import (
	"context"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// MaxPage is the largest number of events in one page of the feed.
const MaxPage = 500

// Page is a response of the feed.
type Page struct {
	Source string  `json:"source"`
	Epoch  string  `json:"epoch"`
	Head   int64   `json:"head"`
	Begins int64   `json:"begins"` // no event is missing at or above this number
	Events []Event `json:"events"`
}

// epochChanged is the response to a position of another epoch: the reader must start again, at 0 or at Head.
type epochChanged struct {
	Error     string `json:"error"`
	Code      string `json:"code"`
	RequestID string `json:"request_id"`
	Epoch     string `json:"epoch"`
	Head      int64  `json:"head"`
}

// Feed returns the handler of GET /internal/events?epoch=&after=&limit=, which reads from pool. It answers 409 with the
// current epoch and head for a position of another epoch.
func (o *Outbox) Feed(pool *pgxpool.Pool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		after, limit, err := feedQuery(r)
		if err != nil {
			writeFault(w, r, err)
			return
		}
		page, err := o.page(r.Context(), pool, after, limit)
		if err != nil {
			writeFault(w, r, err)
			return
		}
		if epoch := r.URL.Query().Get("epoch"); epoch != "" && epoch != page.Epoch {
			_ = wire.Write(w, http.StatusConflict, epochChanged{
				Error:     "The events began anew.",
				Code:      "epoch_changed",
				RequestID: request.From(r.Context()).ID,
				Epoch:     page.Epoch,
				Head:      page.Head,
			})
			return
		}
		_ = wire.Write(w, http.StatusOK, page)
	}
}

var (
	afterWrong = fault.NewMessage(fault.CodeInvalidNumber, "after is a number of an event")
	limitWrong = fault.NewMessage(fault.CodeInvalidNumber, "limit is a number from 1 to 500").
			With("min", 1).With("max", MaxPage)
)

func feedQuery(r *http.Request) (after int64, limit int, err error) {
	query := r.URL.Query()
	limit = MaxPage
	if text := query.Get("after"); text != "" {
		if after, err = strconv.ParseInt(text, 10, 64); err != nil || after < 0 {
			return 0, 0, fault.Field("after", afterWrong)
		}
	}
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > MaxPage {
			return 0, 0, fault.Field("limit", limitWrong)
		}
	}
	return after, limit, nil
}

const readHead = `SELECT epoch::text, head, begins FROM stream_head WHERE stream = $1`

const readEvents = `
SELECT event_id::text, $1::text, ` + eventColumns + `
FROM outbox WHERE seq > $2 ORDER BY seq LIMIT $3`

// page reads the head before the events, so that no event up to the head is missing. Later events can be on the page.
func (o *Outbox) page(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) (Page, error) {
	page := Page{Source: o.source}
	if err := pool.QueryRow(ctx, readHead, o.source).Scan(&page.Epoch, &page.Head, &page.Begins); err != nil {
		return page, fault.ErrUnavailable.Because(err)
	}
	if after >= page.Head { // the common case: nothing is new
		page.Events = []Event{}
		return page, nil
	}
	rows, err := pool.Query(ctx, readEvents, page.Epoch, after, limit)
	if err != nil {
		return page, fault.ErrUnavailable.Because(err)
	}
	page.Events, err = pgx.CollectRows(rows, o.scan)
	if err != nil {
		return page, fault.ErrUnavailable.Because(err)
	}
	return page, nil
}

func writeFault(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.Of(err)
	_ = wire.Write(w, f.Status(), f.Body(request.From(r.Context()).ID))
}
