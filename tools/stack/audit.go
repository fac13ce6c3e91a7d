package stack

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
)

// VerifyAudit verifies the audit trail of a data folder, also against the anchors that directory stores and the
// given ones, each N:DIGEST, and prints one line. It returns an error if the trail is not intact or cannot be
// verified.
func VerifyAudit(ctx context.Context, options Options, out io.Writer, anchors ...string) error {
	kept, err := keptAnchors(ctx, options)
	if err != nil {
		return err
	}
	heads := strings.Join(append(kept, anchors...), "\n")
	return runAlone(ctx, options, strings.NewReader(heads), out, "audit", "audit", "verify", "-anchors")
}

const selectAnchors = `SELECT n || ':' || encode(digest, 'hex') FROM audit_anchors ORDER BY n`

// keptAnchors returns the audit anchors stored in directory's database. A database from before the table was
// introduced has none.
func keptAnchors(ctx context.Context, options Options) (kept []string, err error) {
	base, done, err := options.servers(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	at, err := options.database(base.Postgres, "directory")
	if err != nil {
		return nil, err
	}
	err = WithConnection(ctx, at.Owner, func(connection *pgx.Conn) (err error) {
		rows, _ := connection.Query(ctx, selectAnchors) // CollectRows returns the error
		kept, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	const undefinedTable = "42P01"
	if err != nil && !hasCode(err, undefinedTable) {
		return nil, fmt.Errorf("read the anchors that directory stores: %w", err)
	}
	return kept, nil
}
