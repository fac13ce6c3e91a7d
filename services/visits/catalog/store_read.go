package catalog

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/line"
)

// This file has the SQL with which transactions of other packages read the copy of directory.

const selectServices = `SELECT id::text, name FROM services WHERE id = ANY ($1::uuid[]) AND is_active`

// QueueServices queues a statement that adds the names of the active services with these ids to names.
func QueueServices(reads *pgx.Batch, ids []string, names map[string]string) {
	reads.Queue(selectServices, ids).Query(ReadNames(names))
}

// Consultants are locked FOR SHARE: a concurrent deactivation waits for the transaction, or the transaction sees the
// deactivation. lockConsultantsFree skips consultants whose rows are locked.
const (
	lockConsultantsAll  = `SELECT id, name FROM consultants WHERE id = ANY ($1::text[]) AND is_active FOR SHARE`
	lockConsultantsFree = lockConsultantsAll + ` SKIP LOCKED`
)

// QueueConsultants queues a statement that locks the active consultants with these ids and adds their names to names.
// If wait is false, consultants whose rows another transaction has locked are left out.
func QueueConsultants(reads *pgx.Batch, ids []string, names map[string]string, wait bool) {
	statement := lockConsultantsFree
	if wait {
		statement = lockConsultantsAll
	}
	reads.Queue(statement, ids).Query(ReadNames(names))
}

// ReadNames returns a function that reads rows of an id and a name and adds them to names.
func ReadNames(names map[string]string) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id, name string
		_, err := pgx.ForEachRow(rows, []any{&id, &name}, func() error {
			names[id] = name
			return nil
		})
		return err
	}
}

const selectPolicy = `SELECT coalesce(policy::text, '') FROM office`

// QueuePolicy queues a statement that reads the rules of the line into policy, if there is an office document.
func QueuePolicy(reads *pgx.Batch, policy *line.Policy) {
	reads.Queue(selectPolicy).Query(func(rows pgx.Rows) error {
		var stored string
		_, err := pgx.ForEachRow(rows, []any{&stored}, func() (err error) {
			*policy, err = PolicyOf(stored)
			return err
		})
		return err
	})
}

// Staff is an active consultant. Serves has the ids of the services that the consultant serves; empty means all.
type Staff struct {
	ID, Name string
	Serves   []string
}

const selectStaff = `
SELECT id, name, coalesce(serves, '{}')::text[] FROM consultants WHERE is_active ORDER BY id`

// QueueStaff queues a statement that appends the active consultants to staff.
func QueueStaff(reads *pgx.Batch, staff *[]Staff) {
	reads.Queue(selectStaff).Query(func(rows pgx.Rows) error {
		var one Staff
		_, err := pgx.ForEachRow(rows, []any{&one.ID, &one.Name, &one.Serves}, func() error {
			*staff = append(*staff, one)
			return nil
		})
		return err
	})
}

const selectClock = `
SELECT now(), (now() AT TIME ZONE $1)::timestamp, coalesce(max(` + Days + `::text), ''),
  coalesce(max(policy::text), '')
FROM office`

// Days is the expression for the stored days of table office. Without the column days, written by the previous release,
// they are the hours of the week alone.
const Days = `coalesce(days, CASE WHEN hours IS NOT NULL THEN jsonb_build_object('hours', hours) END)`

// Clock has the time, the office's opening hours and the rules of the line, read by one statement.
type Clock struct {
	Now    time.Time
	Local  time.Time // the office's local date and time, as if it were UTC
	Days   string    // stored days, for Closing and HoursOn; "" before they are known
	Policy line.Policy
}

// QueueClock queues a statement that reads the clock into c. zone is the IANA name of the office's time zone.
func QueueClock(reads *pgx.Batch, zone string, c *Clock) {
	reads.Queue(selectClock, zone).QueryRow(func(row pgx.Row) error {
		var stored string
		err := row.Scan(&c.Now, &c.Local, &c.Days, &stored)
		if err == nil {
			c.Policy, err = PolicyOf(stored)
		}
		return err
	})
}
