package visits

import "context"

// SweepOnce runs one tick of Sweep.
func (s *Service) SweepOnce(ctx context.Context, sweep bool) error { return s.sweepOnce(ctx, sweep) }
