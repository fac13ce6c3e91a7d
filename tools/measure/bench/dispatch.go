package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// DispatchPlan sets the size of the benchmark of calls of the next visitor.
type DispatchPlan struct {
	Callers int           // consultants
	Pause   time.Duration // mean time of a consultant between two visitors; uniform from 0 to twice the mean
	Calls   int           // visitors, each of whom is called
	Waiting int           // visitors in the line that the feeders keep
	Kills   int           // of one of the two replicas
}

const (
	feeders     = 64
	editors     = 4
	killPause   = 3 * time.Second
	editPause   = 250 * time.Millisecond // of a PA between two changes
	answerLimit = 15 * time.Second       // of a request
	retryPause  = 20 * time.Millisecond
	emptyPause  = 500 * time.Millisecond // of a consultant whose line is empty
)

// dispatch is the state of one run: two replicas of visits, which are called directly, and what was done.
type dispatch struct {
	*writing
	plan        DispatchPlan
	bases       []string // of the replicas
	client      *http.Client
	consultants []string
	fed, called atomic.Int64

	mu      sync.Mutex
	waiting []string // ids of visits that stand in the line, or stood in it
	held    map[string]bool
	ops     []checker.Op
	took    latencies // of answered calls that called a visitor
}

// Dispatch lets callers call the next visitor over HTTP at two replicas of visits while PAs pin, hold, move and edit
// the visitors, and kills the replicas in turns. It replays the outbox through the checker's own rule of the line. It
// returns Advice if the user can fix the cause of an error.
func Dispatch(ctx context.Context, options stack.Options, plan DispatchPlan) (*Report, error) {
	r := newReport()
	return r, withVisits(ctx, options, func(w *writing) error {
		if err := w.system.StartReplica(ctx, "visits", stack.Variant{}); err != nil {
			return err
		}
		d := &dispatch{
			writing: w, plan: plan, held: map[string]bool{},
			client: &http.Client{Timeout: answerLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 2 * plan.Callers}},
		}
		for _, process := range w.system.Processes() {
			if process.Name == "visits" || process.Name == "visits-2" {
				d.bases = append(d.bases, fmt.Sprintf("http://127.0.0.1:%d", process.Port))
			}
		}
		if err := d.hire(ctx); err != nil {
			return err
		}
		if err := options.Progress.Step("measuring", func() error { return d.run(ctx, r) }); err != nil {
			return err
		}
		return options.Progress.Step("checking", func() error { return d.check(ctx, r) })
	})
}

// hire adds the consultants to visits' copy of directory.
func (d *dispatch) hire(ctx context.Context) error {
	for i := range d.plan.Callers {
		id := fmt.Sprintf("benchconsultant%017d", i)
		d.consultants = append(d.consultants, id)
		_, err := d.pool.Exec(ctx, `INSERT INTO public.consultants (id, name, is_active) VALUES ($1, $2, true)`, id,
			fmt.Sprintf("Consultant %d", i))
		if err != nil {
			return err
		}
	}
	return nil
}

// run lets everybody work until each visitor was called and has left.
func (d *dispatch) run(ctx context.Context, r *Report) error {
	working, inner := errgroup.WithContext(ctx)
	var beside sync.WaitGroup
	besides, stop := context.WithCancel(inner)
	defer stop()
	for i := range editors {
		beside.Go(func() { d.edit(besides, i) })
	}
	kills := 0
	beside.Go(func() { kills = d.killReplicas(besides) })
	for range feeders {
		working.Go(func() error { return d.feed(inner) })
	}
	d.awaitLine(inner)
	began := time.Now()
	for i := range d.plan.Callers {
		working.Go(func() error { return d.callAll(inner, i) })
	}
	err := working.Wait()
	stop()
	beside.Wait()
	if err != nil {
		return err
	}
	lasted := time.Since(began)
	table := r.table("callers %d", "calls %d", "calls/s %.0f", "p50, ms %.1f", "p99, ms %.1f", "kills %d")
	table.add(d.plan.Callers, len(d.took), float64(len(d.took))/lasted.Seconds(), d.took.quantile(0.5),
		d.took.quantile(0.99), kills)
	r.note("visitors arrive and leave meanwhile; about %d wait; %d PAs pin, hold, move and edit, every %v each",
		d.plan.Waiting, editors, editPause)
	r.note("consultants pause %v on average between two visitors", d.plan.Pause)
	r.note("%d processors, which PostgreSQL, two replicas of visits and the clients share", runtime.NumCPU())
	r.goal("ms for 99 of 100 calls", "<= 250", d.took.quantile(0.99))
	return nil
}

