package visits

import (
	"embed"

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
	return []postgres.Set{
		outbox.Migrations(), feed.Migrations(), idempotency.Migrations(), retention.Migrations(),
		postgres.Embedded("visits", migrations),
	}
}
