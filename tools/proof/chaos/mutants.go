package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/measure/machine"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/proof/mutants"
	"baari.dev/tools/stack"
)

// phase injects the fault that exposes one bug, while robots work.
type phase func(context.Context, *run, *crew) error

// phases has the phases that the header of a planted bug may name (package mutants).
var phases = map[string]phase{
	"nothing":         nothing,
	"slow":            whileSlow(nil),
	"slow-killed":     whileSlow(killed("visits")),
	"lobby-killed":    killSending,
	"overtake":        overtake,
	"race":            raceStarts,
	"lost-commits":    loseCommits,
	"lost-changes":    loseChanges,
	"lost-publishing": losePublishing,
	"restore-all":     restoreAll,
	"restore-each":    restoreEach,
	"restore-visits":  restoreOnly("visits"),
	"restore-quiet":   restoreQuiet,
	"revocations":     twice((*run).revoke),
	"desk":            twice((*run).replaceSession),
	"directory-away":  stopped("directory"),
	"audit-away":      stopped("audit"),
	"replica-slow":    withReplica("visits", whileSlow(nil)),
	"replica-audit":   withReplica("audit", nothing),
	"desk-offline":    deskOffline,
	"unwilling":       callUnwilling,
	"passed-over":     passOver,
	"one-slot":        crowdSlot,
	"all":             everyPhase,
}

const (
	mutantRate   = 120  // requests a second of all robots together
	mutantServed = 1000 // answered requests that a trial of the system needs
	mutantLimit  = time.Minute
	// trialMidnight is the time from the start of a trial's services to the office's midnight.
	trialMidnight = 9 * time.Second
	settled       = "settled" // the saved databases that a trial of the system starts with
)

// Trial is the outcome of one mutant.
type Trial struct {
	ID        string
	Bug       string
	Invariant string   // the invariant that the bug violates, or mutants.Any
	Test      string   // the Go test that was run with the bug; "" if a system was run
	Served    int      // answered requests
	Named     []string // violated invariants
	Killed    bool
	Detail    string   // the violation, or why the trial does not count
	Others    []string // the first violation of each invariant
	Took      string
}

// Trials are the trials of the chosen mutants and, if it is chosen, of Control.
type Trials struct {
	Seed    uint64
	Date    string
	Commit  string
	Control Trial
	Mutants []Trial
}

// Control names the trial of the unchanged product.
const Control = "none"

// chosenMutants returns the planted bugs with the given ids, names or file names, or all if there are none. control
// reports whether to include the unchanged product. It returns an error for an unknown name, and for a header that
// names neither a Go test nor a known phase.
func chosenMutants(only []string) (chosen []mutants.Mutant, control bool, err error) {
	all, err := mutants.All()
	if err != nil {
		return nil, false, err
	}
	for _, m := range all {
		if m.Test == "" && phases[m.Phase] == nil {
			known := strings.Join(slices.Sorted(maps.Keys(phases)), ", ")
			return nil, false, fmt.Errorf("%s: there is no phase %q, only %s", m.Name, m.Phase, known)
		}
	}
	if len(only) == 0 {
		return all, true, nil
	}
	for _, name := range only {
		name = strings.TrimSuffix(filepath.Base(name), ".patch")
		i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.ID == name || m.Name == name })
		switch {
		case name == Control:
			control = true
		case i < 0:
			return nil, false, fmt.Errorf("there is no planted bug %s in tools/proof/mutants", name)
		default:
			chosen = append(chosen, all[i])
		}
	}
	return chosen, control, nil
}

// Mutants runs the Go test of each planted bug that names one. Then it runs the product unchanged and with each of the
// other bugs: the checker must report nothing without a bug, and with a bug the invariant that the bug violates. The
// names in `only` select bugs and Control; if there are none, all are tried.
func Mutants(ctx context.Context, options Options, only ...string) (*Trials, error) {
	chosen, control, err := chosenMutants(only)
	if err != nil {
		return nil, err
	}
	options.Smoke, options.Rate = true, mutantRate
	r := newRun(options)
	trials := &Trials{
		Seed: options.Seed, Date: time.Now().UTC().Format(time.DateOnly),
		Commit: machine.Commit(ctx, options.Root, reportFile),
	}
	tested := slices.DeleteFunc(slices.Clone(chosen), func(m mutants.Mutant) bool { return m.Test == "" })
	chosen = slices.DeleteFunc(chosen, func(m mutants.Mutant) bool { return m.Test != "" })
	if err := r.testAll(ctx, trials, tested); err != nil || len(chosen) == 0 && !control {
		return trials, err
	}
	return trials, r.withSystem(ctx, func() error { return r.tryAll(ctx, trials, chosen, control) })
}

