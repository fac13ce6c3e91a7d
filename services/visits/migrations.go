package visits

import (
	"embed"
	"io/fs"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations makes this service's database, with the tables of its outbox, of the feed it follows and of idempotency keys.
func Migrations() []postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return []postgres.Set{outbox.Migrations(), feed.Migrations(), idempotency.Migrations(), {Name: "visits", Files: files}}
}
