package bench

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/stack"
)

// archive is a system with visits today and in the past.
type archive struct {
	*system
	visits      int                  // in the past
	today       string               // the office's date
	connections map[string]*pgx.Conn // by service that stores visits
}

const (
	perDay   = 2500    // visits of a past day
	fillStep = 500_000 // visits that one transaction inserts

	// Today's visits: the first are approved, the next denied, the others undecided.
	todaysVisits   = 200
	todaysApproved = 60
	todaysDenied   = 20
)

// openArchive starts a system, registers today's visitors and inserts past visits with SQL, as the services would have
// stored them: publishing their events would take hours.
func openArchive(ctx context.Context, options stack.Options, visits int) (a *archive, err error) {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return nil, err
	}
	a = &archive{system: system, visits: visits, connections: map[string]*pgx.Conn{}}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	if err := a.openToday(ctx); err != nil {
		return nil, err
	}
	for _, service := range []string{"visits", "directory", "audit"} {
		if a.connections[service], err = pgx.Connect(ctx, a.Database(service)); err != nil {
			return nil, fmt.Errorf("the database of %s: %w", service, err)
		}
	}
	values := pgx.NamedArgs{"today": a.today, "service": a.Service, "consultant": a.Consultant, "day": perDay}
	return a, options.Progress.Step(fmt.Sprintf("inserting %d visits", visits), func() error {
		return a.fill(ctx, values, options.Progress)
	})
}

func (a *archive) close() {
	for _, connection := range a.connections {
		if connection != nil {
			_ = connection.Close(context.Background())
		}
	}
	a.Stop()
}

// openToday registers and decides today's visits through the API.
func (a *archive) openToday(ctx context.Context) error {
	for n := range todaysVisits {
		visitor := a.Visitor()
		visitor["phone"] = fmt.Sprintf("97%08d", n)
		made, err := a.Register(ctx, visitor)
		if err != nil {
			return err
		}
		a.today = made.Day
		switch {
		case n < todaysApproved:
			err = a.Change(ctx, "pa", made.ID, "approved")
		case n < todaysApproved+todaysDenied:
			err = a.Change(ctx, "pa", made.ID, "denied")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// daysAgo returns the date this many days before today.
func (a *archive) daysAgo(days int) string {
	today, _ := time.Parse(time.DateOnly, a.today) // the service wrote it
	return today.AddDate(0, 0, -days).Format(time.DateOnly)
}

// fill inserts the past visits, the newest first.
func (a *archive) fill(ctx context.Context, values pgx.NamedArgs, progress *stack.Progress) error {
	if err := a.durable(ctx, false); err != nil {
		return err
	}
	began := time.Now()
	for from := 1; from <= a.visits; from += fillStep {
		to := min(from+fillStep-1, a.visits)
		step := maps.Clone(values)
		step["from"], step["to"] = from, to
		step["first"], step["last"] = a.daysAgo(1+(to-1)/perDay), a.daysAgo(1+(from-1)/perDay)
		filling, fillCtx := errgroup.WithContext(ctx)
		filling.SetLimit(2)
		for service, connection := range a.connections {
			filling.Go(func() error { return fillStepOf(fillCtx, service, connection, step) })
		}
		if err := filling.Wait(); err != nil {
			return err
		}
		progress.Printf("%d visits after %s", to, time.Since(began).Round(time.Second))
	}
	for service, connection := range a.connections {
		if _, err := connection.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
			return fmt.Errorf("%s: %w", service, err)
		}
	}
	return a.durable(ctx, true)
}

// fillStepOf inserts one step into the database of a service, in one transaction.
func fillStepOf(ctx context.Context, service string, connection *pgx.Conn, values pgx.NamedArgs) error {
	text := strings.ReplaceAll(statement("fill_"+service), "{past}", "("+statement("past")+")")
	err := pgx.BeginFunc(ctx, connection, func(tx pgx.Tx) error {
		for _, one := range strings.Split(text, ";\n") {
			if _, err := tx.Exec(ctx, one, values); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("visits %d to %d of %s: %w", values["from"], values["to"], service, err)
	}
	return nil
}

// durable turns PostgreSQL's protection against a power failure off while the past is inserted, and on again before
// the measurements.
func (a *archive) durable(ctx context.Context, on bool) error {
	statements := []string{
		"ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "ALTER SYSTEM SET max_wal_size = '4GB'",
		"SELECT pg_reload_conf()",
	}
	if on {
		statements = []string{
			"ALTER SYSTEM RESET fsync", "ALTER SYSTEM RESET full_page_writes", "ALTER SYSTEM RESET max_wal_size",
			"SELECT pg_reload_conf()", "CHECKPOINT",
		}
	}
	for _, one := range statements {
		if _, err := a.connections["visits"].Exec(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// size returns the size of all databases in bytes.
func (a *archive) size(ctx context.Context) (bytes float64, err error) {
	err = a.connections["visits"].QueryRow(ctx,
		`SELECT sum(pg_database_size(datname))::float8 FROM pg_database`).Scan(&bytes)
	return bytes, err
}
