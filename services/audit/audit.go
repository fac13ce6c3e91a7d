// Package audit is the service that owns the audit trail, a chain of records in which every change is detected, and the
// statistics and exports of visits. All of it is projected from the events of the services.
//
// Start with package chain, then read follow.go and copy.go (events to records), visits.go (statistics), trail.go,
// figures.go and export.go (reads), verify.go and http.go.
package audit

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations makes this service's database, with the tables of its outbox and of the feeds it follows.
func Migrations() []postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return []postgres.Set{outbox.Migrations(), feed.Migrations(), retention.Migrations(), {Name: "audit", Files: files}}
}

// Options are the settings of an installation.
type Options struct {
	Key        chain.Key // of the chain
	Zone       string    // where days begin
	MaskPhones bool      // in the export
	// Keep stores a head outside this database; nil: heads are not stored elsewhere.
	Keep func(context.Context, chain.Head) error
}

// Audit copies events into the trail and answers what they add up to.
type Audit struct {
	pool    *pgxpool.Pool
	feeds   *pgxpool.Pool // without a statement timeout: the export
	outbox  *outbox.Outbox
	options Options
	log     *slog.Logger
	metrics metrics
	exports *semaphore.Weighted // one at a time
	kept    chain.Head          // that another service keeps; the anchoring's own
	clock   func() *time.Time   // nil: PostgreSQL's
}

// New returns an Audit over pool. The export reads through feeds, a pool without a statement timeout.
func New(pool, feeds *pgxpool.Pool, o *outbox.Outbox, options Options, log *slog.Logger) *Audit {
	return &Audit{pool: pool, feeds: feeds, outbox: o, options: options, log: log, metrics: newMetrics(), exports: semaphore.NewWeighted(1)}
}

// now is the time argument of statements: nil selects PostgreSQL's clock; only tests set another.
func (a *Audit) now() *time.Time {
	if a.clock == nil {
		return nil
	}
	return a.clock()
}
