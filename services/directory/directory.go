// Package directory is the service that owns the offered services, consultants' specialization, the office document and
// appointment requests. It projects consultants from auth and their load from visits.
//
// Start with package appointment for the rules and package office for the office document, then read directory.go,
// the use cases (services.go, consultants.go, appointments.go, profile.go), the projections (follow_*.go) and http.go.
package directory

import (
	"context"
	"embed"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/directory/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed office.json
var defaultOffice []byte

// Migrations makes this service's database, with the tables of its outbox and of the feeds it follows.
func Migrations() []postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return []postgres.Set{outbox.Migrations(), feed.Migrations(), retention.Migrations(), {Name: "directory", Files: files}}
}

// ReadOffice reads the office document at path, or the default office when path is empty. The error names each
// key that is unknown, missing or bad.
func ReadOffice(path string) (office.Document, error) {
	data := defaultOffice
	if path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			return office.Document{}, err
		}
	}
	return office.Read(data)
}

// Directory has the use cases of the service.
type Directory struct {
	pool   *pgxpool.Pool
	outbox *outbox.Outbox
	office atomic.Pointer[office.Document]
	zone   string            // where days begin; fixed while the service runs
	clock  func() *time.Time // nil: PostgreSQL's
	// arrived wakes Post after a new request; nil: no mails are sent.
	arrived chan struct{}
}

// New makes a directory of the given office. Start must be called before it serves.
func New(pool *pgxpool.Pool, o *outbox.Outbox, document office.Document) *Directory {
	d := &Directory{pool: pool, outbox: o, zone: document.TimeZone}
	d.office.Store(&document)
	return d
}

// now is the time argument of statements: nil selects PostgreSQL's clock; only tests set another.
func (d *Directory) now() *time.Time {
	if d.clock == nil {
		return nil
	}
	return d.clock()
}

// Start initializes an empty database with the office file's services and publishes the office document if it differs
// from the last published one.
func (d *Directory) Start(ctx context.Context) error {
	if err := d.seedServices(ctx); err != nil {
		return err
	}
	return d.publishOffice(ctx)
}
