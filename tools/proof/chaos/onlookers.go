package chaos

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// unchecked are the invariants that need faults or a quiet machine; Onlookers do not check them.
var unchecked = []string{"I12", "I15", "I16"}

// Onlookers are dashboards that are open while another program loads the system. Afterwards they check the invariants.
type Onlookers struct {
	run     *run
	crew    *crew
	screens []*dashboard
	close   func()
}

// Onlook creates staff in a running system and opens dashboards, and two boards of the waiting room.
// options.Data is the folder for their history.
func Onlook(ctx context.Context, options Options, system *stack.Stack, screens int) (*Onlookers, error) {
	r := newRun(options)
	r.system, r.base = system, system.URL()
	var err error
	if r.history, err = openHistory(filepath.Join(options.Data, "history.jsonl")); err != nil {
		return nil, err
	}
	o := &Onlookers{run: r}
	if o.crew, err = r.open(ctx); err != nil {
		_ = r.history.close()
		return nil, err
	}
	o.screens = append(r.screens(o.crew, screens), r.boards(o.crew)...)
	o.close = concurrently(ctx, o.screens, (*dashboard).run)
	return o, nil
}

// Staff returns the accounts that the other program may use.
func (o *Onlookers) Staff() []client.Account {
	var staff []client.Account
	for _, person := range o.crew.robots {
		account := client.Account{Role: person.role, Name: person.name, Email: email(person.name), Password: password}
		staff = append(staff, account)
	}
	return staff
}

// Frames returns the number of frames that the dashboards have received.
func (o *Onlookers) Frames() int {
	count := 0
	for _, d := range o.screens {
		count += len(d.result().Frames)
	}
	return count
}

// Check waits until every dashboard has fetched the changes it received, and returns the violated invariants. The load
// must have ended. done must hold all operations of the load, each with the trace id traceOf(request_id).
func (o *Onlookers) Check(ctx context.Context, done []checker.Op) ([]checker.Violation, error) {
	o.run.fetch.SetLimit(1e6)
	for _, d := range o.screens {
		d.heal()
	}
	settle(ctx, o.screens)
	for _, op := range done {
		o.run.history.sent(op.RequestID)
	}
	evidence, err := o.run.evidence(ctx, o.crew, o.screens)
	if err != nil {
		return nil, err
	}
	evidence.Ops = slices.Concat(done, evidence.Ops)
	found := slices.DeleteFunc(checker.Check(evidence), func(v checker.Violation) bool {
		return slices.Contains(unchecked, v.Invariant)
	})
	return found, ctx.Err()
}

// Close closes the dashboards and their history.
func (o *Onlookers) Close() error {
	o.close()
	if err := o.run.history.close(); err != nil {
		return fmt.Errorf("the dashboards' history: %w", err)
	}
	return nil
}
