package privacy

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/privacy"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// A person may be erased while a paired desk without network holds a noted visit, or while lobby sends the visit of an
// arrival. The erasure leaves a salted hash of the phone. A visit that arrives later is registered and erased in one
// transaction, so that its token stays in the series, and no other service receives its data.

// EraseSent erases a new visit if its person was erased at or after the given time. It always returns the visit.
func (p *Privacy) EraseSent(ctx context.Context, tx pgx.Tx, sent row.Snapshot, since time.Time) (row.Snapshot, error) {
	id := sent.Visit.ID
	due, err := p.store.erasedSince(ctx, tx, sent.Visit.Phone, since)
	if err != nil || !due {
		return sent, err
	}
	one := func(tx pgx.Tx) ([]visit.Visit, error) { return p.store.eraseVisit(ctx, tx, id) }
	if _, err := privacy.EraseIn(ctx, tx, redacted, p.erasing(ctx, one)); err != nil {
		return sent, err
	}
	found, exists, err := p.store.LockVisit(ctx, tx, id)
	if err == nil && !exists {
		err = row.ErrNoVisit
	}
	return found, err
}
