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
)

// Services are the five services in the order in which they are started.
var Services = []string{"auth", "visits", "directory", "audit", "realtime"}

// databasesSQL makes one database and its roles. What the application role may do in it, the service's migrations grant.
//
//go:embed databases.sql
var databasesSQL string

// DatabaseURLs are the two ways into a service's database: the application role, which may not change its shape, and the owner, which may.
type DatabaseURLs struct{ App, Owner string }

// SQLSTATE codes of PostgreSQL.
const (
	duplicateRole     = "42710"
	duplicateDatabase = "42P04"
	notAllowed        = "42501"
)

// makeDatabases makes a database and two roles for each service and returns how to reach them.
// It returns Advice with the statements to run when the user of the admin URL may not make them.
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
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	for _, service := range Services {
		err := makeDatabase(ctx, connection, service, secrets.Databases[service])
		if hasCode(err, notAllowed) {
			return nil, advise("The user of DATABASE_URL may not make databases: have an administrator run these statements, then run this again.\n\n%s", script(secrets))
		}
		if err != nil {
			return nil, fmt.Errorf("database of %s: %w", service, err)
		}
	}
	return urls, nil
}

func makeDatabase(ctx context.Context, connection *pgx.Conn, service string, roles RoleSecret) error {
	for statement := range strings.SplitSeq(strings.TrimSpace(statements(service, roles)), "\n") {
		_, err := connection.Exec(ctx, statement)
		switch {
		case hasCode(err, duplicateDatabase):
		case hasCode(err, duplicateRole): // left by another data folder: from now on it has this one's password
			if _, err := connection.Exec(ctx, strings.Replace(statement, "CREATE ROLE", "ALTER ROLE", 1)); err != nil {
				return err
			}
		case err != nil:
			return err
		}
	}
	return nil
}

// script is everything that an administrator has to run, for psql.
func script(secrets Secrets) string {
	var all strings.Builder
	for _, service := range Services {
		all.WriteString(statements(service, secrets.Databases[service]))
	}
	return all.String()
}

// The role that may take values out of the audit trail, and nothing else; the owner's migration makes use of it.
const retentionSQL = `
CREATE ROLE audit_retention NOLOGIN;
GRANT audit_retention TO baari_audit_owner;
`

// statements make the database and the roles of one service, one a line.
func statements(service string, roles RoleSecret) string {
	text := fill(databasesSQL, service, roles)
	if service == "audit" {
		text = strings.TrimRight(text, "\n") + retentionSQL
	}
	return text
}

// fill puts names and passwords into statements that take no parameters in SQL. Both are the launcher's own: letters and digits.
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
	return DatabaseURLs{App: as("app", roles.App), Owner: as("owner", roles.Owner)}, nil
}

// canConnect tells whether every role reaches its database, so that nothing needs to be made.
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
	connection, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return connection.Close(ctx)
}

func hasCode(err error, code string) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && refusal.Code == code
}
