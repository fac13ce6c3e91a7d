package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/operate/backup"
	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// Sizes and limits of the restore drill, which is test T25 of services/docs/gates.md.
const (
	drillVisits   = 1_000_000
	drillLimit    = 10 * time.Minute // limit from the start of the restore until the trail is complete
	drillWork     = 10 * time.Second // duration of the load before the backup, after it, and after the restore
	drillPerDay   = 2500
	drillCaughtUp = 2 * time.Hour // limit for the trail to contain every added visit
)

// drillPromises are the invariants that must hold in the restored office, although changes after the backup are lost.
var drillPromises = []string{"I1", "I5", "I8", "I9", "I10", "I14"}

// DrillReport is the outcome of a restore drill.
type DrillReport struct {
	Visits     int64
	Records    int
	Size       int64 // bytes of the backup
	BackedUp   time.Duration
	Unpacked   time.Duration
	Back       time.Duration // time from the start of the restore until the office can work
	Caught     time.Duration // time from the start of the restore until the trail had the new epoch
	Dashboards int
	Reset      int // dashboards that received a reset
	NewEpoch   bool
	Violations []checker.Violation
	Load       string
}

// Valid reports whether the trail had the new epoch in time, every dashboard got a reset, and drillPromises hold.
func (d *DrillReport) Valid() bool {
	return d.NewEpoch && d.Reset == d.Dashboards && d.Caught <= drillLimit && len(d.Violations) == 0
}

// Print writes the report as text.
func (d *DrillReport) Print(w io.Writer) {
	outcome := "VALID: " + fmt.Sprint(drillPromises) + " hold"
	if !d.Valid() {
		outcome = "INVALID"
	}
	const digits = 100 * time.Millisecond
	printOutcome(w, [][2]string{
		{"visits", fmt.Sprintf("%d, with %d audit records; load at the start %s", d.Visits, d.Records, d.Load)},
		{"backup", fmt.Sprintf("%d MiB in %s, under load", d.Size>>20, d.BackedUp.Round(digits))},
		{"restore", fmt.Sprintf("unpacked in %s, ready after %s, the trail complete after %s, limit %s",
			d.Unpacked.Round(digits), d.Back.Round(digits), d.Caught.Round(time.Second), drillLimit)},
		{"new epoch", fmt.Sprintf("%t; %d of %d dashboards received a reset", d.NewEpoch, d.Reset, d.Dashboards)},
	}, d.Violations, outcome)
}

// Drill adds past visits to an office, backs it up under load, stops it, restores the backup on another port and
// continues the load and the dashboards there. visits is the number of past visits; 0 means a million.
func Drill(ctx context.Context, options Options, visits int64) (*DrillReport, error) {
	if visits == 0 {
		visits = drillVisits
	}
	d := &drill{run: newRun(options), report: &DrillReport{Load: machine.Load()}}
	err := d.withRecordedSystem(ctx, func() error { return d.perform(ctx, visits) })
	return d.report, err
}

type drill struct {
	*run
	report *DrillReport
	begun  time.Time // start of the restore
}

func (d *drill) perform(ctx context.Context, visits int64) error {
	o, err := d.open(ctx)
	if err != nil {
		return err
	}
	if err := d.fill(ctx, o, visits); err != nil {
		return fmt.Errorf("fill the office: %w", err)
	}
	screens := d.screens(o, 40)
	d.report.Dashboards = len(screens)
	closeScreens := concurrently(ctx, screens, (*dashboard).run)
	defer closeScreens()
	d.employ(ctx, o)
	before, err := d.positionOf(ctx, "visits")
	if err != nil {
		return err
	}
	file := filepath.Join(d.options.Data, "..", filepath.Base(d.options.Data)+"-backup.tar.gz")
	defer func() { _ = os.Remove(file) }()
	begin := d.history.now() // the backup contains everything acknowledged before this time
	if err := d.backup(ctx, file); err != nil {
		return err
	}
	d.employ(ctx, o) // this work will be lost
	d.fetch.SetLimit(1e6)
	if err := d.restore(ctx, o, screens, file); err != nil {
		return err
	}
	d.undone = append(d.undone, checker.Window{Fault: "restore", Start: begin, End: d.history.now()})
	d.employ(ctx, o)
	if err := d.awaitNewTrail(ctx); err != nil {
		return err
	}
	settle(ctx, screens)
	evidence, err := d.evidence(ctx, o, screens)
	if err != nil {
		return err
	}
	d.judge(evidence, before.Epoch)
	return ctx.Err()
}

func (d *drill) employ(ctx context.Context, c *crew) {
	stop := c.work(ctx)
	sleep(ctx, drillWork)
	stop()
}

// folder returns the options of a command that uses the data folder.
func (d *drill) folder() stack.Options {
	return stack.Options{Root: d.options.Root, Data: d.options.Data, Progress: d.options.Progress}
}

func (d *drill) backup(ctx context.Context, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	began := time.Now()
	_, err = backup.Write(ctx, d.system.Postgres(), d.options.Data, file)
	d.report.BackedUp = time.Since(began)
	if info, failed := file.Stat(); failed == nil {
		d.report.Size = info.Size()
	}
	return errors.Join(err, file.Close())
}

