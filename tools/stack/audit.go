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

// VerifyAudit walks the audit trail of a data folder and says in one line whether it is whole, also held against the heads that directory
// keeps and those given, each N:DIGEST. The error tells that it is not, or that it cannot be told.
func VerifyAudit(ctx context.Context, options Options, out io.Writer, anchors ...string) error {
	kept, err := keptAnchors(ctx, options)
	if err != nil {
		return err
	}
	heads := strings.Join(append(kept, anchors...), "\n")
	return RunService(ctx, options, strings.NewReader(heads), out, "audit", "verify", "-anchors")
}

const selectAnchors = `SELECT n || ':' || encode(digest, 'hex') FROM audit_anchors ORDER BY n`

// keptAnchors are the heads of the audit trail in directory's database. One that is older than its table has none.
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
	return nil, errors.Join(errors.New("read the heads that directory keeps"), err)
}
