// Package migrations has the migrations of the database of visits.
package migrations

import (
	"embed"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
)

//go:embed *.sql
var own embed.FS

// All returns the migrations of the outbox, the feed's cursor, idempotency keys and retention, and those of visits.
func All() []postgres.Set {
	return []postgres.Set{
		outbox.Migrations(), feed.Migrations(), idempotency.Migrations(), retention.Migrations(),
		{Name: "visits", Files: own},
	}
}
