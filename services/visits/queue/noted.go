package queue

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// RegisterIn, DoIn and Merge write in a transaction of the caller, which is package offline or the import. They do not
// update the metrics; after a registration, CountRegistered does.

// RegisterIn carries out a registration.
func (q *Queue) RegisterIn(tx pgx.Tx, r *Registration) (Outcome, error) {
	return one(q.writeRegistrations(r.Context, tx, []*Registration{r}))
}

// DoIn carries out a change.
func (q *Queue) DoIn(tx pgx.Tx, c *Change) (Outcome, error) {
	return one(q.writeChanges(c.Context, tx, []*Change{c}))
}

func one(replies []reply[Outcome], err error) (Outcome, error) {
	if err != nil {
		return Outcome{}, err
	}
	return replies[0].result, replies[0].err
}

// CountRegistered updates the metrics after the registration of a visit by RegisterIn was committed.
func (q *Queue) CountRegistered(ctx context.Context, found row.Snapshot) {
	q.metrics.changed(ctx, Outcome{Snapshot: found, Changed: true}, visit.Create)
}

// Merge adds the token of a paired desk to the visit of a registration whose response was lost.
func (q *Queue) Merge(tx pgx.Tx, from Origin, id, token string) (row.Snapshot, error) {
	found, exists, err := q.store.LockVisit(from.Context, tx, id)
	if err != nil || !exists {
		return found, cmp.Or(err, row.ErrNoVisit)
	}
	after := found.Visit
	after.TokenAlso = token
	after.Version, after.UpdatedAt = after.Version+1, found.At.Clock
	p := &planned{Origin: &from, noted: true, before: &found, after: after, event: contract.VisitMerged}
	replies := make([]reply[Outcome], 1)
	res, err := one(replies, q.apply(from.Context, tx, []*planned{p}, replies))
	return res.Snapshot, err
}

// LeaveNoted records that a visitor whom a paired desk has noted has left, unless the visit has changed meanwhile.
func (q *Queue) LeaveNoted(from Origin, found row.Snapshot) (row.Snapshot, error) {
	if found.Visit.Stage != visit.StageNew {
		return found, nil
	}
	leave := &Change{Origin: from, VisitID: found.Visit.ID, Want: visit.Request{Action: visit.Leave}}
	res, err := q.changes.do(leave, false)
	if err != nil {
		var illegal *visit.ActionError
		if errors.As(err, &illegal) {
			return found, nil
		}
		return found, err
	}
	return res.Snapshot, nil
}
