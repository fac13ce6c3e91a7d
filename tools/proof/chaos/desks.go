package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/proof/checker"
)

// paired is a paired desk of reception. It behaves like the browser there: without the server it issues tokens of its
// own series and stores them, and later sends them until each has an answer.
type paired struct {
	person    *robot
	token     string
	series    string
	days      []string       // days for which it may issue tokens
	last      map[string]int // last number, by day
	slips     []*slip        // all that were printed
	took      time.Duration  // duration of the first request, which is not disturbed; 0 before it
	disturbed int            // number of requests that were disturbed
}

// slip is a printed token, with the body that the desk sends for it.
type slip struct {
	checker.Slip
	body map[string]any
}

const pairedDesks = 2

func (r *run) pairDesks(ctx context.Context, c *crew) error {
	for i := range pairedDesks {
		desk, err := c.pair(ctx, "desk", fmt.Sprintf("Desk %d", i+1))
		if err != nil {
			return err
		}
		c.desks = append(c.desks, &paired{
			person: r.twin(c.robots[i], fmt.Sprintf("desk%d", i+1)), token: desk.token, series: desk.series,
			last: map[string]int{},
		})
	}
	return nil
}

// again returns the desk for another run on the same databases.
func (d *paired) again(r *run) *paired {
	return &paired{
		person: r.twin(d.person, d.person.name), token: d.token, series: d.series, last: map[string]int{},
	}
}

const (
	slipEvery  = 150 * time.Millisecond // interval of the slips of a desk that is cut off
	mostAtOnce = 20                     // largest number of slips in one request
	deskLimit  = time.Minute            // limit for a lease, and for sending everything
)

// cutDesks disconnects the desks for a while, and then makes them send their stored visits. The requests are disturbed
// in turn: connections of visits to PostgreSQL are closed at a random moment, two tabs send the same visits at once,
// the process of visits is killed, or the answer is lost.
func cutDesks(ctx context.Context, r *run, lasting time.Duration) error {
	all := concurrentErrors(r.desks, func(d *paired) error {
		if err := d.lease(ctx); err != nil {
			return err
		}
		d.workAlone(ctx, r, lasting)
		return nil
	})
	if all != nil {
		return all
	}
	var faults replayFaults
	return concurrentErrors(r.desks, func(d *paired) error {
		if err := d.sendAll(ctx, r, &faults); err != nil {
			return err
		}
		return d.lease(ctx)
	})
}

// replayFaults are the interruptions that the desks share: one kill of visits, and one cut connection at a time.
type replayFaults struct {
	kill sync.Once
	cut  sync.Mutex
}

