package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract/registry"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/testkit/port"
)

// schema has the tables of a service that a restore changes, and the table in which operations are recorded.
const schema = `
CREATE TABLE stream_head (stream text PRIMARY KEY, epoch uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO stream_head VALUES ('s');
CREATE TABLE operations (name text PRIMARY KEY, done_at timestamptz NOT NULL);
INSERT INTO operations VALUES ('backup', now() - interval '1 year'), ('restore_drill', now() - interval '1 year')`

// installation makes the databases of all services and returns the administrator's address.
func installation(t *testing.T) string {
	t.Helper()
	own := testkit.NewDatabase(t).Owner(t)
	for _, service := range registry.Services {
		name := service.Database()
		for _, statement := range []string{"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name} {
			if _, err := own.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() {
			_, err := own.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
			if err != nil {
				t.Error(err)
			}
		})
		query(t, os.Getenv("TEST_DATABASE_URL"), name, schema)
	}
	return os.Getenv("TEST_DATABASE_URL")
}

// query executes statements in a service's database. With targets there is one statement; they receive its row.
func query(t *testing.T, admin, database, statement string, targets ...any) {
	t.Helper()
	address, err := databaseAt(admin, database)
	if err != nil {
		t.Fatal(err)
	}
	connection, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close(context.Background()) }()
	if len(targets) == 0 {
		_, err = connection.Exec(t.Context(), statement)
	} else {
		err = connection.QueryRow(t.Context(), statement).Scan(targets...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// awaitIdle waits until the server has ended the connections that the test has closed.
func awaitIdle(t *testing.T, admin string) {
	t.Helper()
	testkit.Eventually(t, "no client is connected", func() bool {
		return assertIdle(t.Context(), admin) == nil
	})
}

// programs puts fakes of pg_dump and pg_restore on PATH. A fake writes its arguments and the password to a log, whose
// path is returned, then writes the file of --file, and then runs the script.
func programs(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	text := "#!/bin/sh\necho \"$(basename $0) $PGPASSWORD $*\" >> " + log + "\n" +
		"for a; do case $a in --file=*) echo copy > \"${a#--file=}\";; esac; done\n" + script + "\n"
	for _, name := range []string{"pg_dump", "pg_restore"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return log
}

func mustAdvise(t *testing.T, err error, want string) {
	t.Helper()
	var said advice.Advice
	if !errors.As(err, &said) || !strings.Contains(string(said), want) {
		t.Errorf("got %v, want advice with %q", err, want)
	}
}

func TestEveryDatabaseIsDumpedAndLoaded(t *testing.T) {
	admin, log := installation(t), programs(t, "")
	folder := filepath.Join(t.TempDir(), "copy")
	if err := Dump(t.Context(), admin, folder); err != nil {
		t.Fatal(err)
	}
	mustAdvise(t, Dump(t.Context(), admin, folder), "exists: choose a new folder")
	const recent = `SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM operations
		WHERE done_at > now() - interval '1 hour'`
	var recorded, epoch, newEpoch string
	query(t, admin, "baari_audit", recent, &recorded)
	if recorded != "backup" {
		t.Errorf("recorded %q after the dump", recorded)
	}
	query(t, admin, "baari_visits", `SELECT epoch::text FROM stream_head`, &epoch)
	awaitIdle(t, admin)
	if err := Load(t.Context(), admin, folder); err != nil {
		t.Fatal(err)
	}
	query(t, admin, "baari_visits", `SELECT epoch::text FROM stream_head`, &newEpoch)
	if epoch == newEpoch {
		t.Error("the epoch is the same after the load")
	}
	query(t, admin, "baari_audit", recent, &recorded)
	if recorded != "backup restore_drill" {
		t.Errorf("recorded %q after the load", recorded)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range registry.Services {
		for _, program := range []string{"pg_dump", "pg_restore"} {
			called := false
			for call := range strings.Lines(string(calls)) {
				called = called || strings.HasPrefix(call, program) && strings.Contains(call, service.Database()+".dump")
			}
			if !called {
				t.Errorf("%s was not called for %s", program, service.Name)
			}
		}
	}
}

// Audit's copy must not contain a record of an event that the copy of its source lacks, because records are never
// changed.
func TestAuditIsDumpedBeforeTheServicesThatItFollows(t *testing.T) {
	place := map[string]int{}
	for i, service := range dumpOrder() {
		place[service.Name] = i
	}
	for _, source := range []string{"visits", "directory", "auth"} {
		if place["audit"] > place[source] {
			t.Errorf("audit is dumped after %s", source)
		}
	}
}

func TestPasswordsAreNotArguments(t *testing.T) {
	log := programs(t, "")
	if err := run(t.Context(), "pg_dump", "postgres://admin:secret@127.0.0.1:1/postgres", "baari_visits"); err != nil {
		t.Fatal(err)
	}
	call, err := os.ReadFile(log)
	want := "pg_dump secret --dbname=postgres://admin@127.0.0.1:1/baari_visits --no-password\n"
	if err != nil || string(call) != want {
		t.Errorf("called as %q, %v", call, err)
	}
}

func TestALoadNeedsACompleteCopyAndNoClients(t *testing.T) {
	admin := installation(t)
	programs(t, "")
	folder := t.TempDir()
	mustAdvise(t, Load(t.Context(), admin, folder), "is not a complete backup")
	for _, service := range registry.Services {
		if err := os.WriteFile(filepath.Join(folder, fileOf(service)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	awaitIdle(t, admin)
	address, err := databaseAt(admin, "baari_visits")
	if err != nil {
		t.Fatal(err)
	}
	client, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close(context.Background()) }()
	mustAdvise(t, Load(t.Context(), admin, folder), "Clients are connected to baari_visits")
}

func TestFailuresOfPostgreSQLsProgramsAreNamed(t *testing.T) {
	const admin = "postgres://admin:secret@127.0.0.1:1/postgres"
	programs(t, "echo 'aborting because of server version mismatch' >&2; exit 1")
	mustAdvise(t, Dump(t.Context(), admin, filepath.Join(t.TempDir(), "copy")), "pg_dump is older than the server")
	programs(t, "echo 'no space left on device' >&2; exit 1")
	folder := filepath.Join(t.TempDir(), "copy")
	err := Dump(t.Context(), admin, folder)
	if err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("got %v", err)
	}
	if rest, err := filepath.Glob(folder + "*"); err != nil || len(rest) > 0 {
		t.Errorf("left %v, %v", rest, err)
	}
	mustAdvise(t, run(t.Context(), "pg_dump", "host=localhost", "baari_visits"), "is not an address")
	t.Setenv("PATH", t.TempDir())
	mustAdvise(t, Dump(t.Context(), admin, folder), "pg_dump is not on PATH")
	mustAdvise(t, Load(t.Context(), admin, folder), "pg_restore is not on PATH")
}

// An old database does not have the table "operations" yet; audit's next start creates it.
func TestARecordNeedsNoTable(t *testing.T) {
	empty := testkit.NewDatabase(t)
	if err := Note(t.Context(), empty.OwnerURL, Copied); err != nil {
		t.Error(err)
	}
	if err := BeginEpoch(t.Context(), empty.OwnerURL); err == nil {
		t.Error("a database without the table of the epoch began a new one")
	}
	unreachable := fmt.Sprintf("postgres://reader@127.0.0.1:%d/x", port.Free(t))
	if err := Note(t.Context(), unreachable, Copied); err == nil {
		t.Error("an unreachable database was recorded in")
	}
}
