package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Operation is something that is done to an installation and whose age the audit service exports.
type Operation string

// The operations that are noted.
const (
	Copied   Operation = "backup"
	Restored Operation = "restore_drill"
)

const note = `UPDATE operations SET done_at = now() WHERE name = $1`

// undefinedTable is PostgreSQL's code for a table that does not exist.
const undefinedTable = "42P01"

// Note writes into audit's database, whose owner's address this is, that an operation is done now. A database that is
// older than the table has nowhere to note it; the next start makes the table, and the time counts from then.
func Note(ctx context.Context, owner string, done Operation) error {
	connection, err := pgx.Connect(ctx, owner)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	_, err = connection.Exec(ctx, note, done)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == undefinedTable {
		return nil
	}
	if err != nil {
		return fmt.Errorf("note the time of the %s: %w", done, err)
	}
	return nil
}
