package outbox

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// timeline is the number of the server's timeline. A promotion increments this number at once; the number in
// pg_control_checkpoint changes only with the next checkpoint.
const timeline = `('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer`

// The columns of the CTE "here" identify the physical database: they differ after a backup is restored elsewhere, a
// standby is promoted or the database is created again.
const ensureStream = `
WITH here AS (
  SELECT (SELECT system_identifier FROM pg_control_system()) AS system_identifier,
         ` + timeline + ` AS timeline_id,
         (SELECT oid FROM pg_database WHERE datname = current_database()) AS database_oid
)
INSERT INTO stream_head AS s (stream, system_identifier, timeline_id, database_oid)
SELECT $1, system_identifier, timeline_id, database_oid FROM here
ON CONFLICT (stream) DO UPDATE
SET epoch = gen_random_uuid(), system_identifier = EXCLUDED.system_identifier,
    timeline_id = EXCLUDED.timeline_id, database_oid = EXCLUDED.database_oid
WHERE (s.system_identifier, s.timeline_id, s.database_oid)
      IS DISTINCT FROM (EXCLUDED.system_identifier, EXCLUDED.timeline_id, EXCLUDED.database_oid)`

// EnsureStream inserts the stream's head if it is missing, and begins a new epoch if the epoch began in another
// database, as after a restore.
func EnsureStream(ctx context.Context, pool *pgxpool.Pool, stream string) error {
	_, err := pool.Exec(ctx, ensureStream, stream)
	return err
}
