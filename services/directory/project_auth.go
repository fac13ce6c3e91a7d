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

// defaultSpecialization is the specialization of a new consultant until an admin sets another.
const defaultSpecialization = "General Consultation"

// FollowAuth returns the sink that projects consultants from auth's accounts.
func (s *Service) FollowAuth() feed.Sink {
	projection := &feed.Projection{
		Pool: s.store.pool, Source: contract.SourceAuth, Apply: s.applyAccount, Empty: s.withdrawAll,
	}
	return publishing{s.outbox, projection}
}

// publishing is a projection that wakes the relay after a delivery, since applying auth's events adds to the outbox.
type publishing struct {
	outbox *outbox.Outbox
	*feed.Projection
}

// Deliver implements feed.Sink.
func (p publishing) Deliver(ctx context.Context, batch feed.Batch) error {
	err := p.Projection.Deliver(ctx, batch)
	if err == nil {
		p.outbox.Wake()
	}
	return err
}

func (s *Service) applyAccount(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	if event.Subject.Entity != contract.EntityUser {
		return nil
	}
	var user *contract.User // nil: deleted
	if err := json.Unmarshal(event.After, &user); err != nil {
		return err
	}
	before, err := s.store.lockConsultant(ctx, tx, event.Subject.ID)
	known := !errors.Is(err, fault.ErrNotFound)
	if err != nil && known {
		return err
	}
	serves := user != nil && user.Role == contract.RoleConsultant
	switch {
	case serves && !known:
		return s.addConsultant(ctx, tx, *user)
	case serves:
		after := before
		after.Name, after.IsActive = user.Name, user.IsActive
		return s.changeConsultant(ctx, tx, before, after)
	case known:
		return s.withdraw(ctx, tx, before)
	}
	return nil
}

func (s *Service) addConsultant(ctx context.Context, tx pgx.Tx, user contract.User) error {
	consultant := contract.Consultant{
		ID: user.ID, Name: user.Name, Specialization: []string{defaultSpecialization}, IsActive: user.IsActive,
		Counter: new(string),
	}
	if err := s.store.addConsultant(ctx, tx, consultant); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, consultantCreated(consultant))
}

// withdraw makes a consultant inactive. The row stays, because visits and audit records refer to it.
func (s *Service) withdraw(ctx context.Context, tx pgx.Tx, before contract.Consultant) error {
	after := before
	after.IsActive = false
	return s.changeConsultant(ctx, tx, before, after)
}

// withdrawAll makes all consultants inactive before a rebuild. Those without an event in auth's history stay inactive.
func (s *Service) withdrawAll(ctx context.Context, tx pgx.Tx) error {
	active, err := s.store.lockActiveConsultants(ctx, tx)
	if err != nil {
		return err
	}
	for _, consultant := range active {
		if err := s.withdraw(ctx, tx, consultant); err != nil {
			return err
		}
	}
	return nil
}
