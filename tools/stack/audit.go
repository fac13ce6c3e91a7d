package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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
	return RunService(ctx, options, strings.NewReader(heads), out, "audit", "verify", "-anchors")
}

const selectAnchors = `SELECT n || ':' || encode(digest, 'hex') FROM audit_anchors ORDER BY n`

// keptAnchors returns the audit anchors stored in directory's database. A database from before the table was
// introduced has none.
func keptAnchors(ctx context.Context, options Options) ([]string, error) {
	base, done, err := options.servers(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	secrets, err := loadSecrets(filepath.Join(options.Data, "secrets.json"))
	if err != nil {
		return nil, err
	}
	at, err := databaseURLs(base.Postgres, "directory", secrets.Databases["directory"])
	if err != nil {
		return nil, err
	}
	connection, err := pgx.Connect(ctx, at.Owner)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	rows, err := connection.Query(ctx, selectAnchors)
	if err == nil {
		kept, failed := pgx.CollectRows(rows, pgx.RowTo[string])
		if err = failed; err == nil {
			return kept, nil
		}
	}
	const undefinedTable = "42P01"
	if hasCode(err, undefinedTable) {
		return nil, nil
	}
	return nil, errors.Join(errors.New("read the anchors that directory stores"), err)
}
