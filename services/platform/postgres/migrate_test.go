package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/fstest"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

const appRole = "baari_test_app"

// Replicas that start together take turns: each migration runs once, and all start.
func TestReplicasMigrateOneAfterTheOther(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	slow := postgres.Set{Name: "slow", Files: fstest.MapFS{
		"0001_slow.sql": {Data: []byte("-- +goose Up\nCREATE TABLE ran (at timestamptz);\n" +
			"SELECT pg_sleep(0.5);\nINSERT INTO ran VALUES (now());\n")},
	}}
	var replicas sync.WaitGroup
	for range 3 {
		replicas.Go(func() {
			if err := postgres.Migrate(t.Context(), db.OwnerURL, appRole, slow, shelfSet()); err != nil {
				t.Error(err)
			}
		})
	}
	replicas.Wait()
	var ran, shelves int
	if err := db.Owner(t).QueryRow(
		t.Context(), `SELECT (SELECT count(*) FROM ran), (SELECT count(*) FROM shelf)`,
	).Scan(&ran, &shelves); err != nil {
		t.Fatal(err)
	}
	if ran != 1 || shelves != 2 {
		t.Errorf("the migration ran %d times and made %d shelves", ran, shelves)
	}
}

func TestTheApplicationRoleHasNoDDL(t *testing.T) {
	db := shop(t)
	for _, statement := range []string{
		`CREATE TABLE mine ()`, `ALTER TABLE shelf ADD COLUMN mine text`, `DROP TABLE shelf`, `TRUNCATE shelf`,
		`CREATE INDEX ON shelf (note)`,
		`CREATE SCHEMA mine`, `CREATE EXTENSION pgcrypto`, `CREATE ROLE mine`, `DELETE FROM shelf`,
		`UPDATE goose_shelf SET version_id = 0`,
	} {
		if _, err := db.Pool.Exec(t.Context(), statement); postgres.Code(err) != "42501" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if err := postgres.InTx(t.Context(), db.Pool, write(t.Context(), 1, "mine")); err != nil {
		t.Error(err)
	}
}

func TestAMigrationThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	broken := postgres.Set{
		Name: "broken",
		Files: fstest.MapFS{"0001_broken.sql": {
			Data: []byte("-- +goose Up\nCREATE TABLE first ();\nCREATE TABLE first ();\n"),
		}},
	}
	err := postgres.Migrate(t.Context(), db.OwnerURL, appRole, shelfSet(), broken)
	if err == nil {
		t.Fatal("a broken migration passed")
	}
	var first bool
	if err := db.Owner(t).QueryRow(t.Context(), `SELECT to_regclass('first') IS NOT NULL`).Scan(&first); err != nil ||
		first {
		t.Errorf("half of it stayed: %v, %v", first, err)
	}
	if note(t, db.Pool, 1) != "" {
		t.Error("the set before it is not there")
	}
}

func TestTheRoleOfAnAddress(t *testing.T) {
	if role, err := postgres.RoleOf("postgres://asha:x@host/db"); err != nil || role != "asha" {
		t.Errorf("read %q, %v", role, err)
	}
	for _, bad := range []string{"postgres://a:hunter2@host:port/db", "nonsense hunter2"} {
		if _, err := postgres.RoleOf(bad); err == nil || fmt.Sprint(err) == "" {
			t.Errorf("%s was accepted", bad)
		}
	}
}
