package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// Provision creates the database and the two roles of a service: ownerURL names the database, its owner and the owner's
// password, appURL the application's role and its password. It keeps an existing database, and sets the passwords of
// existing roles. The role of adminURL needs CREATEROLE and CREATEDB. Provision waits at most a minute for a server
// that does not answer.
func Provision(ctx context.Context, adminURL, ownerURL, appURL string) error {
	admin, err := parse("the administrator's", adminURL)
	if err != nil {
		return err
	}
	owner, err := parse("the owner's", ownerURL)
	if err != nil {
		return err
	}
	app, err := parse("the application's", appURL)
	if err != nil {
		return err
	}
	var conn *pgx.Conn
	err = await(ctx, func(ctx context.Context) error {
		conn, err = pgx.ConnectConfig(ctx, admin)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return provision(ctx, conn, owner, app)
}

// provision holds a lock, because other services and replicas also create roles on the server.
func provision(ctx context.Context, conn *pgx.Conn, owner, app *pgx.ConnConfig) error {
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended('provision', 0))`); err != nil {
		return err
	}
	for _, step := range []struct {
		statement, exists, otherwise string // the SQL, the error code if the object exists, and the SQL for this case
		names                        []any
	}{
		{createRole, duplicateObject, alterRole, []any{owner.User, owner.Password}},
		{createRole, duplicateObject, alterRole, []any{app.User, app.Password}},
		{joinOwner, "", "", []any{owner.User}},
		{createDatabase, duplicateDatabase, "", []any{owner.Database, owner.User}},
		{closeDatabase, "", "", []any{owner.Database}},
		{openDatabase, "", "", []any{owner.Database, app.User}},
	} {
		err := execNamed(ctx, conn, step.statement, step.names...)
		if err != nil && Code(err) == step.exists {
			if err = nil; step.otherwise != "" {
				err = execNamed(ctx, conn, step.otherwise, step.names...)
			}
		}
		if err != nil {
			return fmt.Errorf("make the database %s and its roles: %w", owner.Database, err)
		}
	}
	return nil
}

// Names and passwords cannot be parameters of these statements, so the server quotes them first.
const (
	createRole     = `SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', $1::text, $2::text)`
	alterRole      = `SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', $1::text, $2::text)`
	joinOwner      = `SELECT format('GRANT %I TO CURRENT_USER', $1::text)`
	createDatabase = `SELECT format('CREATE DATABASE %I OWNER %I', $1::text, $2::text)`
	closeDatabase  = `SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', $1::text)`
	openDatabase   = `SELECT format('GRANT CONNECT ON DATABASE %I TO %I', $1::text, $2::text)`
)

// SQLSTATE codes for objects that exist already.
const (
	duplicateObject   = "42710"
	duplicateDatabase = "42P04"
)

func execNamed(ctx context.Context, conn *pgx.Conn, statement string, names ...any) error {
	var quoted string
	if err := conn.QueryRow(ctx, statement, names...).Scan(&quoted); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, quoted)
	return err
}

func parse(whose, address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err == nil {
		return config, nil
	}
	var broken *url.Error
	if errors.As(err, &broken) {
		err = broken.Err // the address is left out, since it holds a password
	}
	return nil, fmt.Errorf("read %s database address: %w", whose, err)
}
