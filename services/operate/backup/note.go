package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Operation is an operator's action. Audit exports the ages of the last backup and of the last restore drill.
type Operation string

// The operations, by their names in audit's table "operations".
const (
	Copied   Operation = "backup"
	Restored Operation = "restore_drill"
)

const note = `UPDATE operations SET done_at = now() WHERE name = $1`

// undefinedTable is PostgreSQL's SQLSTATE for a table that does not exist.
const undefinedTable = "42P01"

// Note records in audit's database that an operation is done now. owner is the address of a role that may change the
// table. In an old database without the table it does nothing: audit's next start creates the table, and the age counts
// from then.
func Note(ctx context.Context, owner string, done Operation) error {
	connection, err := pgx.Connect(ctx, owner)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	_, err = connection.Exec(ctx, note, done)
	var rejected *pgconn.PgError
	if errors.As(err, &rejected) && rejected.Code == undefinedTable {
		return nil
	}
	if err != nil {
		return fmt.Errorf("record the time of the %s: %w", done, err)
	}
	return nil
}
