package settings

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

const selectSettings = `SELECT version, brand, languages, registration FROM office_copy`

// Load reads the stored settings. Without any, those of the configuration apply.
func (c *Copy) Load(ctx context.Context) error {
	var stored Settings
	err := c.pool.QueryRow(ctx, selectSettings).Scan(
		&stored.Version, &stored.Brand, &stored.Languages, &stored.Registration,
	)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		c.current.Store(&c.configured)
		return nil
	case err != nil:
		return err
	}
	c.current.Store(&stored)
	return nil
}

const upsertSettings = `
INSERT INTO office_copy AS stored (version, brand, languages, registration) VALUES ($1, $2, $3, $4)
ON CONFLICT (only_row) DO UPDATE SET version = EXCLUDED.version, brand = EXCLUDED.brand,
  languages = EXCLUDED.languages, registration = EXCLUDED.registration
WHERE stored.version < EXCLUDED.version`

// keep stores settings unless the stored version is as high.
func keep(ctx context.Context, tx pgx.Tx, s Settings) error {
	languages := s.Languages
	if languages == nil {
		languages = []string{}
	}
	_, err := tx.Exec(ctx, upsertSettings, s.Version, s.Brand, languages, s.Registration)
	return err
}

// restart lets the versions of a new epoch replace the stored one. Until they are read, the stored values apply:
// without them, the mode of sign-up would be that of the configuration for a moment.
func restart(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `UPDATE office_copy SET version = 0`)
	return err
}
