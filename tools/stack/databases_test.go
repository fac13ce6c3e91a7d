package stack

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func servers(t *testing.T) *Stack {
	t.Helper()
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REDIS_URL", "")
	options := Options{Data: initialised(t), Progress: NewProgress(&output{}), hasty: true}
	started, err := openServers(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Stop)
	return started
}

func freshSecrets(t *testing.T) Secrets {
	t.Helper()
	secrets, err := loadSecrets(filepath.Join(t.TempDir(), "secrets.json"))
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}

func execute(t *testing.T, address, statement string) error {
	t.Helper()
	connection, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close(context.Background()) }()
	_, err = connection.Exec(context.Background(), statement)
	return err
}

func TestEachServiceHasADatabaseWithAnOwnerAndAnApplicationRole(t *testing.T) {
	ctx, admin := context.Background(), servers(t).Postgres()
	secrets := freshSecrets(t)
	for range 2 { // the second start finds everything present
		urls, err := makeDatabases(ctx, admin, secrets)
		if err != nil {
			t.Fatal(err)
		}
		if len(urls) != len(Services) {
			t.Fatalf("%d databases", len(urls))
		}
		for service, database := range urls {
			if err := execute(t, database.Owner, "CREATE TABLE IF NOT EXISTS a (n int)"); err != nil {
				t.Errorf("the owner of %s cannot create a table: %v", service, err)
			}
			if err := execute(t, database.App, "CREATE TABLE b (n int)"); !hasCode(err, notAllowed) {
				t.Errorf("the application role of %s created a table: %v", service, err)
			}
			if err := execute(t, database.App, "SELECT * FROM a"); !hasCode(err, notAllowed) {
				t.Errorf("the application role of %s read a table without a grant: %v", service, err)
			}
		}
	}
	visits, _ := databaseURLs(admin, "visits", RoleSecret{
		Owner: secrets.Databases["auth"].Owner, App: secrets.Databases["auth"].App,
	})
	other := strings.Replace(visits.App, "baari_visits_app", "baari_auth_app", 1)
	if err := pingPostgres(ctx, other); !hasCode(err, notAllowed) {
		t.Errorf("auth's application role connected to the database of visits: %v", err)
	}
}

func TestRolesOfAnotherDataFolderGetNewPasswords(t *testing.T) {
	ctx, admin := context.Background(), servers(t).Postgres()
	seen := map[string]bool{}
	for range 2 {
		secrets := freshSecrets(t)
		for _, role := range secrets.Databases {
			for _, password := range []string{role.Owner, role.App} {
				// ASVS 13.2.3
				if len(password) < 20 || seen[password] {
					t.Errorf("a password has %d letters, or is not unique", len(password))
				}
				seen[password] = true
			}
		}
		urls, err := makeDatabases(ctx, admin, secrets)
		if err != nil {
			t.Fatal(err)
		}
		if !canConnect(ctx, urls) {
			t.Error("a role cannot sign in with its password")
		}
	}
}

// If the user lacks CREATEDB, the launcher prints SQL. After an administrator has run it, the launcher works.
func TestAUserWithoutCreateDBGetsTheStatements(t *testing.T) {
	ctx, admin := context.Background(), servers(t).Postgres()
	if err := execute(t, admin, "CREATE ROLE clerk LOGIN PASSWORD 'clerk'"); err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("clerk", "clerk")
	secrets := freshSecrets(t)
	_, err = makeDatabases(ctx, at.String(), secrets)
	var advice Advice
	if !errors.As(err, &advice) ||
		!strings.Contains(err.Error(), "CREATE DATABASE baari_visits OWNER baari_visits_owner;") {
		t.Fatalf("a clerk gets %v", err)
	}
	_, statements, _ := strings.Cut(err.Error(), "\n\n")
	for statement := range strings.SplitSeq(strings.TrimSpace(statements), "\n") {
		if err := execute(t, admin, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if _, err := makeDatabases(ctx, at.String(), secrets); err != nil {
		t.Errorf("after the statements: %v", err)
	}
}

func TestAnInvalidDatabaseURLGivesAdvice(t *testing.T) {
	if _, err := makeDatabases(context.Background(), "host=db user=x", Secrets{}); !isAdvice(err) {
		t.Errorf("got %v", err)
	}
}