// awaitLine waits until as many visitors wait as planned.
func (d *dispatch) awaitLine(ctx context.Context) {
	for ctx.Err() == nil {
		d.mu.Lock()
		n := len(d.waiting)
		d.mu.Unlock()
		if n >= min(d.plan.Waiting, d.plan.Calls) {
			return
		}
		time.Sleep(retryPause)
	}
}

// feed registers visitors and sends them to the line, so that about as many wait as planned.
func (d *dispatch) feed(ctx context.Context) error {
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	classes := []string{"normal", "normal", "normal", "priority", "deadline"}
	for ctx.Err() == nil {
		n := d.fed.Add(1)
		if n > int64(d.plan.Calls) {
			return nil
		}
		for n-d.called.Load() > int64(d.plan.Waiting) && ctx.Err() == nil {
			time.Sleep(retryPause)
		}
		var made struct{ Visit struct{ ID string } }
		err := d.must(ctx, http.MethodPost, "/api/visits", map[string]any{
			"name": fmt.Sprintf("Visitor %d", n), "phone": "9800000000", "service_id": d.service,
			"class": classes[random.IntN(len(classes))],
		}, &made)
		if err != nil {
			return err
		}
		err = d.must(ctx, http.MethodPut, "/api/visits/"+made.Visit.ID+"/status",
			map[string]any{"status": "approved", "line": true}, nil)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.waiting = append(d.waiting, made.Visit.ID)
		d.mu.Unlock()
	}
	return ctx.Err()
}

// callAll calls the next visitors of one consultant and lets each go, until all visitors were called.
func (d *dispatch) callAll(ctx context.Context, i int) error {
	for ctx.Err() == nil && d.called.Load() < int64(d.plan.Calls) {
		id, err := d.callNext(ctx, d.consultants[i])
		if err != nil {
			return err
		}
		if id == "" {
			if err := d.resumeAll(ctx, i); err != nil {
				return err
			}
			time.Sleep(emptyPause)
			continue
		}
		d.called.Add(1)
		if err := d.must(ctx, http.MethodPost, "/api/visits/"+id+"/leave", map[string]any{}, nil); err != nil {
			return err
		}
		time.Sleep(rand.N(2*d.plan.Pause + 1))
	}
	return ctx.Err()
}

// callNext calls the next visitor and returns the visit's id, or "" if the line is empty. A call without an answer is
// repeated with the same key.
func (d *dispatch) callNext(ctx context.Context, consultant string) (string, error) {
	op := checker.Op{
		Client: consultant, Kind: checker.Next, Consultant: consultant, Role: "admin", Key: uuid.NewString(),
	}
	for {
		op.RequestID = checker.RequestPrefix + uuid.NewString()
		began := time.Now()
		var answer struct {
			Visit *struct {
				ID      string
				Version int64
			}
			Again bool
		}
		status, _, err := d.send(ctx, op.RequestID, op.Key, http.MethodPost, "/api/visits/next",
			map[string]any{"consultant_id": consultant}, &answer)
		lasted := time.Since(began)
		if err == nil && status == http.StatusOK {
			op.Outcome, op.Again = checker.OK, answer.Again
			if answer.Visit != nil {
				op.Visit, op.Seen = answer.Visit.ID, &checker.Visit{
					ID: answer.Visit.ID, Consultant: consultant, Version: answer.Visit.Version,
				}
			}
		} else {
			op.Outcome = checker.Unknown
		}
		d.mu.Lock()
		d.ops = append(d.ops, op)
		if op.Outcome == checker.OK && op.Visit != "" {
			d.took = append(d.took, lasted)
		}
		d.mu.Unlock()
		switch {
		case op.Outcome == checker.OK:
			return op.Visit, nil
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err == nil && status < http.StatusInternalServerError && status != http.StatusConflict:
			return "", fmt.Errorf("next answered %d", status)
		}
		time.Sleep(retryPause)
	}
}

// resumeAll puts visitors on hold back in line: without that, the line is empty at the end.
func (d *dispatch) resumeAll(ctx context.Context, i int) error {
	if i != 0 {
		return nil
	}
	d.mu.Lock()
	var held []string
	for id := range d.held {
		held = append(held, id)
	}
	d.mu.Unlock()
	for _, id := range held {
		_, _, err := d.send(ctx, "", "", http.MethodPost, "/api/visits/"+id+"/resume", map[string]any{}, nil)
		if err != nil {
			continue // a replica is killed; the next round resumes it
		}
		d.mu.Lock()
		delete(d.held, id)
		d.mu.Unlock()
	}
	return ctx.Err()
}