// testAll runs the Go tests of mutants on a PostgreSQL and a Redis of their own.
func (r *run) testAll(ctx context.Context, trials *Trials, chosen []mutants.Mutant) error {
	if len(chosen) == 0 {
		return nil
	}
	servers, err := stack.StartDependencies(ctx, filepath.Join(r.options.Data, "deps"), false, r.options.Progress)
	if err != nil {
		return err
	}
	defer servers.Stop()
	for _, m := range chosen {
		began := time.Now()
		detail, err := m.TryTest(ctx, r.options.Root, filepath.Join(r.options.Data, "planted", m.ID), servers)
		if err != nil {
			return fmt.Errorf("%s (%s): %w", m.ID, m.Bug, err)
		}
		trial := Trial{
			ID: m.ID, Bug: m.Bug, Invariant: m.Promise, Test: m.Package + "." + m.Test, Killed: detail != "", Detail: detail,
			Took: time.Since(began).Round(time.Second).String(),
		}
		trials.Mutants = append(trials.Mutants, trial)
		r.options.Progress.Printf("%s", trial)
	}
	return nil
}

func (r *run) tryAll(ctx context.Context, trials *Trials, chosen []mutants.Mutant, control bool) error {
	staff, err := r.open(ctx)
	if err != nil {
		return err
	}
	r.system.StopServices()
	if err := r.system.SaveDatabases(ctx, settled); err != nil {
		return err
	}
	if control {
		unchanged := mutants.Mutant{ID: Control, Bug: "the unchanged product", Phase: "all"}
		if trials.Control, err = r.try(ctx, staff, unchanged); err != nil {
			return err
		}
	}
	for _, m := range chosen {
		trial, err := r.try(ctx, staff, m)
		if err != nil {
			return fmt.Errorf("%s (%s): %w", m.ID, m.Bug, err)
		}
		trials.Mutants = append(trials.Mutants, trial)
	}
	return nil
}

// plant builds the program with a bug. It returns the program's path, keyed by each service that contains the bug.
func (r *run) plant(ctx context.Context, m mutants.Mutant) (map[string]string, error) {
	folder := filepath.Join(r.options.Data, "planted", m.ID)
	overlay, err := m.Overlay(ctx, r.options.Root, filepath.Join(folder, "sources"))
	if err != nil {
		return nil, err
	}
	program, err := r.system.BuildPlanted(ctx, folder, overlay)
	if err != nil {
		return nil, err
	}
	programs := map[string]string{}
	for _, service := range m.Services {
		programs[service] = program
	}
	return programs, nil
}

// try runs the system from the saved databases, with one bug or (for Control) without, and checks the history.
func (r *run) try(ctx context.Context, staff *crew, m mutants.Mutant) (Trial, error) {
	began := time.Now()
	trial := Trial{ID: m.ID, Bug: m.Bug, Invariant: m.Promise}
	var planted map[string]string
	if m.ID != Control {
		var err error
		if planted, err = r.plant(ctx, m); err != nil {
			return trial, err
		}
	}
	r.system.StopServices()
	if err := r.redis.FlushAll(ctx).Err(); err != nil {
		return trial, err
	}
	if err := r.system.RestoreDatabases(ctx, settled); err != nil {
		return trial, err
	}
	again := r.again(planted)
	if err := again.placeMidnight(time.Now().Add(trialMidnight)); err != nil {
		return trial, err
	}
	if err := r.system.StartServices(ctx, again.variant()); err != nil {
		return trial, err
	}
	var evidence *checker.Evidence
	err := again.record("history-"+m.ID+".jsonl", func() (err error) {
		evidence, err = again.perform(ctx, again.rehire(staff), phases[m.Phase])
		return err
	})
	if err != nil {
		return trial, err
	}
	trial.Served, trial.Took = again.history.answered(), time.Since(began).Round(time.Second).String()
	trial.judge(evidence, again.crashes())
	r.options.Progress.Printf("%s", trial)
	return trial, nil
}

// again returns a run on the same system with a new history.
func (r *run) again(planted map[string]string) *run {
	other := newRun(r.options)
	other.links, other.system, other.redis, other.base = r.links, r.system, r.redis, r.base
	other.provider = r.provider
	other.planted = planted
	return other
}

