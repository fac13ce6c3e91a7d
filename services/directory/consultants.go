package directory

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// Load is a consultant's number of visits, projected from the events of visits.
type Load struct {
	Waiting   int  // approved visits, without the running session
	Completed int  // sessions completed on the office's day
	Running   bool // a session is running
}

// Colleague is a consultant with the load.
type Colleague struct {
	contract.Consultant
	Load Load
}

// Colleagues are consultants as counted at a position of visits' events.
type Colleagues struct {
	List []Colleague
	At   feed.Position
}

// Counts and position are read in one statement: one snapshot. The outer joins keep the position's row when
// there is no consultant.
const selectColleagues = `
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), c.id, c.name, c.specialization, c.is_active, open.waiting, done.completed, open.running
FROM (SELECT 1) one
LEFT JOIN feed_cursor p ON p.source = 'visits'
LEFT JOIN consultants c ON c.id = @id OR @id::text IS NULL
LEFT JOIN LATERAL (
  SELECT count(*) FILTER (WHERE status = 'approved') AS waiting, bool_or(status = 'in-session') IS TRUE AS running
  FROM assigned_visits v WHERE v.consultant_id = c.id AND v.status IN ('approved', 'in-session')
) open ON true
LEFT JOIN LATERAL (
  SELECT count(*) AS completed
  FROM assigned_visits v, (SELECT (coalesce(@now, now()) AT TIME ZONE @zone)::date AS day) today
  WHERE v.consultant_id = c.id AND v.status = 'completed'
    AND v.completed_at >= today.day::timestamp AT TIME ZONE @zone
    AND v.completed_at < (today.day + 1)::timestamp AT TIME ZONE @zone
) done ON true
ORDER BY lower(c.name), c.name, c.id`

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Consultants lists the consultants by name; if id is not nil, only that one.
func (d *Directory) Consultants(ctx context.Context, id *string) (Colleagues, error) {
	all, err := d.colleagues(ctx, d.pool, id)
	return all, postgres.Classify(err)
}

func (d *Directory) colleagues(ctx context.Context, from querier, id *string) (Colleagues, error) {
	var all Colleagues
	rows, err := from.Query(ctx, selectColleagues, postgres.Args{"id": id, "now": d.now(), "zone": d.zone})
	if err != nil {
		return all, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Colleague
		var known, name *string
		var active *bool
		err := rows.Scan(&all.At.Epoch, &all.At.Seq, &known, &name, &one.Specialization, &active, &one.Load.Waiting, &one.Load.Completed, &one.Load.Running)
		if err != nil {
			return all, err
		}
		if known != nil {
			one.ID, one.Name, one.IsActive = *known, *name, *active
			all.List = append(all.List, one)
		}
	}
	return all, rows.Err()
}

const selectConsultant = `SELECT id, name, specialization, is_active FROM consultants WHERE id = $1`

// Consultant returns a consultant, active or not, or fault.ErrNotFound.
func (d *Directory) Consultant(ctx context.Context, id string) (contract.Consultant, error) {
	rows, err := d.pool.Query(ctx, selectConsultant, id)
	if err != nil {
		return contract.Consultant{}, postgres.Classify(err)
	}
	consultant, err := collectConsultant(rows)
	return consultant, postgres.Classify(err)
}

func collectConsultant(rows pgx.Rows) (contract.Consultant, error) {
	consultant, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[contract.Consultant])
	if errors.Is(err, pgx.ErrNoRows) {
		return consultant, fault.ErrNotFound
	}
	return consultant, err
}

const updateConsultant = `UPDATE consultants SET name = $2, specialization = $3, is_active = $4 WHERE id = $1`

// Specialize sets a consultant's specialization. An equal list publishes no event; an unknown id returns
// fault.ErrNotFound.
func (d *Directory) Specialize(ctx context.Context, id string, specialization []string) (Colleagues, error) {
	var after Colleagues
	err := d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockConsultant(ctx, tx, id)
		if err != nil {
			return err
		}
		changed := before
		changed.Specialization = specialization
		if err := saveConsultant(ctx, tx, before, changed); err != nil {
			return err
		}
		after, err = d.colleagues(ctx, tx, &id)
		return err
	})
	return after, err
}

func lockConsultant(ctx context.Context, tx pgx.Tx, id string) (contract.Consultant, error) {
	rows, err := tx.Query(ctx, selectConsultant+` FOR UPDATE`, id)
	if err != nil {
		return contract.Consultant{}, err
	}
	return collectConsultant(rows)
}

// saveConsultant stores a consultant and appends an event, unless nothing changed.
func saveConsultant(ctx context.Context, tx pgx.Tx, before, after contract.Consultant) error {
	if before.Name == after.Name && before.IsActive == after.IsActive && slices.Equal(before.Specialization, after.Specialization) {
		return nil
	}
	if _, err := tx.Exec(ctx, updateConsultant, after.ID, after.Name, after.Specialization, after.IsActive); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, outbox.Change{
		Type: contract.ConsultantUpdated, Entity: contract.EntityConsultant, EntityID: after.ID, Before: before, After: after})
}
