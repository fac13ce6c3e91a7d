package system

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"baari.dev/tools/stack"
)

// The application role of a service can change rows, but not the schema, and it cannot create roles.
func TestNoServiceCanChangeItsSchema(t *testing.T) {
	for _, service := range stack.Services {
		into(t, running.Roles(service).App, func(connection *pgx.Conn) error {
			for _, statement := range []string{
				"CREATE TABLE planted (a int)", "CREATE TEMP TABLE planted (a int)", "CREATE SCHEMA planted",
				"ALTER TABLE outbox ADD planted int",
				"DROP TABLE outbox", "TRUNCATE outbox", "ALTER TABLE outbox DISABLE ROW LEVEL SECURITY",
				"CREATE INDEX planted ON outbox (id)", "ALTER TABLE outbox DISABLE TRIGGER ALL",
				"CREATE FUNCTION planted() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE EXTENSION dblink",
				"CREATE ROLE planted",
				"CREATE DATABASE planted", "ALTER ROLE CURRENT_USER SUPERUSER", "SET ROLE baari_" + service + "_owner",
				"COPY outbox TO PROGRAM 'true'", "SET session_replication_role = replica",
			} {
				// ASVS 13.2.2
				mustBeDenied(t, connection, service, statement)
			}
			return nil
		})
	}
}

// The roles of audit and visits can change no row of the trail or the access log, and can delete no row of the trail.
func TestNoServiceCanChangeRecordedEvents(t *testing.T) {
	for service, tables := range map[string][]string{
		"audit": {"audit_records", "chain_anchors"}, "visits": {"access_log"},
	} {
		into(t, running.Roles(service).App, func(connection *pgx.Conn) error {
			for _, table := range tables {
				column := lastColumn(t, connection, table)
				mustBeDenied(t, connection, service, "UPDATE "+table+" SET "+column+" = "+column)
				// ASVS 16.4.2
				mustBeDenied(t, connection, service, "TRUNCATE "+table)
				if table != "access_log" {
					mustBeDenied(t, connection, service, "DELETE FROM "+table)
				}
			}
			return nil
		})
	}
}

func TestTheAccessLogOfAYearCannotBeRemoved(t *testing.T) {
	o := newOffice(t, ways(running)[1])
	o.way.must(t, o.shared["reception"][0], "POST", "/api/visits/lookup", object{"phone": "9845012345"}, nil)
	into(t, running.Roles("visits").App, func(connection *pgx.Conn) error {
		var lines int64
		if err := connection.QueryRow(t.Context(), "SELECT count(*) FROM access_log").Scan(&lines); err != nil || lines == 0 {
			t.Errorf("%d lines, %v", lines, err)
		}
		removed, err := connection.Exec(t.Context(), "DELETE FROM access_log")
		// ASVS 16.4.2
		if removed.RowsAffected() > 0 {
			t.Errorf("%d of %d lines are gone", removed.RowsAffected(), lines)
		}
		return err
	})
}

func lastColumn(t *testing.T, connection *pgx.Conn, table string) (name string) {
	t.Helper()
	const last = `SELECT column_name FROM information_schema.columns
		WHERE table_name = $1 ORDER BY ordinal_position DESC LIMIT 1`
	if err := connection.QueryRow(context.Background(), last, table).Scan(&name); err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	return name
}

func TestNoServiceCanConnectToTheDatabaseOfAnother(t *testing.T) {
	for _, service := range stack.Services {
		for _, other := range stack.Services {
			address := strings.Replace(running.Roles(service).App, "/baari_"+service, "/baari_"+other, 1)
			connection, err := pgx.Connect(context.Background(), address)
			if err == nil {
				_ = connection.Close(context.Background())
			}
			// ASVS 13.2.2
			if (err == nil) != (service == other) {
				t.Errorf("%s in the database of %s: %v", service, other, err)
			}
		}
	}
}

// denied are the SQLSTATE codes insufficient_privilege and feature_not_supported.
var denied = []string{"42501", "0A000"}

func mustBeDenied(t *testing.T, connection *pgx.Conn, service, statement string) {
	t.Helper()
	_, err := connection.Exec(context.Background(), statement)
	var rejection *pgconn.PgError
	if !errors.As(err, &rejection) || !slices.Contains(denied, rejection.Code) {
		t.Errorf("%s: %s: %v, want insufficient_privilege", service, statement, err)
	}
}
