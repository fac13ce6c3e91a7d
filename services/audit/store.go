package audit

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
)

// store executes the SQL of the service. store_chain.go has the chain, store_trail.go the reads of the trail,
// store_visits.go the projection of visits with its statistics and the export, store_period.go the figures of periods,
// store_privacy.go the SQL of privacy.go. Only methods without a parameter tx classify PostgreSQL's errors.
type store struct {
	pool  *pgxpool.Pool
	feeds *pgxpool.Pool     // has no statement timeout
	zone  string            // IANA name of the time zone in which days begin
	clock func() *time.Time // nil: PostgreSQL's clock; only tests set another
}

// now returns the time argument of statements; nil means that PostgreSQL's clock is used.
func (s *store) now() *time.Time {
	if s.clock == nil {
		return nil
	}
	return s.clock()
}

// snapshot has the options of a transaction whose statements read one snapshot.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// long has the options of a snapshot whose statements may take minutes, without the sessions' statement timeout.
var long = pgx.TxOptions{
	BeginQuery: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0`,
}

const selectToday = `SELECT (coalesce($1, now()) AT TIME ZONE $2)::date::text`

func (s *store) today(ctx context.Context) (string, error) {
	var today string
	err := s.pool.QueryRow(ctx, selectToday, s.now(), s.zone).Scan(&today)
	return today, postgres.Classify(err)
}

const selectOperations = `
SELECT coalesce((SELECT n FROM chain_head), 0)::float8,
  (SELECT extract(epoch FROM now() - done_at) FROM operations WHERE name = 'backup')::float8,
  (SELECT extract(epoch FROM now() - done_at) FROM operations WHERE name = 'restore_drill')::float8`

// operations returns the number of records and the seconds since the last backup and the last restore drill. ok is
// false while the database is unavailable.
func (s *store) operations() (records, backup, drill float64, ok bool) {
	ok = postgres.Sample(s.pool, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, selectOperations).Scan(&records, &backup, &drill)
	})
	return records, backup, drill, ok
}

// Both rows have the time of the installation until one of them is updated.
const selectLastBackup = `
SELECT nullif((SELECT done_at FROM operations WHERE name = 'backup'),
  (SELECT done_at FROM operations WHERE name = 'restore_drill'))`

// lastBackup returns the time of the last backup, nil if neither a backup nor a restore drill was recorded since the
// installation.
func (s *store) lastBackup(ctx context.Context) (at *time.Time, err error) {
	err = s.pool.QueryRow(ctx, selectLastBackup).Scan(&at)
	return at, postgres.Classify(err)
}
