package auth

import (
	"embed"
	"io/fs"

	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of auth's tables.
func Migrations() postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return postgres.Set{Name: "auth", Files: files}
}
