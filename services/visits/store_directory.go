package visits

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
)

// The SQL of the projection of directory: the tables services, consultants and office.

const upsertService = `
INSERT INTO services (id, name, is_active) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active`

func (*store) keepService(ctx context.Context, tx pgx.Tx, s contract.Service) error {
	_, err := tx.Exec(ctx, upsertService, s.ID, s.Name, s.IsActive)
	return err
}

const upsertConsultant = `
INSERT INTO consultants (id, name, is_active) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, is_active = EXCLUDED.is_active`

func (*store) keepConsultant(ctx context.Context, tx pgx.Tx, c contract.Consultant) error {
	_, err := tx.Exec(ctx, upsertConsultant, c.ID, c.Name, c.IsActive)
	return err
}

const upsertOffice = `
INSERT INTO office (notice_version) VALUES ($1)
ON CONFLICT (only_row) DO UPDATE SET notice_version = EXCLUDED.notice_version`

func (*store) keepNotice(ctx context.Context, tx pgx.Tx, version string) error {
	_, err := tx.Exec(ctx, upsertOffice, version)
	return err
}

const emptyCopies = `DELETE FROM services; DELETE FROM consultants; DELETE FROM office`

func (*store) emptyCopies(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Conn().PgConn().Exec(ctx, emptyCopies).ReadAll()
	return err
}

const knowsService = `SELECT EXISTS (SELECT FROM services WHERE id = $1)`

func (s *store) hasService(ctx context.Context, id string) (has bool, err error) {
	err = s.pool.QueryRow(ctx, knowsService, id).Scan(&has)
	return has, err
}

const knowsConsultant = `SELECT EXISTS (SELECT FROM consultants WHERE id = $1)`

func (s *store) hasConsultant(ctx context.Context, id string) (has bool, err error) {
	err = s.pool.QueryRow(ctx, knowsConsultant, id).Scan(&has)
	return has, err
}

// selectServices reads the names of active services.
const selectServices = `SELECT id::text, name FROM services WHERE id = ANY ($1::uuid[]) AND is_active`

// Consultants are locked FOR SHARE: a concurrent deactivation waits for the decision, or the decision reads its result.
// lockConsultantsFree skips those that another transaction is changing.
const (
	lockConsultantsAll  = `SELECT id, name FROM consultants WHERE id = ANY ($1::text[]) AND is_active FOR SHARE`
	lockConsultantsFree = lockConsultantsAll + ` SKIP LOCKED`
)
