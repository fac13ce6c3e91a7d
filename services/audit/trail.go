package audit

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// counted is the largest total of a filtered list. Counting stops at this number, because the cost of an exact total
// grows with the trail.
const counted = 10_000

// Filter selects records. An empty field selects all.
type Filter struct {
	Entity, EntityID string
	StartDate        string // office days, both inclusive
	EndDate          string
	Query            string // a token, or words of a visitor's name
}

func (f Filter) none() bool { return f == Filter{} }

// Entry is a record with the values that an admin can read.
type Entry struct {
	N                                         int64
	Entity, EntityID, Action                  string
	ActorID, ActorName, ActorEmail, ActorRole string
	IP                                        string
	Old, New                                  jsontext.Value
	CreatedAt                                 time.Time
	Token, Visitor                            string // the visit's current values; "" if there is no known visit
}

// Trail is one page of records, newest first.
type Trail struct {
	Entries []Entry
	Total   int
	Capped  bool // there are more records than Total
	At      feed.Position
}

// Read returns a page of the trail and publishes an event about the read, which itself becomes a record. page counts
// from 1; limit is the number of records on a page.
func (s *Service) Read(ctx context.Context, filter Filter, page, limit int) (Trail, error) {
	trail, err := s.store.page(ctx, filter, page, limit)
	if err != nil {
		return trail, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, trailRead(filter, page, limit, len(trail.Entries)))
	})
	return trail, err
}
