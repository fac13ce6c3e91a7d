package postgres_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// The replicas of a new service start together, each with an administrator's address. All find the database, and a new
// password of a role applies from the next start.
func TestADatabaseAndItsRolesAreCreatedOnce(t *testing.T) {
	t.Parallel()
	admin, as := unmade(t)
	var replicas sync.WaitGroup
	for range 3 {
		replicas.Go(func() {
			if err := postgres.Provision(t.Context(), admin, as("owner", "it's first"), as("app", "one")); err != nil {
				t.Error(err)
			}
		})
	}
	replicas.Wait()
	if err := postgres.Provision(t.Context(), admin, as("owner", "it's first"), as("app", "two")); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, as("owner", "it's first")).Exec(
		t.Context(), `CREATE TABLE desk (); DROP TABLE desk`,
	); err != nil {
		t.Errorf("the owner: %v", err)
	}
	if _, err := connect(t, as("app", "two")).Exec(t.Context(), `CREATE TABLE desk ()`); postgres.Code(err) != "42501" {
		t.Errorf("the application role may make tables: %v", err)
	}
	if _, err := pgx.Connect(t.Context(), as("app", "one")); postgres.Code(err) != "28P01" {
		t.Errorf("the old password answered %v", err)
	}
}

// unmade returns the administrator's address and those of two roles in a database that does not exist yet. The test
// drops the database and the roles when it ends.
func unmade(t *testing.T) (admin string, as func(role, password string) string) {
	t.Helper()
	admin = os.Getenv("TEST_DATABASE_URL")
	name := "t_made_" + strings.ReplaceAll(uuid.NewString()[:8], "-", "")
	t.Cleanup(func() {
		conn := connect(t, admin)
		for _, statement := range []string{
			"DROP DATABASE IF EXISTS %s WITH (FORCE)", "DROP ROLE IF EXISTS %s_owner", "DROP ROLE IF EXISTS %s_app",
		} {
			if _, err := conn.Exec(context.Background(), fmt.Sprintf(statement, name)); err != nil {
				t.Error(err)
			}
		}
	})
	return admin, func(role, password string) string {
		address, err := url.Parse(admin)
		if err != nil {
			t.Fatal(err)
		}
		address.User, address.Path = url.UserPassword(name+"_"+role, password), "/"+name
		return address.String()
	}
}

func TestTheErrorOfAnInvalidAddressHasNoPassword(t *testing.T) {
	t.Parallel()
	err := postgres.Provision(t.Context(), "postgres://a:hunter2@host:port/", "", "")
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "administrator") {
		t.Errorf("got %v", err)
	}
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
