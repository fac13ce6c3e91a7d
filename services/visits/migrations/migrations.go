// Package migrations has the migrations of the database of visits.
package migrations

import (
	"embed"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
)

//go:embed *.sql
var own embed.FS

// All returns the migrations of the database of visits.
func All() []postgres.Set {
	return process.Migrations(postgres.Set{Name: "visits", Files: own}, feed.Migrations(), idempotency.Migrations())
}
