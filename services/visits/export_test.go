package visits

import (
	"context"
	"log/slog"

	"baari.dev/services/visits/visit"
)

// SweepOnce runs one tick of Sweep.
func (s *Service) SweepOnce(ctx context.Context, sweep bool) error {
	return s.queue.sweepOnce(ctx, sweep)
}

// ForecastNow applies the newest events, forecasts the line and reads the ranges, as a tick of Forecast does when both
// are due.
func (s *Service) ForecastNow(ctx context.Context) error {
	if err := s.forecasts.work(ctx, true); err != nil {
		return err
	}
	return s.LoadForecasts(ctx)
}

// LoadForecasts reads what another replica has forecast.
func (s *Service) LoadForecasts(ctx context.Context) error {
	now, err := s.forecasts.store.pulse(ctx)
	if err != nil {
		return err
	}
	s.forecasts.accuracy.Store(nil)
	return s.forecasts.load(ctx, now)
}

// AwaitErasures waits for the erasures that the service carries out beside the requests.
func (s *Service) AwaitErasures() { s.privacy.erasures.Wait() }

// ForecastOnce runs one tick of Forecast.
func (s *Service) ForecastOnce(ctx context.Context) error { return s.forecasts.tick(ctx) }

// SweepVisit ends a visit, or its hold, as a tick of Sweep does that has listed it.
func (s *Service) SweepVisit(ctx context.Context, id string, action visit.Action) error {
	return s.queue.actAsSystem(ctx, id, action)
}

// Forecast runs the loop of the forecasts until ctx ends.
func (s *Service) Forecast(ctx context.Context) error {
	return s.forecasts.Run(ctx, slog.New(slog.DiscardHandler))
}
