package privacy

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
)

// The SQL of the erasures that admins start.

const insertErasure = `
INSERT INTO privacy_erasures (id, reason, request_id, state, services, started_at, changed_at)
VALUES (@id, @reason, @request, @state, '{}', now(), now()) RETURNING started_at`

func (*store) addErasure(ctx context.Context, tx pgx.Tx, e *erasure, use contract.PrivacyUse) error {
	return tx.QueryRow(ctx, insertErasure, postgres.Args{
		"id": e.ID, "reason": use.Reason, "request": use.RequestID, "state": e.State,
	}).Scan((*time.Time)(&e.StartedAt))
}

const updateErasure = `UPDATE privacy_erasures SET state = $2, services = $3, changed_at = now() WHERE id = $1`

// noteErasure stores the state of an erasure, and the services that have erased the person.
func (*store) noteErasure(ctx context.Context, db row.Execer, id, state string, done map[string]int) error {
	services, err := json.Marshal(done)
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, updateErasure, id, state, services)
	return err
}

const selectErasure = `
SELECT id::text, CASE WHEN state = 'running' AND changed_at < now() - $2::interval THEN 'failed' ELSE state END,
  started_at, services
FROM privacy_erasures WHERE id = $1`

// erasure returns the progress of an erasure, or fault.ErrNotFound if there is none with the id.
func (s *store) erasure(ctx context.Context, id string) (e erasure, err error) {
	var services []byte
	err = s.Pool.QueryRow(ctx, selectErasure, id, erasureLimit).Scan(
		&e.ID, &e.State, (*time.Time)(&e.StartedAt), &services)
	if errors.Is(err, pgx.ErrNoRows) {
		return e, fault.ErrNotFound
	}
	if err != nil {
		return e, err
	}
	done := map[string]int{}
	err = json.Unmarshal(services, &done)
	e.Services = progressOf(done)
	return e, err
}
