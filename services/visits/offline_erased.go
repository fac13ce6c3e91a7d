package visits

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/privacy"
	"baari.dev/services/visits/visit"
)

// A person may be erased while a desk without network has a visit of theirs noted. The erasure leaves a mark of the
// phone, which is no phone, and the visit that the desk sends later is registered and erased in one transaction: its
// token stays in the series, and no other service sees its data.

// eraseSent erases a visit that a desk has just sent, if its person was erased after the arrival.
func (s *Service) eraseSent(ctx context.Context, tx pgx.Tx, sent snapshot) (snapshot, error) {
	id := sent.Visit.ID
	due, err := s.store.erasedSince(ctx, tx, sent.Visit.Phone, *sent.Visit.ArrivedAt)
	if err != nil || !due {
		return sent, err
	}
	one := func(tx pgx.Tx) ([]visit.Visit, error) { return s.store.eraseVisit(ctx, tx, id) }
	if _, err := privacy.EraseIn(ctx, tx, redacted, s.erasing(ctx, one)); err != nil {
		return sent, err
	}
	found, exists, err := s.store.lockVisit(ctx, tx, id)
	if err == nil && !exists {
		err = errNoVisit
	}
	return found, err
}
