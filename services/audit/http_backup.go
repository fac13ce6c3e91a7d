package audit

import (
	"context"
	"time"

	"baari.dev/services/platform/wire"
)

type backupAnswer struct {
	Backup backupBody `json:"backup"`
}

type backupBody struct {
	At *wire.Time `json:"at"`
}

// LastBackup returns the time of the last backup, nil if neither a backup nor a restore drill was recorded since the
// installation.
func (s *Service) LastBackup(ctx context.Context) (*time.Time, error) { return s.store.lastBackup(ctx) }

func (s *Service) getBackup(ctx context.Context, _ struct{}) (backupAnswer, error) {
	at, err := s.LastBackup(ctx)
	return backupAnswer{backupBody{wire.TimeOf(at)}}, err
}
