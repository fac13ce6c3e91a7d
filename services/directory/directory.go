// Package directory keeps what the office offers and who serves it: services, consultants with their load, the
// office document and appointment requests.
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

// Directory answers what the office offers and who serves it.
type Directory struct {
	pool   *pgxpool.Pool
	outbox *outbox.Outbox
	office atomic.Pointer[office.Document]
	zone   string            // where days begin; fixed while the service runs
	clock  func() *time.Time // nil: PostgreSQL's
	// arrived wakes the post when a request has come; nil: nobody mails.
	arrived chan struct{}
}

// New makes a directory of the given office. Start must be called before it serves.
func New(pool *pgxpool.Pool, o *outbox.Outbox, document office.Document) *Directory {
	d := &Directory{pool: pool, outbox: o, zone: document.TimeZone}
	d.office.Store(&document)
	return d
}

// now is what a statement takes for the present: nil lets PostgreSQL say it, which is always so outside tests.
func (d *Directory) now() *time.Time {
	if d.clock == nil {
		return nil
	}
	return d.clock()
}

// Start stores what a new database lacks: the office file's services, and the office document as it was told last.
func (d *Directory) Start(ctx context.Context) error {
	if err := d.seedServices(ctx); err != nil {
		return err
	}
	return d.tellOffice(ctx)
}
