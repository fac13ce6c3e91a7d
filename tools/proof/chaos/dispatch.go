package chaos

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
)

// The size of the phase dispatch.
const (
	dispatchCallers = 64                     // consultants
	dispatchFeeders = 8                      // admins who register visitors and approve them
	dispatchEditors = 4                      // PAs
	dispatchWaiting = 200                    // number of visitors that the feeders keep in the line
	dispatchKills   = 6                      // kills of the two replicas of visits, alternately
	dispatchEdits   = 250 * time.Millisecond // interval of a PA's changes
	dispatchPause   = 2 * time.Second        // longest pause of a consultant between two visitors
	dispatchRetry   = 20 * time.Millisecond
	dispatchKill    = 3 * time.Second // pause before each kill
	dispatchLimit   = 5 * time.Minute // limit for the line to become empty at the end
)

// DispatchReport is the outcome of the phase dispatch.
type DispatchReport struct {
	Seed       uint64
	Load       string
	Calls      int // answered requests that called a visitor
	Lasted     time.Duration
	P50, P99   time.Duration
	Wrong      [][2]string // descriptions of forbidden states, and how often each was found
	Violations []checker.Violation
}

// Valid reports whether visitors were called, no forbidden state was found, and the calls follow the rule of the line.
func (r *DispatchReport) Valid() bool {
	return r.Calls > 0 && len(r.Violations) == 0 &&
		!slices.ContainsFunc(r.Wrong, func(row [2]string) bool { return row[1] != "0" })
}

// Print writes the report as text.
func (r *DispatchReport) Print(w io.Writer) {
	outcome := "VALID: no visitor was called twice, lost or out of order"
	if !r.Valid() {
		outcome = "INVALID"
	}
	printOutcome(w, append([][2]string{
		{"seed", fmt.Sprintf("%d, load of the machine at the start %s", r.Seed, r.Load)},
		{"calls", fmt.Sprintf("%d by %d consultants, %.1f a second", r.Calls, dispatchCallers,
			float64(r.Calls)/r.Lasted.Seconds())},
		{"a call", fmt.Sprintf("p50 %s, p99 %s", r.P50.Round(time.Millisecond/10), r.P99.Round(time.Millisecond/10))},
		{"kills", fmt.Sprint(dispatchKills)},
	}, r.Wrong...), r.Violations, outcome)
}

type dispatch struct {
	*run
	crew        *crew
	bases       []string // addresses of the replicas
	fed, called atomic.Int64
}

// Dispatch makes consultants call the next visitor at two replicas of visits, while visitors arrive, PAs pin, hold,
// move and edit them, and the replicas are killed alternately. Then the line is emptied, and the checker replays the
// outbox with its own implementation of the rule of the line.
func Dispatch(ctx context.Context, options Options) (report *DispatchReport, err error) {
	r := newRun(options)
	err = r.withRecordedSystem(ctx, func() error {
		report = &DispatchReport{Seed: options.Seed, Load: machine.Load()}
		d := &dispatch{run: r}
		if err := d.hireAll(ctx); err != nil {
			return err
		}
		begun := time.Now()
		if err := d.day(ctx); err != nil {
			return err
		}
		report.Lasted = time.Since(begun)
		return d.judge(ctx, report)
	})
	return report, err
}

