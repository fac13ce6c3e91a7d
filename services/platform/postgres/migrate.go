package postgres

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Set is a series of migrations with its own version table.
type Set struct {
	Name  string // names the version table
	Files fs.FS  // *.sql files at its top
}

// Embedded returns the set of the files in the embedded folder "migrations".
func Embedded(name string, files embed.FS) Set {
	top, err := fs.Sub(files, "migrations")
	if err != nil {
		panic(err) // fs.Sub fails for an invalid path only
	}
	return Set{Name: name, Files: top}
}

//go:embed migrations/*.sql
var migrations embed.FS

// own returns the migrations that this package needs in every service's database.
func own() Set {
	return Embedded("postgres", migrations)
}

// All returns the sets that Migrate applies: the package's own set, then sets.
func All(sets ...Set) []Set { return append([]Set{own()}, sets...) }

// Migrate applies the pending migrations of the database at ownerURL, set by set. Replicas that start together wait for
// each other. Migrations grant privileges to the role in the setting baari.app_role, which is set to appRole.
func Migrate(ctx context.Context, ownerURL, appRole string, sets ...Set) error {
	db, err := ownerDB(ownerURL, appRole)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := await(ctx, db.PingContext); err != nil {
		return err
	}
	for _, set := range All(sets...) {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300), lock.WithUnlockTimeout(1, 60))
		if err != nil {
			return err
		}
		provider, err := goose.NewProvider(goose.DialectPostgres, db, set.Files,
			goose.WithSessionLocker(locker), goose.WithTableName("goose_"+set.Name))
		if err != nil {
			return fmt.Errorf("migrations %s: %w", set.Name, err)
		}
		results, err := provider.Up(ctx)
		if err != nil {
			return fmt.Errorf("migrations %s: %w", set.Name, err)
		}
		for _, done := range results {
			slog.InfoContext(ctx, "migrated", "set", set.Name, "file", done.Source.Path, "took", done.Duration)
		}
	}
	return nil
}

func ownerDB(ownerURL, appRole string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(ownerURL)
	if err != nil {
		return nil, fmt.Errorf("read the owner's database address: %w", err)
	}
	config.RuntimeParams["baari.app_role"] = appRole
	config.RuntimeParams["lock_timeout"] = "2s"
	return stdlib.OpenDB(*config), nil
}

// RoleOf returns the user of the application's database address: the role to which migrations grant privileges.
func RoleOf(url string) (string, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return "", fmt.Errorf("read the database address: %w", err)
	}
	return config.User, nil
}
