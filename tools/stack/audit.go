package stack

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// VerifyAudit verifies the audit trail of a data folder and prints one line. It also compares the trail with the
// anchors stored by the service directory and with the given ones, each N:DIGEST. It returns an error if the trail is
// not intact or cannot be verified. If the system of the folder does not run, PostgreSQL and Redis are started for it.
func VerifyAudit(ctx context.Context, options Options, out io.Writer, anchors ...string) error {
	base, done, err := options.servers(ctx)
	if err != nil {
		return err
	}
	defer done()
	secrets, err := loadSecrets(filepath.Join(options.Data, "secrets.json"))
	if err != nil {
		return err
	}
	if base.databases, err = makeDatabases(ctx, base.Postgres, secrets); err != nil {
		return err
	}
	kept, err := keptAnchors(ctx, base.databases["directory"].Owner)
	if err != nil {
		return err
	}
	program, err := BuildProgram(ctx, options, productPackage)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, "audit", "verify", "-anchors")
	cmd.Env = options.serviceEnv("audit", base, secrets)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(strings.Join(append(kept, anchors...), "\n")), out, out
	if err := Run(cmd); err != nil {
		return fmt.Errorf("audit verify: %w", err)
	}
	return nil
}

const selectAnchors = `SELECT n || ':' || encode(digest, 'hex') FROM audit_anchors ORDER BY n`

// keptAnchors returns the audit anchors stored in directory's database, or none if it has no table of them yet.
func keptAnchors(ctx context.Context, directory string) (kept []string, err error) {
	err = WithConnection(ctx, directory, func(connection *pgx.Conn) (err error) {
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
