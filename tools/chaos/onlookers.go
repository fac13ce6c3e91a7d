package chaos

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"baari.dev/tools/checker"
	"baari.dev/tools/stack"
)

// unasked are the promises that need faults, or a machine that has nothing else to do: who only looks on does not ask for them.
var unasked = []string{"I12", "I15", "I16"}

// Onlookers are dashboards that stay open in a system where somebody else does the work. Afterwards they say whether every promise was kept.
type Onlookers struct {
	run     *run
	office  *office
	screens []*dashboard
	close   context.CancelFunc
	open    sync.WaitGroup
}

// Onlook hires staff in a running system and opens so many dashboards. Data is a folder for what they were told.
func Onlook(ctx context.Context, options Options, system *stack.Stack, screens int) (*Onlookers, error) {
	r := newRun(options)
	r.system, r.base = system, system.URL()
	var err error
	if r.history, err = openHistory(filepath.Join(options.Data, "history.jsonl")); err != nil {
		return nil, err
	}
	o := &Onlookers{run: r}
	if o.office, err = r.open(ctx); err != nil {
		_ = r.history.close()
		return nil, err
	}
	o.screens = r.screens(o.office, screens)
	watching, cancel := context.WithCancel(ctx)
	o.close = cancel
	for _, d := range o.screens {
		o.open.Go(func() { d.run(watching) })
	}
	return o, nil
}

// Staff are the people who may do the work.
func (o *Onlookers) Staff() []stack.Account {
	var staff []stack.Account
	for _, person := range o.office.robots {
		staff = append(staff, stack.Account{Role: person.role, Name: person.name, Email: email(person.name), Password: password})
	}
	return staff
}

// Frames is how many messages the dashboards have got.
func (o *Onlookers) Frames() int {
	count := 0
	for _, d := range o.screens {
		count += len(d.result().Frames)
	}
	return count
}

// Verdict waits until every dashboard shows what it was told of, holds what was done, told, shown and stored against the promises, and
// answers what was broken. Nobody may be at work any more, and nobody but those whose calls are given may have been.
func (o *Onlookers) Verdict(ctx context.Context, done []checker.Op) ([]checker.Violation, error) {
	o.run.fetch.SetLimit(1e6)
	for _, d := range o.screens {
		d.heal()
	}
	settle(ctx, o.screens)
	evidence, err := o.run.evidence(ctx, o.office, o.screens)
	if err != nil {
		return nil, err
	}
	evidence.Ops = slices.Concat(done, evidence.Ops)
	found := slices.DeleteFunc(checker.Check(evidence), func(v checker.Violation) bool { return slices.Contains(unasked, v.Invariant) })
	return found, ctx.Err()
}

// Close closes the dashboards and the record of what they did.
func (o *Onlookers) Close() error {
	o.close()
	o.open.Wait()
	if err := o.run.history.close(); err != nil {
		return fmt.Errorf("the dashboards' record: %w", err)
	}
	return nil
}
