package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"baari.dev/tools/checker"
)

// mutant is one bug that is planted in the product under the build tag mutant (reliability.md, T2), the promise that it breaks, and the phase
// in which it must show.
type mutant struct {
	id, bug   string
	invariant string
	carriers  []string // the services that carry it
	phase     phase
}

// phase is a misfortune made to bring one bug to light, while everybody works.
type phase func(context.Context, *run, *office) error

var mutants = []mutant{
	{"M1", "the relay reads by a naive cursor", "I8", []string{"visits"}, whileSlow(nil)},
	{"M2", "events are published before the commit", "I9", []string{"visits"}, overtake},
	{"M3", "no partial index, but a look whether the consultant is free", "I7", []string{"visits"}, raceStarts},
	{"M4", "a retry has no key", "I2", []string{"visits"}, loseCommits},
	{"M5", "the audit record is written after the commit", "I5", []string{"visits"}, whileSlow(killVisits)},
	{"M6", "a gap is passed over", "I9", []string{"realtime"}, losePublishing},
	{"M7", "nobody looks at the head", "I9", []string{"realtime"}, nothing},
	{"M8", "the epoch is kept after a restore", "I9", []string{"visits"}, restoreAll},
	{"M9", "a replay is not filtered by role", "I11", []string{"realtime"}, nothing},
	{"M10", "the token is the highest one and one", "I1", []string{"visits"}, whileSlow(nil)},
	{"M11", "a change is acknowledged before its commit", "I3", []string{"visits"}, loseChanges},
	{"M12", "two relays work without the lock", "I8", []string{"visits"}, withReplica("visits", whileSlow(nil))},
	{"M13", "a stream stays open when its session ends", "I12", []string{"realtime"}, revokeTwice},
	{"M14", "an event that comes twice counts twice", "I13", []string{"audit"}, withReplica("audit", nothing)},
}

const (
	mutantRate   = 120  // calls a second of all robots together
	mutantServed = 1000 // answered calls that a mutant must live to see
	mutantLimit  = time.Minute
	settled      = "settled" // the saved databases that every mutant begins with
)

// Trial is what became of one mutant.
type Trial struct {
	ID        string   `json:"id"`
	Bug       string   `json:"bug"`
	Invariant string   `json:"invariant"` // that it was planted against
	Served    int      `json:"served"`    // calls that were answered
	Named     []string `json:"named"`     // invariants that the checker found broken
	Killed    bool     `json:"killed"`
	Told      string   `json:"told"`   // the checker's words, or why it does not count
	Others    []string `json:"others"` // the first violation of each invariant that was named
	Took      string   `json:"took"`
}

// Trials are all mutants', and the same phases without any of them.
type Trials struct {
	Seed    uint64  `json:"seed"`
	Date    string  `json:"date"`
	Commit  string  `json:"commit"`
	Control Trial   `json:"control"`
	Mutants []Trial `json:"mutants"`
}

// Mutants builds the product with the tag mutant and runs it once with each bug, and once with none: the checker must name the promise that
// each bug breaks, and find nothing without one. only names some mutants; none: all of them.
func Mutants(ctx context.Context, options Options, only ...string) (*Trials, error) {
	options.Tags, options.Smoke, options.Rate = "mutant", true, mutantRate
	r := newRun(options)
	defer r.links.Close()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	defer r.system.Stop()
	defer func() { _ = r.redis.Close() }()
	staff, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	r.system.StopServices()
	if err := r.system.SaveDatabases(ctx, settled); err != nil {
		return nil, err
	}
	trials := &Trials{Seed: options.Seed, Date: time.Now().UTC().Format(time.DateOnly), Commit: commitOf(options.Root)}
	if len(only) == 0 || slices.Contains(only, "none") {
		if trials.Control, err = r.try(ctx, staff, mutant{id: "none", bug: "the product as it is", phase: everyPhase}); err != nil {
			return nil, err
		}
	}
	for _, m := range mutants {
		if len(only) > 0 && !slices.Contains(only, m.id) {
			continue
		}
		trial, err := r.try(ctx, staff, m)
		if err != nil {
			return nil, fmt.Errorf("%s (%s): %w", m.id, m.bug, err)
		}
		trials.Mutants = append(trials.Mutants, trial)
	}
	return trials, nil
}

// try runs the system with one bug, from the saved beginning, and holds what was seen against the promises.
func (r *run) try(ctx context.Context, staff *office, m mutant) (Trial, error) {
	began := time.Now()
	trial := Trial{ID: m.id, Bug: m.bug, Invariant: m.invariant}
	settings := map[string][]string{}
	for _, service := range m.carriers {
		settings[service] = []string{"BAARI_MUTANT=" + m.id}
	}
	r.system.StopServices()
	if err := r.redis.FlushAll(ctx).Err(); err != nil {
		return trial, err
	}
	if err := r.system.RestoreDatabases(ctx, settled); err != nil {
		return trial, err
	}
	if err := r.system.StartServices(ctx, settings); err != nil {
		return trial, err
	}
	again := r.again(settings)
	var err error
	if again.history, err = openHistory(filepath.Join(r.options.Data, "history-"+m.id+".jsonl")); err != nil {
		return trial, err
	}
	evidence, err := again.suffer(ctx, again.rehire(staff), m.phase)
	if err = errors.Join(err, again.history.close()); err != nil {
		return trial, err
	}
	trial.Served, trial.Took = again.history.answered(), time.Since(began).Round(time.Second).String()
	trial.judge(evidence, again.cries())
	r.options.Progress.Printf("%s", trial)
	return trial, nil
}

