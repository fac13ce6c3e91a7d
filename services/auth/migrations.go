package auth

import (
	"embed"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of the service's database: those of its outbox and of retention, then its own.
func Migrations() []postgres.Set {
	return []postgres.Set{outbox.Migrations(), retention.Migrations(), postgres.Embedded("auth", migrations)}
}
