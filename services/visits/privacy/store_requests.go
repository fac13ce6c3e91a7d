package privacy

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// The SQL of the register of privacy requests.

// Only the first two and the last two digits of a phone are listed.
const requestColumns = `
  id::text, kind, coalesce(overlay(phone placing '******' from 3 for 6), ''), text, state, received_at,
  received_by_name, due_at, state = 'open' AND due_at < now(), answer, answered_at, answered_by_name, version`

const mostRequests = 500

const selectRequests = `
SELECT` + requestColumns + ` FROM privacy_requests
ORDER BY state <> 'open', CASE WHEN state = 'open' THEN due_at END, received_at DESC LIMIT $1`

func (s *store) privacyRequests(ctx context.Context) ([]privacyRequest, error) {
	rows, err := s.Pool.Query(ctx, selectRequests, mostRequests)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, scanPrivacyRequest)
	return append([]privacyRequest{}, all...), err
}

func scanPrivacyRequest(one pgx.CollectableRow) (r privacyRequest, err error) {
	var answered *time.Time
	err = one.Scan(&r.ID, &r.Kind, &r.Phone, &r.Text, &r.State, (*time.Time)(&r.ReceivedAt), &r.ReceivedBy,
		(*time.Time)(&r.DueAt), &r.Overdue, &r.Answer, &answered, &r.AnsweredBy, &r.Version)
	r.AnsweredAt = wire.TimeOf(answered)
	return r, err
}

const insertRequest = `
INSERT INTO privacy_requests (id, kind, phone, text, state, received_at, due_at, received_by, received_by_name)
VALUES (@id, @kind, @phone, @text, 'open', now(), now() + @due::interval, @by, @name)
RETURNING` + requestColumns

func (*store) addPrivacyRequest(ctx context.Context, tx pgx.Tx, r privacyRequest) (privacyRequest, error) {
	return onePrivacyRequest(tx.Query(ctx, insertRequest, postgres.Args{
		"id": r.ID, "kind": r.Kind, "phone": r.Phone, "text": r.Text, "due": requestDue, "by": r.receivedByID,
		"name": r.ReceivedBy,
	}))
}

const selectSameRequest = `
SELECT EXISTS (SELECT FROM privacy_requests WHERE phone = $1 AND kind = $2 AND text = $3 AND state = 'open')`

func (*store) hasOpenRequest(ctx context.Context, tx pgx.Tx, phone, kind, text string) (has bool, err error) {
	err = tx.QueryRow(ctx, selectSameRequest, phone, kind, text).Scan(&has)
	return has, err
}

const lockRequest = `SELECT` + requestColumns + ` FROM privacy_requests WHERE id = $1 FOR UPDATE`

// lockPrivacyRequest locks a privacy request for the transaction. It returns fault.ErrNotFound if there is none.
func (*store) lockPrivacyRequest(ctx context.Context, tx pgx.Tx, id string) (privacyRequest, error) {
	return onePrivacyRequest(tx.Query(ctx, lockRequest, id))
}

const updateRequest = `
UPDATE privacy_requests SET state = @state, answer = @answer, version = version + 1,
  answered_at = CASE WHEN @state <> 'open' THEN now() END, answered_by_name = CASE WHEN @state <> 'open' THEN @name END
WHERE id = @id
RETURNING` + requestColumns

func (*store) answerPrivacyRequest(
	ctx context.Context, tx pgx.Tx, req answerRequest, by visit.Actor,
) (privacyRequest, error) {
	return onePrivacyRequest(tx.Query(ctx, updateRequest, postgres.Args{
		"id": req.ID, "state": req.State, "answer": req.Answer, "name": by.Name,
	}))
}

func onePrivacyRequest(rows pgx.Rows, err error) (privacyRequest, error) {
	if err != nil {
		return privacyRequest{}, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, scanPrivacyRequest)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fault.ErrNotFound
	}
	return r, err
}

const selectRequestPhone = `SELECT coalesce(phone, '') FROM privacy_requests WHERE id = $1`

// phoneOfRequest returns the phone of a privacy request, "" once the person is erased. Error: fault.ErrNotFound.
func (s *store) phoneOfRequest(ctx context.Context, id string) (phone string, err error) {
	err = s.Pool.QueryRow(ctx, selectRequestPhone, id).Scan(&phone)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fault.ErrNotFound
	}
	return phone, err
}

const selectRequestsOf = `SELECT` + requestColumns + ` FROM privacy_requests WHERE phone = $1 ORDER BY received_at`

func (*store) requestsOf(ctx context.Context, tx pgx.Tx, phone string) ([]privacyRequest, error) {
	rows, err := tx.Query(ctx, selectRequestsOf, phone)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanPrivacyRequest)
}

const (
	erasingRequests = `UPDATE privacy_requests SET phone = NULL, text = '', answer = '', version = version + 1 `

	eraseRequestsOf = erasingRequests + `WHERE phone = $1`

	eraseOldRequests = erasingRequests + `
WHERE id IN (
  SELECT id FROM privacy_requests WHERE phone IS NOT NULL AND answered_at < $1 ORDER BY answered_at LIMIT $2
)`

	deleteOldErasures = `DELETE FROM privacy_erasures WHERE started_at < $1`
)

// eraseRequestsOf removes phone, text and answer from the requests of a phone number. Kind, times and state stay.
func (s *store) eraseRequestsOf(ctx context.Context, phone string) error {
	_, err := s.Pool.Exec(ctx, eraseRequestsOf, phone)
	return err
}

// eraseOldRequests removes phone, text and answer from at most EraseBatch requests that were answered before a time.
func (s *store) eraseOldRequests(ctx context.Context, before time.Time) (int64, error) {
	tag, err := s.Pool.Exec(ctx, eraseOldRequests, before, privacy.EraseBatch)
	return tag.RowsAffected(), postgres.Classify(err)
}

func (s *store) deleteOldErasures(ctx context.Context, before time.Time) (int64, error) {
	tag, err := s.Pool.Exec(ctx, deleteOldErasures, before)
	return tag.RowsAffected(), postgres.Classify(err)
}

const countOverdue = `
SELECT count(*), count(*) FILTER (WHERE due_at < now()) FROM privacy_requests WHERE state = 'open'`

func (s *store) openRequests() (open, overdue int64, known bool) {
	known = postgres.Sample(s.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, countOverdue).Scan(&open, &overdue)
	})
	return open, overdue, known
}
