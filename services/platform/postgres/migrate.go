package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Set is one series of migrations with a version table of its own.
type Set struct {
	Name  string // names the version table
	Files fs.FS  // *.sql files at its top
}

// Migrate brings the database at ownerURL up to date, one set after the other. Replicas that start together
// take turns. Migrations grant what they make to the role named by the setting baari.app_role, which is
// appRole here.
func Migrate(ctx context.Context, ownerURL, appRole string, sets ...Set) error {
	db, err := ownerDB(ownerURL, appRole)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := awaitDB(ctx, db); err != nil {
		return err
	}
	for _, set := range sets {
		locker, err := lock.NewPostgresSessionLocker()
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

// awaitDB gives a database that starts beside the service half a minute.
func awaitDB(ctx context.Context, db *sql.DB) error {
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := db.PingContext(ctx)
		if err == nil || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// RoleOf is the user of a database address: the application role that migrations grant to.
func RoleOf(url string) (string, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return "", fmt.Errorf("read the database address: %w", err)
	}
	return config.User, nil
}