func (d *dispatch) hireAll(ctx context.Context) (err error) {
	if d.crew, err = d.open(ctx); err != nil {
		return err
	}
	if err := d.system.StartReplica(ctx, "visits", d.variant()); err != nil {
		return err
	}
	for _, process := range d.system.Processes() {
		if process.Name == "visits" || process.Name == "visits-2" {
			d.bases = append(d.bases, fmt.Sprintf("http://127.0.0.1:%d", process.Port))
		}
	}
	group, hiring := errgroup.WithContext(ctx)
	group.SetLimit(2) // most of the time is password hashing
	for i := len(d.crew.consultants); i < dispatchCallers; i++ {
		person := d.robot(fmt.Sprintf("consultant%d", i+1), "consultant")
		d.crew.consultants = append(d.crew.consultants, person)
		group.Go(func() error { return d.enlist(hiring, d.crew, person) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return d.awaitConsultants(ctx, d.crew)
}

// day runs all robots for a time, and then only the consultants until the line is empty.
func (d *dispatch) day(ctx context.Context) error {
	var feeders, editors []*robot
	for i := range dispatchFeeders {
		feeders = append(feeders, d.twin(d.crew.firstOf("admin"), fmt.Sprintf("feeder%d", i+1)))
	}
	for i := range dispatchEditors {
		editors = append(editors, d.twin(d.crew.firstOf("pa"), fmt.Sprintf("editor%d", i+1)))
	}
	stopFeeders := concurrently(ctx, feeders, func(p *robot, ctx context.Context) { d.feed(ctx, p) })
	defer stopFeeders()
	stopCallers := concurrently(ctx, d.crew.consultants, func(p *robot, ctx context.Context) { d.callAll(ctx, p) })
	defer stopCallers()
	stopEditors := concurrently(ctx, editors, func(p *robot, ctx context.Context) { d.edit(ctx, p) })
	defer stopEditors()
	until := time.Now().Add(d.options.Lasting)
	for i := range dispatchKills {
		sleep(ctx, dispatchKill)
		if err := d.kill(ctx, []string{"visits", "visits-2"}[i%2], syscall.SIGKILL); err != nil {
			return err
		}
	}
	sleep(ctx, time.Until(until))
	stopFeeders()
	stopEditors()
	poll(ctx, dispatchLimit, dispatchEdits, func() bool { return d.lineIsEmpty(ctx, editors[0]) })
	return ctx.Err()
}

// somewhere directs a robot's next requests to one of the two replicas.
func (d *dispatch) somewhere(person *robot) { person.move(d.bases[person.random.IntN(len(d.bases))]) }

// feed registers visitors and approves them for the line, so that about dispatchWaiting visitors wait.
func (d *dispatch) feed(ctx context.Context, person *robot) {
	for ctx.Err() == nil {
		if d.fed.Load()-d.called.Load() >= dispatchWaiting {
			sleep(ctx, dispatchRetry)
			continue
		}
		d.fed.Add(1)
		d.somewhere(person)
		if made := person.register(ctx, d.crew, false); made.Outcome == checker.OK {
			person.approve(context.WithoutCancel(ctx), checker.Op{Visit: made.Visit})
		}
	}
}

// callAll calls a consultant's next visitors, each of whom then leaves. If the outcome of a call is unknown, the next
// call is answered with the same visitor.
func (d *dispatch) callAll(ctx context.Context, person *robot) {
	for ctx.Err() == nil {
		d.somewhere(person)
		op := person.next(ctx, d.crew)
		if op.Outcome != checker.OK || op.Visit == "" {
			sleep(ctx, dispatchEdits)
			continue
		}
		d.called.Add(1)
		person.act(context.WithoutCancel(ctx), checker.Leave, checker.Op{Visit: op.Visit}, map[string]any{})
		sleep(ctx, rand.N(dispatchPause))
	}
}

func (d *dispatch) edit(ctx context.Context, person *robot) {
	for ; ctx.Err() == nil; sleep(ctx, dispatchEdits) {
		d.somewhere(person)
		seen, ok := person.lookAtLine(ctx)
		if !ok || len(seen.Line) < 2 {
			continue
		}
		chosen, before := seen.Line[person.random.IntN(len(seen.Line))], seen.Line[person.random.IntN(len(seen.Line))]
		op := checker.Op{Visit: chosen.VisitID}
		switch kind := pick(person, checker.Pin, checker.Hold, checker.Move, checker.Prioritise, checker.Correct); kind {
		case checker.Move:
			person.act(ctx, kind, op, map[string]any{"before": before.VisitID, "reason": "papers are ready"})
		case checker.Hold:
			// The hold has the version of the waiting visitor. Otherwise it could apply to a visitor who was called
			// meanwhile, and who would then be called twice.
			op.IfVersion = chosen.Version
			person.act(ctx, kind, op, map[string]any{"reason": "papers"})
		default:
			person.perform(ctx, d.crew, kind, op)
		}
	}
}

// lineIsEmpty puts visitors on hold back into the line. It reports whether no visitor was on hold or in the line.
func (d *dispatch) lineIsEmpty(ctx context.Context, pa *robot) bool {
	seen, ok := pa.lookAtLine(ctx)
	for _, held := range seen.Held {
		pa.act(ctx, checker.Resume, checker.Op{Visit: held.ID}, map[string]any{})
	}
	return ok && len(seen.Line)+len(seen.Held) == 0
}

// wrongCounts are the queries that count forbidden states in the database of visits.
var wrongCounts = [][2]string{
	{"visitors called twice", `SELECT count(*)::text FROM (
		SELECT entity_id FROM outbox WHERE type = 'visit_called' GROUP BY 1 HAVING count(*) > 1) twice`},
	{"visitors lost", `SELECT count(*)::text FROM visits v WHERE v.stage <> 'left' OR NOT EXISTS (
		SELECT FROM outbox o WHERE o.entity_id = v.id::text AND o.type = 'visit_called')`},
	{"tokens missing or doubled", `SELECT count(*)::text FROM (
		SELECT max(token_no) - count(DISTINCT token_no) + count(*) - count(DISTINCT token_no) AS wrong
		FROM visits GROUP BY office_day, token_series) days WHERE wrong <> 0`},
	{"deadlocks", `SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()`},
}

// judge counts forbidden states in the database, and checks the order of calls with the checker's rule.
func (d *dispatch) judge(ctx context.Context, report *DispatchReport) error {
	for _, count := range wrongCounts {
		var n string
		if err := d.row(ctx, "visits", count[1], nil, &n); err != nil {
			return err
		}
		report.Wrong = append(report.Wrong, [2]string{count[0], n})
	}
	evidence := d.history.evidence(nil)
	var took []time.Duration
	for _, op := range evidence.Ops {
		if op.Kind == checker.Next && op.Outcome == checker.OK && op.Visit != "" {
			took = append(took, time.Duration(op.Return-op.Call))
		}
	}
	report.Calls = len(took)
	report.P50, _ = checker.Percentile(took, 50)
	report.P99, _ = checker.Percentile(took, 99)
	for _, read := range []func(context.Context, *checker.Evidence) error{d.readVisits, d.readRecords, d.readOwners} {
		if err := read(ctx, evidence); err != nil {
			return err
		}
	}
	report.Violations = checker.CheckLine(evidence)
	return nil
}
