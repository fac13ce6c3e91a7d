package visits

import (
	"context"
	"log/slog"
	"time"

	"baari.dev/services/visits/attention"
	"baari.dev/services/visits/visit"
)

// These methods call parts of the service that only its tests call directly.

// SweepOnce runs one tick of Sweep.
func (s *Service) SweepOnce(ctx context.Context, sweep bool) error {
	return s.queue.SweepOnce(ctx, sweep)
}

// SweepVisit takes the action by which Sweep ends a visit or its hold.
func (s *Service) SweepVisit(ctx context.Context, id string, action visit.Action) error {
	_, err := s.queue.ChangeBySystem(ctx, id, nil, action)
	return err
}

// FollowOnce runs one tick of Follow as a replica that has followed up on calls for a long time.
func (s *Service) FollowOnce(ctx context.Context) error {
	return s.FollowWatched(ctx, &attention.Watch{Last: time.Now()})
}

// FollowWatched runs one tick of Follow.
func (s *Service) FollowWatched(ctx context.Context, watch *attention.Watch) error {
	return s.attention.FollowOnce(ctx, watch)
}

// Forecast runs the loop of the forecasts until ctx ends.
func (s *Service) Forecast(ctx context.Context) error {
	return s.forecasts.Run(ctx, slog.New(slog.DiscardHandler))
}

// ForecastOnce runs one tick of Forecast.
func (s *Service) ForecastOnce(ctx context.Context) error { return s.forecasts.ForecastOnce(ctx) }

// ForecastNow applies the newest events, forecasts the line and reads the ranges.
func (s *Service) ForecastNow(ctx context.Context) error { return s.forecasts.ForecastNow(ctx) }

// LoadForecasts reads the forecasts that another replica has made.
func (s *Service) LoadForecasts(ctx context.Context) error { return s.forecasts.LoadForecasts(ctx) }

// AwaitErasures waits for the erasures that run in the background.
func (s *Service) AwaitErasures() { s.privacy.AwaitErasures() }
