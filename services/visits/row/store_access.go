package row

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// Execer is a pool or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

const insertAccess = `INSERT INTO access_log (user_id, role, call, visit_ids) VALUES ($1, $2, $3, $4)`

// LogAccess records that a user received the data of visits by a call.
func (*DB) LogAccess(ctx context.Context, db Execer, by visit.Actor, call string, ids []string) error {
	_, err := db.Exec(ctx, insertAccess, by.ID, by.Role, call, ids)
	return err
}

// Readings of an erased visit, and readings by users who handle the visit (visit.HandledBy), are not recorded.
const insertReading = `
INSERT INTO access_log (user_id, role, call, visit_ids)
SELECT @actor, @role, @call, ARRAY[id] FROM visits
WHERE id = @id AND phone IS NOT NULL
  AND (@actor = ANY (ARRAY[created_by, decided_by, consultant_id, started_by, completed_by])) IS NOT TRUE`

// LogReading records that a user received, by a call, data that belongs to a visit, such as its papers.
func (*DB) LogReading(ctx context.Context, db Execer, by visit.Actor, call, id string) error {
	_, err := db.Exec(ctx, insertReading, postgres.Args{"actor": by.ID, "role": by.Role, "call": call, "id": id})
	return err
}
