package offline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// A paired desk without network notes on its own who registered a visitor, when, and under which number. What it sends
// is believed within the bounds of its contacts: an author was at the desk at one, numbers follow those that are known,
// and a number that was given out after a contact has no arrival before it. A visit is registered all the same: what is
// not believed is replaced by what is known; only a number that is far ahead is refused.

// mostAhead is how far a number may be ahead of those that are known: a paired desk keeps some that were rejected.
const mostAhead = 20

// lateAfter is how long after a contact a visit that was unsent then counts as held back.
const lateAfter = 15 * time.Minute

// offlineBounds are what the contacts of a paired desk say about one of its numbers.
type offlineBounds struct {
	earliest *time.Time // the last contact before it was given out; nil: after the last with nothing unsent
	late     bool       // it was unsent at a contact longer than lateAfter ago
}

// authorOf returns who has registered an offline visit: the user whom the desk names, if that user was at the desk at a
// contact, else the sender.
func (d *Desks) authorOf(ctx context.Context, tx pgx.Tx, desk deskDevice, noted offlineVisit) (visit.Actor, error) {
	by := row.Actor(ctx)
	if noted.MadeBy == by.ID {
		return by, nil
	}
	name, err := d.store.metAt(ctx, tx, desk.ID, noted.MadeBy)
	if err != nil || name == "" {
		return by, err
	}
	return visit.Actor{ID: noted.MadeBy, Name: name}, nil
}
