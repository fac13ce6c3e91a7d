package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/telemetry"
)

// Migrations returns the migrations of a service's database: those of the outbox, of the parts of platform that the
// service uses, of retention, and then the service's own.
func Migrations(own postgres.Set, parts ...postgres.Set) []postgres.Set {
	return append(append([]postgres.Set{outbox.Migrations()}, parts...), retention.Migrations(), own)
}

type migration struct {
	DatabaseURL        string     `env:"DATABASE_URL,required"` // names the role that migrations grant to
	MigrateDatabaseURL string     `env:"MIGRATE_DATABASE_URL,required"`
	AdminDatabaseURL   string     `env:"ADMIN_DATABASE_URL"` // optional: to create the database and its roles first
	LogLevel           slog.Level `env:"LOG_LEVEL" envDefault:"info"`
	LogFormat          string     `env:"LOG_FORMAT" envDefault:"json"`
}

// MigrateAndEnd applies the pending migrations of the targets that have a database, for an init container, so that the
// service itself runs without the owner's password. With ADMIN_DATABASE_URL it first creates the database and its
// roles. It ends the program with status 1 after an error.
func MigrateAndEnd(group Group) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	migrated := true
	for _, target := range group.Targets {
		migrated = migrated && (!target.service() || migrateTarget(ctx, group, target))
	}
	stop()
	if !migrated {
		os.Exit(1)
	}
}

func migrateTarget(ctx context.Context, group Group, target Target) bool {
	var m migration
	if err := group.environment(OSEnvironment(), target).Read(&m); err != nil {
		Fail(target.Name+" migrate", err)
	}
	log := telemetry.NewLogger(os.Stdout, target.Name, m.LogFormat, m.LogLevel)
	slog.SetDefault(log)
	if err := m.run(ctx, target.Migrations); err != nil {
		log.Error("the database is not up to date", "cause", err)
		return false
	}
	log.Info("the database is up to date")
	return true
}

func (m migration) run(ctx context.Context, sets []postgres.Set) error {
	if m.AdminDatabaseURL != "" {
		if err := postgres.Provision(ctx, m.AdminDatabaseURL, m.MigrateDatabaseURL, m.DatabaseURL); err != nil {
			return err
		}
	}
	role, err := postgres.RoleOf(m.DatabaseURL)
	if err != nil {
		return errors.New("DATABASE_URL is no address of a PostgreSQL database")
	}
	if err := postgres.Migrate(ctx, m.MigrateDatabaseURL, role, sets...); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
