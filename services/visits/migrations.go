package visits

import (
	"embed"
	"io/fs"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of this service's database: those of the outbox, the feed's cursor, idempotency
// keys, retention, and its own.
func Migrations() []postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return []postgres.Set{
		outbox.Migrations(), feed.Migrations(), idempotency.Migrations(), retention.Migrations(),
		{Name: "visits", Files: files},
	}
}
