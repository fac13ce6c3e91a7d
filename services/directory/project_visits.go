package directory

import (
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// FollowVisits returns the sink that projects the status and stage of each assigned visit, and notes which appointments
// have arrived.
func (s *Service) FollowVisits() feed.Sink {
	projection := &feed.Projection{
		Pool: s.store.pool, Source: contract.SourceVisits, ApplyAll: s.applyVisits, Empty: s.store.emptyAssigned,
	}
	return publishing{s.outbox, projection}
}

// applyVisits applies events of visits. It applies only the last event of each visit, which has the whole visit. A
// visit without a consultant, for example after an undo or a move to the line, is no longer assigned.
func (s *Service) applyVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	latest := map[string]contract.Visit{}
	var order []string // the ids in the order of the last events
	for _, event := range events {
		if event.Subject.Entity != contract.EntityVisit {
			continue
		}
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return err
		}
		latest[visit.ID] = visit
		order = append(slices.DeleteFunc(order, func(id string) bool { return id == visit.ID }), visit.ID)
	}
	if len(latest) == 0 {
		return nil
	}
	if err := s.store.saveAssigned(ctx, tx, latest); err != nil {
		return err
	}
	for _, id := range order {
		if err := s.followVisit(ctx, tx, latest[id]); err != nil {
			return err
		}
	}
	return nil
}

// followVisit changes the appointment of a visit: on its day it arrives with the visit, and returns if the visit is
// cancelled. Applying a visit again changes nothing, and neither does a visit whose appointment has another one.
func (s *Service) followVisit(ctx context.Context, tx pgx.Tx, visit contract.Visit) error {
	if visit.AppointmentID == nil || !recordID(*visit.AppointmentID) {
		return nil
	}
	found, err := collectBooking(tx.Query(ctx, selectAppointment, *visit.AppointmentID))
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	change := Change{ID: found.ID, By: appointment.System, VisitID: visit.ID}
	arrived := found.Status == string(appointment.Arrived)
	switch {
	case arrived && visit.Stage == contract.StageCancelled && found.VisitID != nil && *found.VisitID == visit.ID:
		change.Action = appointment.Return
	case !arrived && visit.Stage != contract.StageCancelled && found.PreferredDate == visit.Day:
		change.Action = appointment.Arrive
	default:
		return nil
	}
	after, changed, err := s.change(ctx, tx, change)
	if err != nil && fault.Of(err).Code != codeIllegal {
		return err
	}
	if changed {
		s.metrics.changed(after.Status)
	}
	return nil
}
