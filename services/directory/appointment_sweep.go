package directory

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/places"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

const (
	sweepEvery = 5 * time.Minute
	sweepAfter = 60 * time.Minute // visitors can still be registered for this time after closing
)

// Sweep runs until ctx ends. After closing it notes the confirmed appointments of the day whose visitors did not come.
func (s *Service) Sweep(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		if err := s.SweepOnce(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "appointments are swept at the next tick", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// SweepOnce notes as no-show the confirmed appointments of days on which the office closed long enough ago. Replicas
// can run it at once. After an error it continues with the other appointments.
func (s *Service) SweepOnce(ctx context.Context) (failed error) {
	at, err := s.store.moment(ctx, s.store.pool)
	if err != nil {
		return postgres.Classify(err)
	}
	days, err := s.store.unended(ctx, at.Local.Format(time.DateOnly))
	if err != nil {
		return err
	}
	document := s.office.Load().Document
	for _, id := range slices.Sorted(maps.Keys(days)) {
		if at.Local.Before(places.Closes(document, days[id]).Add(sweepAfter)) {
			continue
		}
		_, err := s.ChangeAppointment(ctx, Change{ID: id, Action: appointment.MarkNoShow, By: appointment.System})
		if kind := fault.Of(err).Kind; err != nil && kind != fault.Conflict && kind != fault.NotFound {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
