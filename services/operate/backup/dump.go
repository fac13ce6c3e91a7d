package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract/registry"
	"baari.dev/services/operate/advice"
)

// Dump writes every service's database, in pg_dump's custom format, into the folder dir, which must not exist, and
// records the backup in audit's database. admin is the address of a role that can read all databases. The secrets are
// not contained: see services/docs/operating.md. It returns Advice if pg_dump is missing or dir exists.
func Dump(ctx context.Context, admin, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return advice.Advice(dir + " exists: choose a new folder for the backup.")
	}
	program, err := find("pg_dump")
	if err != nil {
		return err
	}
	unfinished := dir + ".unfinished"
	if err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o700)); err != nil {
		return err
	}
	for _, service := range dumpOrder() {
		file := filepath.Join(unfinished, fileOf(service))
		err := run(ctx, program, admin, service.Database(), "--format=custom", "--file="+file)
		if err != nil {
			return errors.Join(err, os.RemoveAll(unfinished))
		}
	}
	if err := os.Rename(unfinished, dir); err != nil {
		return err
	}
	return RecordIn(ctx, admin, Copied)
}

// dumpOrder returns the services, sorted by how many services each needs, most first. Audit needs all, so it is first:
// its copy must not contain a record of an event that the source's copy lacks, because records are never changed.
func dumpOrder() []registry.Service {
	ordered := slices.Clone(registry.Services)
	slices.SortStableFunc(ordered, func(a, b registry.Service) int { return len(b.Needs) - len(a.Needs) })
	return ordered
}

func fileOf(service registry.Service) string { return service.Database() + ".dump" }

// Load replaces every service's database by its copy in the folder dir. Changes after the backup are lost, so it begins
// a new epoch in each database: services and dashboards then reload their state. admin is the address of a role that
// can create databases. It returns Advice if a copy or pg_restore is missing, or while clients are connected.
func Load(ctx context.Context, admin, dir string) error {
	program, err := find("pg_restore")
	if err != nil {
		return err
	}
	for _, service := range registry.Services {
		if _, err := os.Stat(filepath.Join(dir, fileOf(service))); err != nil {
			return advice.Advice(fmt.Sprintf(
				"%s is not a complete backup (%v): choose a folder that `backup` has written.", dir, err))
		}
	}
	if err := assertIdle(ctx, admin); err != nil {
		return err
	}
	for _, service := range registry.Services {
		file := filepath.Join(dir, fileOf(service))
		err := run(ctx, program, admin, "postgres", "--clean", "--if-exists", "--create", "--exit-on-error", file)
		if err != nil {
			return err
		}
		address, err := databaseAt(admin, service.Database())
		if err != nil {
			return err
		}
		if err := BeginEpoch(ctx, address); err != nil {
			return fmt.Errorf("database of %s: %w", service.Name, err)
		}
	}
	return RecordIn(ctx, admin, Restored)
}

// RecordIn records an operation in audit's database on the server with the address admin.
func RecordIn(ctx context.Context, admin string, done Operation) error {
	for _, service := range registry.Services {
		if service.Name == "audit" {
			address, err := databaseAt(admin, service.Database())
			if err != nil {
				return err
			}
			return Note(ctx, address, done)
		}
	}
	return errors.New("the registry has no audit service")
}

const errAddress advice.Advice = "ADMIN_DATABASE_URL is not an address: write it like" +
	" postgres://user:password@host:5432/postgres."

func databaseAt(admin, database string) (string, error) {
	address, err := url.Parse(admin)
	if err != nil || address.Host == "" {
		return "", errAddress
	}
	address.Path = "/" + database
	return address.String(), nil
}

func find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", advice.Advice(program + " is not on PATH: install PostgreSQL's client programs of the server's version," +
			" or run baarictl in the image of the server as k8s/operate does.")
	}
	return path, nil
}

// versionMismatch is a part of pg_dump's message for a server of a newer major version.
const versionMismatch = "server version mismatch"

// run runs one of PostgreSQL's programs. The password is in its environment, because other users of a machine can list
// the arguments of a process.
func run(ctx context.Context, program, admin, database string, args ...string) error {
	address, err := databaseAt(admin, database)
	if err != nil {
		return err
	}
	at, err := url.Parse(address)
	if err != nil {
		return errAddress
	}
	password, _ := at.User.Password()
	at.User = url.User(at.User.Username())
	cmd := exec.CommandContext(ctx, program, append([]string{"--dbname=" + at.String(), "--no-password"}, args...)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	err = cmd.Run()
	name := filepath.Base(program)
	switch {
	case err == nil:
		return nil
	case strings.Contains(complaints.String(), versionMismatch):
		return advice.Advice(name + " is older than the server: install PostgreSQL's client programs of the server's major" +
			" version.")
	}
	return fmt.Errorf("%s of %s: %w: %s", name, database, err, strings.TrimSpace(complaints.String()))
}

const selectConnected = `
SELECT datname || ' (' || coalesce(nullif(string_agg(DISTINCT application_name, ', '), ''), 'unnamed') || ')'
FROM pg_stat_activity WHERE datname = ANY($1) AND backend_type = 'client backend' GROUP BY datname ORDER BY datname`

// assertIdle returns Advice while clients are connected to a service's database.
func assertIdle(ctx context.Context, admin string) error {
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	var databases []string
	for _, service := range registry.Services {
		databases = append(databases, service.Database())
	}
	rows, err := connection.Query(ctx, selectConnected, databases)
	if err != nil {
		return err
	}
	connected, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if len(connected) > 0 {
		return advice.Advice("Clients are connected to " + strings.Join(connected, ", ") +
			": stop all services (in a cluster: scale their deployments to 0), then run this again.")
	}
	return nil
}