// again is a run on the same system with a history of its own.
func (r *run) again(settings map[string][]string) *run {
	other := newRun(r.options)
	other.links, other.system, other.redis, other.base, other.settings = r.links, r.system, r.redis, r.base, settings
	return other
}

// rehire lets the same people work for this run.
func (r *run) rehire(staff *office) *office {
	o := &office{names: staff.names, services: staff.services, admin: staff.admin, spare: r.twin(staff.spare, staff.spare.name)}
	for _, person := range staff.robots {
		same := r.twin(person, person.name)
		o.robots = append(o.robots, same)
		if person.role == "consultant" {
			o.consultants = append(o.consultants, same)
		}
	}
	return o
}

// suffer lets everybody work until enough was served and the phase is over, and ends with the tail.
func (r *run) suffer(ctx context.Context, o *office, suffering phase) (*checker.Evidence, error) {
	screens := r.screens(o, 20)
	watching, close := context.WithCancel(ctx)
	defer close()
	var watchers, robots sync.WaitGroup
	for _, d := range screens {
		watchers.Go(func() { d.run(watching) })
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	for _, person := range o.robots {
		robots.Go(func() { person.work(working, o) })
	}
	r.await(ctx, mutantServed/4)
	begin := r.history.now()
	err := suffering(ctx, r, o)
	r.windows = append(r.windows, checker.Window{Fault: "phase", Start: begin, End: r.history.now()})
	r.await(ctx, mutantServed+100)
	stop()
	robots.Wait()
	if err = errors.Join(err, r.tail(ctx, o, screens)); err != nil {
		return nil, err
	}
	evidence, err := r.evidence(ctx, o, screens)
	close()
	watchers.Wait()
	return evidence, err
}

// await waits until so many calls were answered, but not for ever: a mutant that does not serve is none.
func (r *run) await(ctx context.Context, calls int) {
	for until := time.Now().Add(mutantLimit); r.history.answered() < calls && time.Now().Before(until) && ctx.Err() == nil; {
		sleep(ctx, 50*time.Millisecond)
	}
}

// judge says whether the mutant was killed: it served, nothing panicked, and the checker named the promise that it was planted against.
// How long calls took is not judged: the trials work as fast as they can.
func (t *Trial) judge(e *checker.Evidence, cries []string) {
	var told string
	first := map[string]bool{}
	for _, v := range checker.Check(e) {
		if v.Invariant == "I16" {
			continue
		}
		if first[v.Invariant] {
			continue
		}
		first[v.Invariant] = true
		t.Named = append(t.Named, v.Invariant)
		t.Others = append(t.Others, v.String())
		if v.Invariant == t.Invariant {
			told = v.Invariant + ": " + v.What
		}
	}
	switch {
	case len(cries) > 0:
		t.Told = "a program broke down: " + cries[0]
	case t.Served < mutantServed:
		t.Told = fmt.Sprintf("it served %d calls only", t.Served)
	default:
		t.Killed, t.Told = slices.Contains(t.Named, t.Invariant), told
	}
}

func (t Trial) String() string {
	verdict := "killed"
	switch {
	case t.Invariant == "" && len(t.Named) == 0:
		verdict = "valid"
	case t.Invariant == "":
		verdict = "INVALID"
	case !t.Killed:
		verdict = "SURVIVED"
	}
	return fmt.Sprintf("%-4s  %-8s  planted against %-3s  named %-12s  %4d calls  %4s  %s", t.ID, verdict, t.Invariant, strings.Join(t.Named, " "), t.Served, t.Took, t.Bug)
}

// Killed is how many mutants were.
func (t *Trials) Killed() int {
	killed := 0
	for _, trial := range t.Mutants {
		if trial.Killed {
			killed++
		}
	}
	return killed
}

// Valid tells whether every mutant was killed, and the product was not.
func (t *Trials) Valid() bool { return t.Killed() == len(t.Mutants) && len(t.Control.Named) == 0 }

// Print writes the table for a person.
func (t *Trials) Print(w io.Writer) {
	_, _ = fmt.Fprintln(w)
	all := t.Mutants
	if t.Control.ID != "" {
		all = append([]Trial{t.Control}, all...)
	}
	for _, trial := range all {
		_, _ = fmt.Fprintf(w, "%s\n", trial)
		if trial.Told != "" {
			_, _ = fmt.Fprintf(w, "      %s\n", trial.Told)
		}
		if !trial.Killed { // whoever looks into it needs all that there is
			for _, other := range trial.Others {
				_, _ = fmt.Fprintf(w, "      %s\n", other)
			}
		}
	}
	_, _ = fmt.Fprintf(w, "\nmutants killed %d/%d\n", t.Killed(), len(t.Mutants))
}

// newRun prepares a run of which nothing has started.
func newRun(options Options) *run {
	return &run{
		options: options, links: linksOf(), http: newHTTP(), pace: newPace(options.Rate), fetch: newPace(fetchRate), kills: map[string]int{},
		random: rand.New(rand.NewPCG(options.Seed, 1)), probing: rand.New(rand.NewPCG(options.Seed, 2)),
	}
}
