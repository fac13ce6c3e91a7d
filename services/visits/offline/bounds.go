package offline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// A paired desk without network notes who registered a visitor, when, and under which number. Its contacts with the
// service set bounds for these values: the author was at the desk at a contact, numbers follow the known ones, and a
// number issued after a contact has no arrival before it. An author outside the bounds is replaced by the sender, an
// arrival by the nearest time within the bounds. A visit whose number is far ahead is refused.

// mostAhead is how far a number may be ahead of the largest known one. It allows for refused numbers that are unknown.
const mostAhead = 20

// lateAfter is the time from a contact until a visit that was unsent at the contact counts as held back.
const lateAfter = 15 * time.Minute

// offlineBounds are the bounds that the contacts of a paired desk set for one of its numbers.
type offlineBounds struct {
	earliest *time.Time // last contact before the number was issued; nil: the last contact without unsent visits
	late     bool       // the visit was unsent at a contact more than lateAfter ago
}

// authorOf returns the user who registered an offline visit: the user whom the desk names if that user was at the desk
// at a contact, otherwise the sender.
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
