package audit

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/process"
)

// Exit statuses of VerifyCommand, and the help of its flags.
const (
	exitWhole   = 0
	exitBroken  = 1
	exitUnknown = 2
	anchorsHelp = "a head from the log, N:DIGEST; may be repeated"
	readHelp    = "read more heads from standard input, one N:DIGEST per line"
)

// VerifyCommand checks the trail in DATABASE_URL with AUDIT_KEY, without the service, and prints the result in one
// line. It returns the exit status: 0 if the trail is whole, 1 if it is broken, 2 if it could not be checked.
func VerifyCommand(args []string, in io.Reader, out, errs io.Writer) int {
	var c struct {
		DatabaseURL string      `env:"DATABASE_URL,required"`
		AuditKey    process.Key `env:"AUDIT_KEY,required"`
	}
	var anchors anchorList
	flags := flag.NewFlagSet("audit verify", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Var(&anchors, "anchor", anchorsHelp)
	more := flags.Bool("anchors", false, readHelp)
	if err := flags.Parse(args); err != nil {
		return exitUnknown
	}
	if *more {
		if err := anchors.read(in); err != nil {
			fmt.Fprintln(errs, "The heads cannot be read:", err)
			return exitUnknown
		}
	}
	if err := process.OSEnvironment().Read(&c); err != nil {
		fmt.Fprintln(errs, "audit verify cannot start:", err)
		return exitUnknown
	}
	ctx := context.Background()
	address, err := pgx.ParseConfig(c.DatabaseURL)
	if err != nil {
		fmt.Fprintln(errs, "DATABASE_URL is no address of a PostgreSQL database.")
		return exitUnknown
	}
	address.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // a pooler shares sessions among clients
	conn, err := pgx.ConnectConfig(ctx, address)
	if err != nil {
		fmt.Fprintln(errs, "The database cannot be reached:", err)
		return exitUnknown
	}
	defer func() { _ = conn.Close(ctx) }()
	return report(ctx, conn, c.AuditKey, anchors, out, errs)
}

func report(ctx context.Context, conn *pgx.Conn, key process.Key, anchors anchorList, out, errs io.Writer) int {
	result, err := Verify(ctx, conn, chain.Key(key), anchors...)
	var bad *chain.BadError
	switch {
	case errors.As(err, &bad):
		fmt.Fprintf(out, "The audit trail is broken at record %d: %s.\n", bad.N, bad.Reason)
		return exitBroken
	case err != nil:
		fmt.Fprintln(errs, "The audit trail could not be read:", err)
		return exitUnknown
	}
	fmt.Fprintf(out, "The audit trail is whole: %d records, %d of them erased, head %s.\n",
		result.Head.N, result.Redacted, result.Head.Digest)
	return exitWhole
}

// anchorList is a list of heads that is read from texts of the form N:DIGEST.
type anchorList []chain.Head

// read adds the heads that the text contains, one per line. It returns an error for a line that is not a head.
func (l *anchorList) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := l.Set(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// String implements flag.Value.
func (l *anchorList) String() string { return fmt.Sprint(len(*l), " anchors") }

// Set implements flag.Value.
func (l *anchorList) Set(text string) error {
	number, digest, _ := strings.Cut(text, ":")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 {
		return errors.New("an anchor is N:DIGEST")
	}
	raw, err := hex.DecodeString(digest)
	if err != nil || len(raw) != chain.Size {
		return errors.New("a digest has 64 hexadecimal digits")
	}
	*l = append(*l, chain.Head{N: n, Digest: chain.Digest(raw)})
	return nil
}
