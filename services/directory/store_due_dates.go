package directory

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// The SQL of the calendar of due dates.

const dueDateColumns = `id::text, due_group, title, coalesce(due_on::text, ''), months, day,
  coalesce(moved_from::text, ''), coalesce(moved_to::text, ''), source, checked_on::text, confirmed, is_active, version`

const selectDueDates = `SELECT ` + dueDateColumns + ` FROM due_dates WHERE is_active OR $1`

func (s *store) dueDates(ctx context.Context, inactive bool) ([]contract.DueDate, error) {
	rows, err := s.pool.Query(ctx, selectDueDates, inactive)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[contract.DueDate])
	return all, postgres.Classify(err)
}

const lockDueDate = `SELECT ` + dueDateColumns + ` FROM due_dates WHERE id = $1 FOR UPDATE`

func (s *store) lockDueDate(ctx context.Context, tx pgx.Tx, id string) (contract.DueDate, error) {
	rows, err := tx.Query(ctx, lockDueDate, id)
	if err != nil {
		return contract.DueDate{}, err
	}
	entry, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[contract.DueDate])
	if errors.Is(err, pgx.ErrNoRows) {
		return entry, fault.ErrNotFound
	}
	return entry, err
}

const insertDueDate = `
INSERT INTO due_dates (id, due_group, title, due_on, months, day, moved_from, moved_to, source, checked_on, confirmed,
  is_active, version)
VALUES ($1, $2, $3, nullif($4, '')::date, $5, $6, nullif($7, '')::date, nullif($8, '')::date, $9, $10::text::date, $11,
  $12, $13)`

func (s *store) addDueDate(ctx context.Context, tx pgx.Tx, d contract.DueDate) error {
	_, err := tx.Exec(ctx, insertDueDate, dueDateArgs(d)...)
	return err
}

const updateDueDate = `
UPDATE due_dates SET due_group = $2, title = $3, due_on = nullif($4, '')::date, months = $5, day = $6,
  moved_from = nullif($7, '')::date, moved_to = nullif($8, '')::date, source = $9, checked_on = $10::text::date,
  confirmed = $11, is_active = $12, version = $13
WHERE id = $1`

func (s *store) saveDueDate(ctx context.Context, tx pgx.Tx, d contract.DueDate) error {
	_, err := tx.Exec(ctx, updateDueDate, dueDateArgs(d)...)
	return err
}

func dueDateArgs(d contract.DueDate) []any {
	return []any{
		d.ID, d.Group, d.Title, d.Date, d.Months, d.Day, d.MovedFrom, d.MovedTo, d.Source, d.CheckedOn, d.Confirmed,
		d.IsActive, d.Version,
	}
}