// edit pins, holds, moves and edits visitors as a PA does. Rejections are ignored: most visitors have been called.
func (d *dispatch) edit(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(2, uint64(i)))
	for ; ctx.Err() == nil; time.Sleep(editPause) {
		d.mu.Lock()
		recent := d.waiting[max(0, len(d.waiting)-d.plan.Waiting):]
		if len(recent) < 2 {
			d.mu.Unlock()
			continue
		}
		id, other := recent[random.IntN(len(recent))], recent[random.IntN(len(recent))]
		d.mu.Unlock()
		action, body := "correct", map[string]any{"name": fmt.Sprintf("Visitor of PA %d", i)}
		switch random.IntN(6) {
		case 0:
			action, body = "pin", map[string]any{"consultant_id": d.consultants[random.IntN(len(d.consultants))]}
		case 1:
			action, body = "pin", map[string]any{"consultant_id": nil}
		case 2:
			// A visitor with the version of the approval waits: one who is called would come back and be called again.
			action, body = "hold", map[string]any{"reason": "papers", "version": 2}
		case 3:
			action, body = "move", map[string]any{"before": other, "reason": "papers are ready"}
		case 4:
			action, body = "class", map[string]any{"class": "priority"}
		}
		if action == "hold" {
			d.mu.Lock()
			d.held[id] = true
			d.mu.Unlock()
		}
		_, _, _ = d.send(ctx, "", "", http.MethodPost, "/api/visits/"+id+"/"+action, body, nil)
		if action == "hold" && random.IntN(2) == 0 {
			_, _, _ = d.send(ctx, "", "", http.MethodPost, "/api/visits/"+id+"/resume", map[string]any{}, nil)
		}
	}
}

// killReplicas kills the two replicas in turns and returns how often. Each is started again by the launcher.
func (d *dispatch) killReplicas(ctx context.Context) int {
	kills := 0
	for ; kills < d.plan.Kills; kills++ {
		select {
		case <-ctx.Done():
			return kills
		case <-time.After(killPause):
		}
		if _, err := d.system.Signal([]string{"visits", "visits-2"}[kills%2], syscall.SIGKILL); err != nil {
			return kills
		}
	}
	return kills
}

// check counts what must not have happened, in the database and by the rule of the checker.
func (d *dispatch) check(ctx context.Context, r *Report) error {
	for _, count := range []struct{ name, query string }{
		{"visitors called twice", `SELECT count(*) FROM (
			SELECT entity_id FROM public.outbox WHERE type = 'visit_called' GROUP BY 1 HAVING count(*) > 1) twice`},
		{"visitors lost", `SELECT count(*) FROM public.visits v WHERE v.stage <> 'left' OR NOT EXISTS (
			SELECT FROM public.outbox o WHERE o.entity_id = v.id::text AND o.type = 'visit_called')`},
		{"tokens missing or doubled", `SELECT count(*) FROM (
			SELECT office_day, max(token_no) - count(DISTINCT token_no) + count(*) - count(DISTINCT token_no) AS wrong
			FROM public.visits GROUP BY 1) days WHERE wrong <> 0`},
		{"deadlocks", `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`},
	} {
		var n int64
		if err := d.pool.QueryRow(ctx, count.query).Scan(&n); err != nil {
			return err
		}
		r.goal(count.name, "0", float64(n))
	}
	evidence, err := d.evidence(ctx)
	if err != nil {
		return err
	}
	violations := checker.CheckLine(evidence)
	for _, violation := range violations[:min(len(violations), 10)] {
		r.note("%s", violation)
	}
	r.goal("violations of the rule of the line in the order of the events", "0", float64(len(violations)))
	return nil
}

// must sends a request until it is answered; a change that is no longer possible was made by the request before.
func (d *dispatch) must(ctx context.Context, method, path string, body map[string]any, into any) error {
	key := uuid.NewString()
	for {
		status, text, err := d.send(ctx, "", key, method, path, body, into)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && status/100 == 2,
			err == nil && status == http.StatusConflict && !bytes.Contains(text, []byte("busy_key")):
			return nil
		case err == nil && status < http.StatusInternalServerError && status != http.StatusConflict:
			return fmt.Errorf("%s %s answered %d: %s", method, path, status, text)
		}
		time.Sleep(retryPause)
	}
}