// restore stops the system, restores the backup in another folder and on another port, and directs all clients there.
// It measures the time from the stop until the system works again.
func (d *drill) restore(ctx context.Context, c *crew, screens []*dashboard, path string) error {
	d.system.Stop()
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	d.begun = time.Now()
	d.options.Data += "-restored"
	if err := os.RemoveAll(d.options.Data); err != nil {
		return err
	}
	err = stack.Restore(ctx, d.folder(), func() error { return backup.Read(ctx, file, d.options.Data) })
	if err != nil {
		return err
	}
	d.report.Unpacked = time.Since(d.begun)
	d.links.Close()
	d.run.links = linksOf()
	_ = d.redis.Close()
	d.kept = true
	if err := d.start(ctx); err != nil {
		return err
	}
	d.report.Back = time.Since(d.begun)
	c.admin.Base = d.base
	for _, person := range append(slices.Clone(c.robots), c.spare) {
		person.move(d.base)
	}
	for _, s := range screens {
		s.person.move(d.base)
	}
	return nil
}

func (d *drill) judge(e *checker.Evidence, epoch string) {
	d.report.Visits, d.report.Records = int64(len(e.Visits)), len(e.Records)
	d.report.NewEpoch = e.Epoch != epoch
	for _, screen := range e.Dashboards {
		isReset := func(f checker.Frame) bool { return f.Type == checker.Reset && f.Epoch == e.Epoch }
		if slices.ContainsFunc(screen.Frames, isReset) {
			d.report.Reset++
		}
	}
	d.report.Violations = slices.DeleteFunc(checker.Check(e), func(v checker.Violation) bool {
		return !slices.Contains(drillPromises, v.Invariant)
	})
}

// fill creates one denied visit and copies its rows to earlier days. Audit builds its trail from the events.
func (d *drill) fill(ctx context.Context, c *crew, visits int64) error {
	reception, pa := c.firstOf("reception"), c.firstOf("pa")
	made := reception.create(ctx, c)
	denied := pa.deny(ctx, checker.Op{Visit: made.Visit})
	if made.Outcome != checker.OK || denied.Outcome != checker.OK {
		return errors.New("the visit to copy could not be created")
	}
	values := pgx.NamedArgs{"visits": visits, "pattern": made.Visit, "day": drillPerDay}
	return d.options.Progress.Step(fmt.Sprintf("adding %d visits", visits), func() error {
		err := d.system.WithDatabase(ctx, "visits", func(connection *pgx.Conn) error {
			for _, statement := range []string{fillPlan, fillVisits, fillCounter, fillOutbox} {
				if _, err := connection.Exec(ctx, statement, values); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		at, err := d.positionOf(ctx, "visits")
		if err != nil {
			return err
		}
		return d.awaitTrail(ctx, at.Epoch, 2*visits)
	})
}

const (
	fillPlan = `
CREATE TEMPORARY TABLE past AS
SELECT gen_random_uuid() AS id, v.office_day - 1 - ((g - 1) / @day)::integer AS day,
  ((g - 1) % @day)::integer + 1 AS token_no, g
FROM visits v, generate_series(1, @visits::bigint) g WHERE v.id = @pattern::uuid`
	fillVisits = `
INSERT INTO visits
SELECT (jsonb_populate_record(v, jsonb_build_object('id', p.id, 'office_day', p.day, 'token_no', p.token_no))).*
FROM past p, visits v WHERE v.id = @pattern::uuid`
	fillCounter = `
INSERT INTO day_counter SELECT day, max(token_no) FROM past GROUP BY day ON CONFLICT DO NOTHING`
	fillOutbox = `
INSERT INTO outbox (type, entity, entity_id, version, actor, before, after, request_id, traceparent, created_at)
SELECT e.type, e.entity, p.id::text, e.version, e.actor, e.before || own, e.after || own, '', '', e.created_at
FROM past p, outbox e, jsonb_build_object('id', p.id, 'day', p.day, 'tokenNo', p.token_no,
  'token', 'T-' || lpad(p.token_no::text, greatest(3, length(p.token_no::text)), '0')) own
WHERE e.entity = 'visit' AND e.entity_id = @pattern ORDER BY p.g, e.version`
)

// awaitNewTrail waits until audit has applied the whole new epoch, and records the duration.
func (d *drill) awaitNewTrail(ctx context.Context) error {
	at, err := d.positionOf(ctx, "visits")
	if err != nil {
		return err
	}
	err = d.awaitTrail(ctx, at.Epoch, at.Head)
	d.report.Caught = time.Since(d.begun)
	return err
}

// awaitTrail waits until audit has applied the events of visits up to a number.
func (d *drill) awaitTrail(ctx context.Context, epoch string, head int64) error {
	const applied = `SELECT EXISTS (SELECT FROM feed_cursor WHERE source = 'visits' AND epoch = $1 AND seq >= $2)`
	return d.system.WithDatabase(ctx, "audit", func(connection *pgx.Conn) error {
		return awaitTrue(
			ctx, connection, wait{drillCaughtUp, time.Second, "the trail did not reach the head in time"}, applied, epoch,
			head,
		)
	})
}