// rehire returns the staff for this run.
func (r *run) rehire(staff *crew) *crew {
	c := &crew{
		names: staff.names, services: staff.services, serviceNames: staff.serviceNames, admin: staff.admin, zone: r.zone,
		spare: r.twin(staff.spare, staff.spare.name),
	}
	for _, person := range staff.robots {
		same := r.twin(person, person.name)
		c.robots = append(c.robots, same)
		if person.role == "consultant" {
			c.consultants = append(c.consultants, same)
		}
	}
	for _, display := range staff.displays {
		c.displays = append(c.displays, r.twin(display, display.name))
	}
	for _, desk := range staff.desks {
		c.desks = append(c.desks, desk.again(r))
	}
	r.crew, r.desks = c, c.desks
	return c
}

// perform runs the robots until enough requests were answered and the phase and midnight are over, and ends with tail.
func (r *run) perform(ctx context.Context, c *crew, happen phase) (*checker.Evidence, error) {
	screens := append(r.screens(c, 20), r.boards(c)...)
	defer concurrently(ctx, screens, (*dashboard).run)()
	stop := c.work(ctx)
	defer stop()
	r.await(ctx, mutantServed/4)
	begin := r.history.now()
	err := happen(ctx, r, c)
	r.windows = append(r.windows, checker.Window{Fault: "phase", Start: begin, End: r.history.now()})
	r.await(ctx, mutantServed+100)
	sleep(ctx, time.Until(r.midnight.Add(time.Second)))
	stop()
	if err = errors.Join(err, r.tail(ctx, c, screens)); err != nil {
		return nil, err
	}
	return r.evidence(ctx, c, screens)
}

// await waits until a number of requests were answered, or for a limited time if a bug stops the service.
func (r *run) await(ctx context.Context, calls int) {
	poll(ctx, mutantLimit, 50*time.Millisecond, func() bool { return r.history.answered() >= calls })
}

// judge decides whether the mutant was killed: enough requests were answered, no process panicked, and the checker
// reported the bug's invariant. I16 is ignored, because its limits are not meant for the load of mutantRate.
func (t *Trial) judge(e *checker.Evidence, crashes []string) {
	var found string
	first := map[string]bool{}
	for _, v := range checker.Check(e) {
		if v.Invariant == "I16" || first[v.Invariant] {
			continue
		}
		first[v.Invariant] = true
		t.Named = append(t.Named, v.Invariant)
		t.Others = append(t.Others, v.String())
		if v.Invariant == t.Invariant || t.Invariant == mutants.Any && found == "" {
			found = v.Invariant + ": " + v.What
		}
	}
	switch {
	case len(crashes) > 0:
		t.Detail = "a program crashed: " + crashes[0]
	case t.Served < mutantServed:
		t.Detail = fmt.Sprintf("only %d requests were answered", t.Served)
	default:
		t.Killed, t.Detail = found != "", found
	}
}

// cells returns the columns of the trial in a table: id, bug, the invariant that it was planted against, the reported
// invariants or the Go test, requests, outcome, detail.
func (t Trial) cells() []string {
	outcome := map[bool]string{true: "killed", false: "SURVIVED"}[t.Killed]
	if t.Invariant == "" {
		outcome = map[bool]string{true: "valid", false: "INVALID"}[len(t.Named) == 0]
	}
	reported, served := strings.Join(t.Named, " "), fmt.Sprint(t.Served)
	if t.Test != "" {
		reported, served = t.Test, ""
	}
	return []string{t.ID, t.Bug, t.Invariant, reported, served, outcome, t.Detail}
}

func (t Trial) String() string { return strings.Join(append(t.cells(), t.Took), "  ") }

// Killed returns the number of killed mutants.
func (t *Trials) Killed() int {
	killed := 0
	for _, trial := range t.Mutants {
		if trial.Killed {
			killed++
		}
	}
	return killed
}

// Valid reports whether every mutant was killed and the unchanged product had no violation.
func (t *Trials) Valid() bool { return t.Killed() == len(t.Mutants) && len(t.Control.Named) == 0 }

// Print writes the table.
func (t *Trials) Print(w io.Writer) {
	_, _ = fmt.Fprintln(w)
	all := t.Mutants
	if t.Control.ID != "" {
		all = append([]Trial{t.Control}, all...)
	}
	for _, trial := range all {
		_, _ = fmt.Fprintln(w, trial)
		// Others includes violations of invariants that the bug was not planted against.
		for _, other := range trial.Others {
			if !trial.Killed || !strings.HasPrefix(other, trial.Detail) {
				_, _ = fmt.Fprintf(w, "      %s\n", other)
			}
		}
	}
	_, _ = fmt.Fprintf(w, "\nmutants killed %d/%d\n", t.Killed(), len(t.Mutants))
}
