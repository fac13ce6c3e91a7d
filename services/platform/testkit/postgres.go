// Package testkit provides real dependencies for tests: a PostgreSQL database and a Redis server per test, other
// services as sources of events over HTTP, and validation of responses against the API documents.
package testkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/postgres"
)

// appRole is the role of the tests' connections. It cannot change the schema, like the services' role in production.
const appRole = "baari_test_app"

// Database is a database of one test, dropped when the test ends.
type Database struct {
	URL      string // the application role's
	OwnerURL string // the owner's, for changes that a service cannot make itself
	Pool     *pgxpool.Pool
	Settings postgres.Settings // settings of Pool and of further pools of URL
}

// NewDatabase creates a database with the given migrations. It copies a template that the first test creates; a copy
// takes only tens of milliseconds. If TEST_POOLER is on, the database's URL is that of a PgBouncer.
func NewDatabase(t testing.TB, sets ...postgres.Set) *Database {
	t.Helper()
	admin := adminURL(t)
	template := ensureTemplate(t, admin, sets)
	name := "t_" + hex.EncodeToString(uuid.New().NodeID()) + uuid.NewString()[:8]
	execute(t, admin, fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s`, name, template))
	db := &Database{URL: withUser(t, inDatabase(t, admin, name), appRole), OwnerURL: inDatabase(t, admin, name)}
	if os.Getenv("TEST_POOLER") == "on" {
		db = SharedPooler(t).Before(t, db)
	}
	pool, err := postgres.Open(context.Background(), db.URL, db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	db.Pool = pool
	t.Cleanup(func() {
		pool.Close()
		execute(t, admin, fmt.Sprintf(`DROP DATABASE IF EXISTS %s WITH (FORCE)`, name))
	})
	return db
}

// Owner opens a connection as the owner, closed when the test ends.
func (d *Database) Owner(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), d.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func adminURL(t testing.TB) string {
	t.Helper()
	admin := os.Getenv("TEST_DATABASE_URL")
	if admin == "" {
		withoutPostgres("TEST_DATABASE_URL is not set")
	}
	reachable.Do(func() {
		conn, err := pgx.Connect(context.Background(), admin)
		if err != nil {
			withoutPostgres("the one of TEST_DATABASE_URL does not answer")
		}
		_ = conn.Close(context.Background())
	})
	return admin
}

// reachable makes each process check only once that the server of TEST_DATABASE_URL responds.
var reachable sync.Once

// withoutPostgres ends the process with one message, because without a server every test of the package would fail.
func withoutPostgres(cause string) {
	fmt.Fprintf(os.Stderr, "These tests need PostgreSQL, and %s: run `go run ./tools/baari test go`, "+
		"or `go run ./tools/baari deps` and set what it prints.\n", cause)
	os.Exit(1)
}

var templates sync.Map // name -> *sync.Once

// ensureTemplate creates and migrates a database named by the hash of its migrations, once per machine, and returns the
// name. Meanwhile, other test processes wait for an advisory lock.
func ensureTemplate(t testing.TB, admin string, sets []postgres.Set) string {
	t.Helper()
	name := "template_" + hash(t, sets)
	once, _ := templates.LoadOrStore(name, &sync.Once{})
	once.(*sync.Once).Do(func() {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, admin)
		if err != nil {
			t.Fatalf("connect to TEST_DATABASE_URL: %v", err)
		}
		defer conn.Close(ctx)
		must(t, conn, `SELECT pg_advisory_lock(hashtext('baari testkit'))`)
		defer must(t, conn, `SELECT pg_advisory_unlock(hashtext('baari testkit'))`)
		var exists, role bool
		const have = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1),
			EXISTS (SELECT FROM pg_roles WHERE rolname = $2)`
		if err := conn.QueryRow(ctx, have, name, appRole).Scan(&exists, &role); err != nil {
			t.Fatal(err)
		}
		if !role {
			must(t, conn, fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD 'test'`, appRole))
		}
		if exists {
			return
		}
		building := name + "_new"
		must(t, conn, fmt.Sprintf(`DROP DATABASE IF EXISTS %s WITH (FORCE)`, building))
		must(t, conn, fmt.Sprintf(`CREATE DATABASE %s`, building))
		if err := postgres.Migrate(ctx, inDatabase(t, admin, building), appRole, sets...); err != nil {
			t.Fatal(err)
		}
		must(t, conn, fmt.Sprintf(`ALTER DATABASE %s RENAME TO %s`, building, name))
	})
	return name
}

func hash(t testing.TB, sets []postgres.Set) string {
	t.Helper()
	sum := sha256.New()
	for _, set := range postgres.All(sets...) {
		names, err := fs.Glob(set.Files, "*.sql")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := fs.ReadFile(set.Files, name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(sum, "%s/%s\n%s", set.Name, name, data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:20]
}

func execute(t testing.TB, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	must(t, conn, statement)
}

func must(t testing.TB, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func inDatabase(t testing.TB, address, name string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Path = "/" + name
	return parsed.String()
}

func withUser(t testing.TB, address, user string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	parsed.User = url.UserPassword(user, "test")
	return parsed.String()
}

// Exec executes a statement on a pool, a connection or a transaction. An error ends the test.
func Exec(t testing.TB, db interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}, sql string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}
