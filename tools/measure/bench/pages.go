package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/stack"
)

// PagesPlan describes the visitors with an open page, and the links that an intruder tries.
type PagesPlan struct {
	Day    QueuePlan
	Pages  int
	Each   time.Duration // of each measurement
	Probes int           // links tried a second
}

// Pages measures what open pages of visitors cost, alone and beside the queue's day, and what desk and pages notice of
// an intruder who tries links. It returns Advice if the user can fix the cause of an error.
func Pages(ctx context.Context, options stack.Options, plan PagesPlan) (*Report, error) {
	r := newReport()
	if err := measurePages(ctx, options, plan, r); err != nil {
		return nil, err
	}
	options.Data = filepath.Join(options.Data, "probed")
	if err := measureProbes(ctx, options, plan, r); err != nil {
		return nil, err
	}
	r.note("%d processors, which PostgreSQL, Redis and all clients share; each measured for %s",
		runtime.NumCPU(), plan.Each)
	return r, nil
}

func measurePages(ctx context.Context, options stack.Options, plan PagesPlan, r *Report) (err error) {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return err
	}
	defer system.Stop()
	day, err := openDay(ctx, options, plan.Day, system)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, day.onlookers.Close()) }()
	pages, err := system.openPages(ctx, options, plan.Pages)
	if err != nil {
		return err
	}
	visits := system.Process("visits").PID
	idle, err := spent([]int{visits}, func() error { return stack.Pause(ctx, plan.Each) })
	if err != nil {
		return err
	}
	table := r.table("%s", "requests a second %.1f", "p50, ms %.1f", "p95, ms %.1f", "of a core in visits, %% %.2f")
	var alone, beside load
	used, err := spent([]int{visits}, func() error {
		alone, err = pages.read(ctx, plan.Each, nil)
		return err
	})
	if err != nil {
		return err
	}
	cost := 100 * max(0, used[0]-idle[0]).Seconds() / plan.Each.Seconds() // below zero is other work of visits
	table.add(fmt.Sprintf("%d open pages", plan.Pages), alone.rate(), alone.latencies.quantile(.5),
		alone.latencies.quantile(.95), cost)
	beside, err = pages.read(ctx, plan.Each, func() error { return day.k6(ctx) })
	if err != nil {
		return err
	}
	table.add("beside the queue's day", beside.rate(), beside.latencies.quantile(.5), beside.latencies.quantile(.95), nil)
	r.goal(fmt.Sprintf("requests a second of %d open pages", plan.Pages), "<= 60", beside.rate())
	r.goal("ms for 95 of 100 of them, beside the queue's day", "<= 50", beside.latencies.quantile(.95))
	r.goal("of a core that they cost visits, in %", "<= 5", cost)
	return nil
}

// openPage is a visitor's page that asks for its state as the script does.
type openPage struct {
	host, path, tag string
	next            time.Duration
}

type openPages []*openPage

// openPages registers visitors, sends them to the line, and returns their pages.
func (s *system) openPages(ctx context.Context, options stack.Options, n int) (pages openPages, err error) {
	err = options.Progress.Step(fmt.Sprintf("opening %d pages", n), func() error {
		for range n {
			visit, err := s.Register(ctx, s.Visitor())
			if err != nil {
				return err
			}
			body := map[string]any{"status": "approved", "line": true, "notes": ""}
			if err := s.Users["pa"].Call(ctx, http.MethodPut, "/api/visits/"+visit.ID+"/status", body, nil); err != nil {
				return err
			}
			var answer struct{ Link struct{ URL string } }
			path := "/api/lobby/visits/" + visit.ID + "/link"
			if err := s.Users["reception"].Call(ctx, http.MethodGet, path, nil, &answer); err != nil {
				return err
			}
			address, err := url.Parse(answer.Link.URL)
			if err != nil {
				return err
			}
			pages = append(pages, &openPage{host: s.host, path: strings.ToLower(address.Path)})
		}
		return nil
	})
	return pages, err
}

// read lets every page ask as often as the answers ask for, for a time, while work runs.
func (p openPages) read(ctx context.Context, lasting time.Duration, work func() error) (load, error) {
	var mu sync.Mutex
	var took latencies
	running, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for _, one := range p {
		running.Go(func() error {
			ask := one.ask()
			for due := began.Add(rand.N(one.first())); due.Before(began.Add(lasting)); due = time.Now().Add(one.next) {
				if err := stack.Pause(ctx, time.Until(due)); err != nil {
					return err
				}
				sent := time.Now()
				if err := ask(); err != nil {
					return err
				}
				mu.Lock()
				took = append(took, time.Since(sent))
				mu.Unlock()
			}
			return nil
		})
	}
	if work != nil {
		running.Go(work)
	}
	err := running.Wait()
	return load{lasting, took}, err
}

// first is the time within which a page asks for the first time.
func (p *openPage) first() time.Duration { return max(p.next, 15*time.Second) }

// ask returns a question of the page over its own connection.
func (p *openPage) ask() func() error {
	connection := &fasthttp.HostClient{Addr: p.host, MaxConns: 1, MaxIdleConnDuration: time.Minute}
	request, answer := &fasthttp.Request{}, &fasthttp.Response{}
	request.SetRequestURI("http://" + p.host + p.path + "/state")
	return func() error {
		if p.tag != "" {
			request.Header.Set("If-None-Match", p.tag)
		}
		if err := connection.Do(request, answer); err != nil {
			return err
		}
		switch answer.StatusCode() {
		case http.StatusNotModified:
			return nil
		case http.StatusOK:
			var state struct{ Next int }
			p.tag = string(answer.Header.Peek("ETag"))
			err := json.Unmarshal(answer.Body(), &state)
			p.next = time.Duration(state.Next) * time.Second
			return err
		}
		return fmt.Errorf("a page answered %d: %s", answer.StatusCode(), answer.Body())
	}
}

// rate is how many calls a second were answered.
func (l load) rate() float64 { return float64(len(l.latencies)) / l.took.Seconds() }
