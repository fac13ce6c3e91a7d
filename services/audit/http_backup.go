package audit

import (
	"context"

	"baari.dev/services/platform/wire"
)

type backupAnswer struct {
	Backup backupBody `json:"backup"`
}

type backupBody struct {
	At *wire.Time `json:"at"`
}

func (s *Service) getBackup(ctx context.Context, _ struct{}) (backupAnswer, error) {
	at, err := s.store.lastBackup(ctx)
	return backupAnswer{backupBody{wire.TimeOf(at)}}, err
}
