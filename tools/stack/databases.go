package stack

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"baari.dev/services/contract/registry"
)

// Services are the names of the services, in the order of the registry.
var Services = registry.Names()

// databasesSQL creates one database and its roles. The service's migrations grant privileges in it to the
// application role.
//
//go:embed databases.sql
var databasesSQL string

// DatabaseURLs are the URLs of a service's database for three roles: App, with which the service runs, Owner, who may
// change the schema, and Admin, the administrator of the server.
type DatabaseURLs struct{ App, Owner, Admin string }

// SQLSTATE codes of PostgreSQL.
const (
	duplicateRole     = "42710"
	duplicateDatabase = "42P04"
	notAllowed        = "42501"
)

// makeDatabases creates a database and two roles for each service and returns their URLs. If the admin user lacks
// the privileges, it returns Advice with the SQL for an administrator.
func makeDatabases(ctx context.Context, admin string, secrets Secrets) (map[string]DatabaseURLs, error) {
	urls := map[string]DatabaseURLs{}
	for _, service := range Services {
		roles, err := databaseURLs(admin, service, secrets.Databases[service])
		if err != nil {
			return nil, err
		}
		urls[service] = roles
	}
	if canConnect(ctx, urls) {
		return urls, nil
	}
	return urls, WithConnection(ctx, admin, func(connection *pgx.Conn) error {
		for _, service := range Services {
			err := makeDatabase(ctx, connection, service, secrets.Databases[service])
			if hasCode(err, notAllowed) {
				return advise("The user of DATABASE_URL may not create databases: have an administrator run these "+
					"statements, then run this again.\n\n%s", script(secrets))
			}
			if err != nil {
				return fmt.Errorf("database of %s: %w", service, err)
			}
		}
		return nil
	})
}

// WithConnection connects to a database and calls f.
func WithConnection(ctx context.Context, address string, f func(*pgx.Conn) error) error {
	connection, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	return f(connection)
}

func makeDatabase(ctx context.Context, connection *pgx.Conn, service string, roles RoleSecret) error {
	for statement := range strings.SplitSeq(strings.TrimSpace(statements(service, roles)), "\n") {
		_, err := connection.Exec(ctx, statement)
		switch {
		case hasCode(err, duplicateDatabase):
		case hasCode(err, duplicateRole): // created for another data folder: ALTER ROLE sets the new password
			if _, err := connection.Exec(ctx, strings.Replace(statement, "CREATE ROLE", "ALTER ROLE", 1)); err != nil {
				return err
			}
		case err != nil:
			return err
		}
	}
	return nil
}

// script returns all SQL that an administrator has to run, for psql.
func script(secrets Secrets) string {
	var all strings.Builder
	for _, service := range Services {
		all.WriteString(statements(service, secrets.Databases[service]))
	}
	return all.String()
}

// The role audit_retention may remove values from the audit trail, and nothing else. The owner's migrations use it.
const retentionSQL = `
CREATE ROLE audit_retention NOLOGIN;
GRANT audit_retention TO baari_audit_owner;
`

// statements returns the SQL that creates the database and the roles of one service, one statement per line.
func statements(service string, roles RoleSecret) string {
	text := fill(databasesSQL, service, roles)
	if service == "audit" {
		text = strings.TrimRight(text, "\n") + retentionSQL
	}
	return text
}

// fill inserts names and passwords into SQL statements that allow no parameters. This is safe, because both consist of
// letters and digits.
func fill(statements, service string, roles RoleSecret) string {
	return strings.NewReplacer("{service}", service, "{owner}", roles.Owner, "{app}", roles.App).Replace(statements)
}

func databaseURLs(admin, service string, roles RoleSecret) (DatabaseURLs, error) {
	at, err := url.Parse(admin)
	if err != nil || at.Host == "" {
		return DatabaseURLs{}, advise("DATABASE_URL is not an address like postgres://user:password@host:5432/postgres.")
	}
	at.Path = "/baari_" + service
	as := func(role, password string) string {
		address := *at
		address.User = url.UserPassword("baari_"+service+"_"+role, password)
		return address.String()
	}
	return DatabaseURLs{App: as("app", roles.App), Owner: as("owner", roles.Owner), Admin: at.String()}, nil
}

// canConnect reports whether every role can connect to its database, in which case nothing has to be created.
func canConnect(ctx context.Context, urls map[string]DatabaseURLs) bool {
	group, ctx := errgroup.WithContext(ctx)
	for _, database := range urls {
		for _, address := range []string{database.App, database.Owner} {
			group.Go(func() error { return pingPostgres(ctx, address) })
		}
	}
	return group.Wait() == nil
}

func pingPostgres(ctx context.Context, address string) error {
	return WithConnection(ctx, address, func(*pgx.Conn) error { return nil })
}

func hasCode(err error, code string) bool {
	var rejection *pgconn.PgError
	return errors.As(err, &rejection) && rejection.Code == code
}
