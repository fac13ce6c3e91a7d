package process

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// TestMigrateAsProgram is the program that the tests below start. It is a service with one table.
func TestMigrateAsProgram(t *testing.T) {
	if os.Getenv("MIGRATE_DATABASE_URL") == "" {
		t.Skip("only the tests below start this")
	}
	os.Args = []string{"shop", "migrate"}
	Main(Group{Targets: []Target{{Name: "shop", Migrations: []postgres.Set{{Name: "shop", Files: fstest.MapFS{
		"0001_shelf.sql": {Data: []byte("-- +goose Up\nCREATE TABLE shelf (id int);\n")}}}}}}})
}

func migrate(variables ...string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestMigrateAsProgram$")
	cmd.Env = append(os.Environ(), variables...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// An init container migrates with the owner's password, so that the service can run without it. The container needs
// only the two addresses of the database.
func TestAServiceMigratesAndEnds(t *testing.T) {
	db := testkit.NewDatabase(t)
	out, err := migrate("DATABASE_URL="+db.URL, "MIGRATE_DATABASE_URL="+db.OwnerURL)
	if err != nil || !strings.Contains(out, "up to date") {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := db.Owner(t).Exec(t.Context(), `SELECT id FROM shelf`); err != nil {
		t.Error(err)
	}
}

func TestAMigrationThatCannotRunFails(t *testing.T) {
	out, err := migrate("DATABASE_URL=", "MIGRATE_DATABASE_URL=postgres://a:hunter2@host:port/b")
	if err == nil || strings.Contains(out, "hunter2") {
		t.Errorf("%v: %s", err, out)
	}
}
