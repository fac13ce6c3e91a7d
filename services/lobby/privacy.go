package lobby

import (
	"context"
	"log/slog"
	"time"
)

// Forget deletes the visits and links of old days, every hour until ctx ends. The database has no personal data:
// tokens, stages and languages without a name or a phone.
func (s *Service) Forget(ctx context.Context, log *slog.Logger) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		if err := s.store.forget(ctx, time.Now()); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "old links are deleted an hour later", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
