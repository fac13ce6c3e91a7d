package postgres

import (
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"baari.dev/services/platform/fault"
)

// Code returns the SQLSTATE of err, "" if it is not an error of PostgreSQL.
func Code(err error) string {
	var rejected *pgconn.PgError
	if errors.As(err, &rejected) {
		return rejected.Code
	}
	return ""
}

// Violates reports whether err is a violation of the named unique constraint or index.
func Violates(err error, constraint string) bool {
	var rejected *pgconn.PgError
	return errors.As(err, &rejected) && rejected.Code == "23505" && rejected.ConstraintName == constraint
}

// Classify maps errors of the database to faults: fault.ErrBusy for a timeout in PostgreSQL or too many connections,
// fault.ErrUnavailable for a lost connection, an expired context or a failing server, and fault.ErrBadBody for text
// that PostgreSQL cannot store. It returns faults and all other errors unchanged.
func Classify(err error) error {
	var known *fault.Fault
	if err == nil || errors.As(err, &known) {
		return err
	}
	if code := Code(err); code != "" {
		return classifyCode(code, err)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	lost := errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
	if lost || pgconn.SafeToRetry(err) {
		return fault.ErrUnavailable.Because(err)
	}
	return err
}

// classifyCode maps the codes and classes of https://www.postgresql.org/docs/current/errcodes-appendix.html for which a
// retry, or another text, can succeed.
func classifyCode(code string, err error) error {
	switch code {
	case "55P03", "57014", "53300", "25P03": // timeouts of a lock, a statement or a transaction, and too many connections
		return fault.ErrBusy.Because(err)
	case "25006": // the server is read-only: it has become a standby
		return fault.ErrUnavailable.Because(err)
	case "22021", "22P05": // a NUL, or bytes that are not UTF-8
		return fault.ErrBadBody.Because(err)
	}
	switch code[:2] {
	case "08", "53", "57", "58": // connection, resources, operator, system
		return fault.ErrUnavailable.Because(err)
	}
	return err
}