func concurrentErrors(desks []*paired, do func(*paired) error) error {
	errs := make([]error, len(desks))
	var all sync.WaitGroup
	for i, d := range desks {
		all.Go(func() { errs[i] = do(d) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// lease requests the days for which the desk may issue tokens.
func (d *paired) lease(ctx context.Context) error {
	var answer struct {
		Days []struct {
			Day  string
			Last int
		}
	}
	if !poll(ctx, deskLimit, 200*time.Millisecond, func() bool {
		got, err := d.call(ctx, "lease", "/api/visits/offline/lease", map[string]any{"unsent": len(d.unsent())})
		return err == nil && got.Status == http.StatusOK && json.Unmarshal(got.Body, &answer) == nil
	}) {
		return errors.Join(fmt.Errorf("%s got no lease", d.person.name), ctx.Err())
	}
	d.days = nil
	for _, one := range answer.Days {
		d.days = append(d.days, one.Day)
		d.last[one.Day] = max(d.last[one.Day], one.Last)
	}
	return nil
}

func (d *paired) call(ctx context.Context, kind, path string, body any) (httpclient.Answer, error) {
	header := map[string]string{"Baari-Device": d.token}
	op, got := d.person.request(ctx, checker.Op{Kind: kind}, http.MethodPost, path, body, header)
	if op.Outcome == checker.Unknown {
		return got, errors.New("no answer")
	}
	return got, nil
}

// workAlone registers visitors without the server. The first two registrations are also sent to the server, as if their
// answers were lost: their slips have the same keys.
func (d *paired) workAlone(ctx context.Context, r *run, lasting time.Duration) {
	const unanswered = 2
	for i, until := 0, time.Now().Add(lasting); time.Now().Before(until) && ctx.Err() == nil; i++ {
		body := d.person.registration(r.crew)
		key := uuid.NewString()
		if i < unanswered {
			d.person.change(ctx, checker.Op{Kind: checker.Create, Key: key}, http.MethodPost, "/api/visits", body)
		}
		d.print(r.zone, key, body)
		sleep(ctx, slipEvery)
	}
}

// print prints a slip if the desk has a lease for the day.
func (d *paired) print(zone *time.Location, key string, body map[string]any) {
	at := time.Now()
	day := at.In(zone).Format(time.DateOnly)
	if !slices.Contains(d.days, day) {
		return
	}
	d.last[day]++
	one := &slip{body: body, Slip: checker.Slip{Day: day, Series: d.series, Number: d.last[day], At: at, Sent: "not yet"}}
	body["number"], body["key"], body["made_by"] = one.Number, key, d.person.id
	body["service_name"], body["arrived_at"] = "As printed", at.UTC().Format(time.RFC3339Nano)
	d.slips = append(d.slips, one)
}

func (d *paired) unsent() []*slip {
	return slices.DeleteFunc(slices.Clone(d.slips), func(s *slip) bool { return s.Sent != "not yet" })
}

func (d *paired) sendAll(ctx context.Context, r *run, faults *replayFaults) error {
	for until := time.Now().Add(deskLimit); time.Now().Before(until) && ctx.Err() == nil; {
		some := d.nextUnsent()
		if len(some) == 0 {
			return nil
		}
		if d.took > 0 {
			if err := d.sendDisturbed(ctx, r, faults, some); err != nil {
				return err
			}
		}
		begun := time.Now()
		if done := d.send(ctx, some); done != nil {
			if d.took == 0 {
				d.took = time.Since(begun)
			}
			d.take(some, done)
		}
	}
	return ctx.Err()
}

// nextUnsent returns the next slips of one day: a random number of them, at most mostAtOnce.
func (d *paired) nextUnsent() (some []*slip) {
	most := 1 + d.person.random.IntN(mostAtOnce)
	for _, one := range d.unsent() {
		if len(some) == most || len(some) > 0 && one.Day != some[0].Day {
			break
		}
		some = append(some, one)
	}
	return some
}

// sendDisturbed sends slips while a fault is active.
func (d *paired) sendDisturbed(ctx context.Context, r *run, faults *replayFaults, some []*slip) (err error) {
	defer func() { d.disturbed++ }()
	switch d.disturbed % 4 {
	case 0:
		faults.cut.Lock()
		defer faults.cut.Unlock()
		var sending sync.WaitGroup
		sending.Go(func() { d.take(some, d.send(ctx, some)) })
		sleep(ctx, time.Duration(d.person.random.Int64N(int64(d.took))))
		r.links.Cut(visitsToPostgres)
		sending.Wait()
		err = r.links.Mend(visitsToPostgres)
	case 1:
		d.sendTwice(ctx, some)
	case 2:
		faults.kill.Do(func() {
			var sending sync.WaitGroup
			sending.Go(func() { d.take(some, d.send(ctx, some)) })
			err = r.kill(ctx, "visits", syscall.SIGKILL)
			sending.Wait()
		})
	case 3: // the answer is lost
		d.send(ctx, some)
	}
	return err
}

type decision struct {
	Number      int
	State, Code string
}

// send sends slips of one day and returns what was decided.
func (d *paired) send(ctx context.Context, some []*slip) []decision {
	body := map[string]any{"series": d.series, "day": some[0].Day}
	visits := make([]map[string]any, len(some))
	for i, one := range some {
		visits[i] = one.body
	}
	body["visits"] = visits
	var answer struct{ Done []decision }
	got, err := d.call(ctx, checker.Offline, "/api/visits/offline", body)
	if err != nil || got.Status != http.StatusOK || json.Unmarshal(got.Body, &answer) != nil {
		sleep(ctx, 200*time.Millisecond)
		return nil
	}
	return answer.Done
}

// sendTwice sends the same slips from two tabs at once. The first answer that decides about a slip counts.
func (d *paired) sendTwice(ctx context.Context, some []*slip) {
	answers := make([][]decision, 2)
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() { answers[i] = d.send(ctx, some) })
	}
	both.Wait()
	for _, done := range answers {
		d.take(some, done)
	}
}

func (d *paired) take(some []*slip, done []decision) {
	for _, one := range done {
		i := slices.IndexFunc(some, func(s *slip) bool { return s.Number == one.Number })
		if i >= 0 && some[i].Sent == "not yet" {
			if some[i].Sent = one.State; one.Code != "" {
				some[i].Sent += " " + one.Code
			}
		}
	}
}

func (r *run) slips() (all []checker.Slip) {
	for _, d := range r.desks {
		for _, one := range d.slips {
			all = append(all, one.Slip)
		}
	}
	return all
}
