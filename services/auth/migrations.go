package auth

import (
	"embed"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of the service's database.
func Migrations() []postgres.Set {
	return process.Migrations(postgres.Embedded("auth", migrations), feed.Migrations())
}
