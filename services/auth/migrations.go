package auth

import (
	"embed"

	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of auth's tables.
func Migrations() postgres.Set {
	return postgres.Embedded("auth", migrations)
}
