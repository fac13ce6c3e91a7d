package catalog

import (
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/visits/line"
)

// The SQL that reads the projection of directory for transactions of other packages.

const selectServices = `SELECT id::text, name FROM services WHERE id = ANY ($1::uuid[]) AND is_active`

// QueueServices queues the read of the names of active services.
func QueueServices(reads *pgx.Batch, ids []string, names map[string]string) {
	reads.Queue(selectServices, ids).Query(ReadNames(names))
}

// Consultants are locked FOR SHARE, so that a concurrent deactivation waits for the decision, or the decision reads its
// result. lockConsultantsFree skips those that another transaction is changing.
const (
	lockConsultantsAll  = `SELECT id, name FROM consultants WHERE id = ANY ($1::text[]) AND is_active FOR SHARE`
	lockConsultantsFree = lockConsultantsAll + ` SKIP LOCKED`
)

// QueueConsultants queues the lock of active consultants, and the read of their names. Without wait, those that another
// transaction is changing are left out.
func QueueConsultants(reads *pgx.Batch, ids []string, names map[string]string, wait bool) {
	statement := lockConsultantsFree
	if wait {
		statement = lockConsultantsAll
	}
	reads.Queue(statement, ids).Query(ReadNames(names))
}

// ReadNames reads rows of an id and a name.
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

// QueuePolicy queues the read of the rules of the line. Without an office document they are unchanged.
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

// Staff is an active consultant. Serves are ids of services; empty: all.
type Staff struct {
	ID, Name string
	Serves   []string
}

const selectStaff = `
SELECT id, name, coalesce(serves, '{}')::text[] FROM consultants WHERE is_active ORDER BY id`

// QueueStaff queues the read of the active consultants.
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
SELECT now(), (now() AT TIME ZONE $1)::timestamp, coalesce(max(hours::text), ''), coalesce(max(policy::text), '')
FROM office`

// Clock has the time, and the office's hours.
type Clock struct {
	Now    time.Time
	Local  time.Time // the office's day and time of day, as a time in UTC
	Hours  string    // stored opening hours, "" before they are known
	Policy line.Policy
}

// QueueClock queues the read of the clock. zone is the IANA name of the office's time zone.
func QueueClock(reads *pgx.Batch, zone string, c *Clock) {
	reads.Queue(selectClock, zone).QueryRow(func(row pgx.Row) error {
		var stored string
		err := row.Scan(&c.Now, &c.Local, &c.Hours, &stored)
		if err == nil {
			c.Policy, err = PolicyOf(stored)
		}
		return err
	})
}
