package directory

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// defaultSpecialization is a consultant's until an admin says more.
const defaultSpecialization = "General Consultation"

// FollowAuth is the sink that keeps consultants in step with auth's accounts.
func (d *Directory) FollowAuth() feed.Sink {
	return announcing{d.outbox, &feed.Projection{Pool: d.pool, Source: contract.SourceAuth, Apply: d.applyAccount, Empty: d.withdrawAll}}
}

// announcing wakes the relay after a delivery: changes that follow from auth's events are published as events, too.
type announcing struct {
	outbox *outbox.Outbox
	*feed.Projection
}

// Deliver implements feed.Sink.
func (a announcing) Deliver(ctx context.Context, batch feed.Batch) error {
	err := a.Projection.Deliver(ctx, batch)
	if err == nil {
		a.outbox.Wake()
	}
	return err
}

func (d *Directory) applyAccount(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	if event.Subject.Entity != contract.EntityUser {
		return nil
	}
	var user *contract.User // nil: deleted
	if err := json.Unmarshal(event.After, &user); err != nil {
		return err
	}
	before, err := lockConsultant(ctx, tx, event.Subject.ID)
	known := !errors.Is(err, fault.ErrNotFound)
	if err != nil && known {
		return err
	}
	serves := user != nil && user.Role == contract.RoleConsultant
	switch {
	case serves && !known:
		return addConsultant(ctx, tx, *user)
	case serves:
		after := before
		after.Name, after.IsActive = user.Name, user.IsActive
		return saveConsultant(ctx, tx, before, after)
	case known:
		return withdraw(ctx, tx, before)
	}
	return nil
}

const insertConsultant = `INSERT INTO consultants (id, name, specialization, is_active) VALUES ($1, $2, $3, $4)`

func addConsultant(ctx context.Context, tx pgx.Tx, user contract.User) error {
	consultant := contract.Consultant{ID: user.ID, Name: user.Name, Specialization: []string{defaultSpecialization}, IsActive: user.IsActive}
	if _, err := tx.Exec(ctx, insertConsultant, consultant.ID, consultant.Name, consultant.Specialization, consultant.IsActive); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, outbox.Change{
		Type: contract.ConsultantCreated, Entity: contract.EntityConsultant, EntityID: consultant.ID, After: consultant})
}

// withdraw takes a consultant out of service. The row stays: visits and records name it.
func withdraw(ctx context.Context, tx pgx.Tx, before contract.Consultant) error {
	after := before
	after.IsActive = false
	return saveConsultant(ctx, tx, before, after)
}

const selectActiveConsultants = `SELECT id, name, specialization, is_active FROM consultants WHERE is_active FOR UPDATE`

// withdrawAll prepares a rebuild from auth's events: consultants that do not appear in them stay inactive.
func (d *Directory) withdrawAll(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, selectActiveConsultants)
	if err != nil {
		return err
	}
	active, err := pgx.CollectRows(rows, pgx.RowToStructByPos[contract.Consultant])
	if err != nil {
		return err
	}
	for _, consultant := range active {
		if err := withdraw(ctx, tx, consultant); err != nil {
			return err
		}
	}
	return nil
}
