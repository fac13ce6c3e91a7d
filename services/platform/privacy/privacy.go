// Package privacy has what services share to protect personal data: the access log and its retention, the erasure of
// personal data in rows and their events, and the parts of a breach report. A service owns its rows, its table
// access_log and its routes; this package owns no table.
//
// Start with Erase, then Disclosure. Lines and UserSets serve reports over millions of rows.
package privacy

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

// Operator is the user id and the role in an access log for requests from the command line.
const Operator = "operator"

// EraseBatch is the largest number of rows that visits and directory erase in one transaction.
const EraseBatch = 200

// Erase runs one erasure in a transaction. update erases rows and returns the change of each. values is an object whose
// members overwrite the same members in the rows' stored events. Then the changes are appended. Erase returns the ids
// of the erased rows, none when update returned no change. Errors are classified by postgres.Classify.
func Erase(
	ctx context.Context, o *outbox.Outbox, values any, update func(pgx.Tx) ([]outbox.Change, error),
) (ids []string, err error) {
	err = o.InTx(ctx, func(tx pgx.Tx) (err error) {
		ids, err = EraseIn(ctx, tx, values, update)
		return err
	})
	return ids, postgres.Classify(err)
}

// EraseIn is Erase in a transaction of the caller. It does not classify errors.
func EraseIn(
	ctx context.Context, tx pgx.Tx, values any, update func(pgx.Tx) ([]outbox.Change, error),
) ([]string, error) {
	changes, err := update(tx)
	ids := make([]string, len(changes))
	if err != nil || len(changes) == 0 {
		return ids, err
	}
	for i, change := range changes {
		ids[i] = change.EntityID
	}
	if err := outbox.Redact(ctx, tx, changes[0].Entity, ids, values); err != nil {
		return ids, err
	}
	return ids, outbox.Append(ctx, tx, changes...)
}

// Erased is the answer of an erasure: the ids of the erased rows.
type Erased struct {
	Erased []string `json:"erased"`
}

// EraseAll calls erase, which erases a batch and returns its ids, until nothing is left. On an error it returns the ids
// that were erased before.
func EraseAll(erase func() ([]string, error)) (Erased, error) {
	all := Erased{Erased: []string{}}
	for {
		ids, err := erase()
		if err != nil || len(ids) == 0 {
			return all, err
		}
		all.Erased = append(all.Erased, ids...)
	}
}

// Disclosure is one entry of an access log: a user received personal data by an API call.
type Disclosure struct {
	At     wire.Time `json:"at"`
	UserID string    `json:"userId"`
	Role   string    `json:"role"`
	Call   string    `json:"call"`
}

// ScanDisclosure reads a row with the columns "at", "user_id", "role" and "call". It is a pgx.RowToFunc.
func ScanDisclosure(row pgx.CollectableRow) (d Disclosure, err error) {
	err = row.Scan((*time.Time)(&d.At), &d.UserID, &d.Role, &d.Call)
	return d, err
}

const deleteAccess = `DELETE FROM access_log WHERE at < $1`

// ForgetAccess returns the retention task that deletes old rows of the service's table access_log.
func ForgetAccess(pool *pgxpool.Pool) retention.Task {
	return retention.Task{Name: "access_log", Erase: func(ctx context.Context, before time.Time) (int64, error) {
		tag, err := pool.Exec(ctx, deleteAccess, before)
		return tag.RowsAffected(), postgres.Classify(err)
	}}
}

// Use counts one user's accesses to personal data by one API call on one day of the office.
type Use struct {
	Day     string `json:"day"`
	UserID  string `json:"userId"`
	Role    string `json:"role"`
	Call    string `json:"call"`
	Times   int    `json:"times"`
	Records int    `json:"records"` // number of visits, appointment requests or rows read
}

// Uses is the answer of the internal route /internal/uses.
type Uses struct {
	Uses []Use `json:"uses"`
}

// Asked is the part of an internal request for a person's data that names the member of staff who asked. An export
// without these fields is logged as the operator's.
type Asked struct {
	Call string `json:"call"`
	By   *struct {
		ID   string `json:"id"`
		Role string `json:"role"`
	} `json:"by"`
}

// Entry returns what the access log records.
func (a Asked) Entry() (call, userID, role string) {
	call, userID, role = cmp.Or(a.Call, "subject_export"), Operator, Operator
	if a.By != nil {
		userID, role = a.By.ID, a.By.Role
	}
	return call, userID, role
}

// Period is the first and the last of the office's days that a report covers, as YYYY-MM-DD.
type Period struct {
	From string `json:"from"`
	To   string `json:"to"`
}

var daysWrong = fault.NewMessage(fault.CodeInvalidDate, "Please enter the days as YYYY-MM-DD")

// Check returns a fault of the field "from" unless both days are valid.
func (p Period) Check() error {
	for _, day := range []string{p.From, p.To} {
		if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
			return fault.Field("from", daysWrong)
		}
	}
	return nil
}

// ReadPeriod reads a request that is, or embeds, a Period, and checks it.
func ReadPeriod[R interface{ Check() error }](r *http.Request) (req R, err error) {
	if err := wire.Read(r, &req); err != nil {
		return req, err
	}
	return req, req.Check()
}
