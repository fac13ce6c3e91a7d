package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// PagesPlan describes the visitors with an open page, and the links that an intruder tries.
type PagesPlan struct {
	Day    QueuePlan
	Pages  int
	Each   time.Duration // of each measurement
	Probes int           // links tried a second
}

// The pages that are open while links are tried, and the addresses from which they are.
const (
	pagesMeanwhile = 50
	probeAddresses = 8
	probeClients   = 64
)

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

// measureProbes starts a system with its limits, in which an intruder tries links from some addresses.
func measureProbes(ctx context.Context, options stack.Options, plan PagesPlan, r *Report) error {
	options.Gateway = stack.Embedded
	started, err := stack.Start(ctx, options)
	if err != nil {
		return err
	}
	defer started.Stop()
	system := &system{Stack: started, host: hostOf(started, "gateway")}
	if system.Staff, err = staff.SignIn(ctx, system.URL(), system.Accounts(), nil); err != nil {
		return err
	}
	pages, err := system.openPages(ctx, options, pagesMeanwhile)
	if err != nil {
		return err
	}
	table := r.table("%s", "links tried a second %.0f", "answered 404 %d", "429 %d", "others %d",
		"a page's state, p95, ms %.1f", "a registration, p95, ms %.1f", "of a core in gateway, %% %.1f", "in lobby, %% %.1f",
		"in visits, %% %.1f")
	var shares [2][]any
	pids := []int{system.Process("gateway").PID, system.Process("lobby").PID, system.Process("visits").PID}
	measure := func(i int, work func() error) (both [2]load, err error) {
		used, err := spent(pids, func() error {
			both, err = system.officeBeside(ctx, pages, plan.Each, work)
			return err
		})
		for _, one := range used {
			shares[i] = append(shares[i], 100*one.Seconds()/plan.Each.Seconds())
		}
		return both, err
	}
	before, err := measure(0, nil)
	if err != nil {
		return err
	}
	table.add(append([]any{"quiet", nil, nil, nil, nil, before[0].latencies.quantile(.95),
		before[1].latencies.quantile(.95)}, shares[0]...)...)
	var tried probes
	during, err := measure(1, func() error {
		return tried.run(ctx, system.host, plan.Probes, plan.Each)
	})
	if err != nil {
		return err
	}
	answered := tried.misses.Load() + tried.limited.Load() + tried.others.Load()
	rate := float64(answered) / plan.Each.Seconds()
	table.add(append([]any{"probed", rate, tried.misses.Load(), tried.limited.Load(), tried.others.Load(),
		during[0].latencies.quantile(.95), during[1].latencies.quantile(.95)}, shares[1]...)...)
	r.note("links are tried from %d addresses; no limit of the system is off", probeAddresses)
	r.goal("links that an intruder found", "0", float64(tried.others.Load()))
	r.goal("ms for 95 of 100 registrations meanwhile", "<= 150", during[1].latencies.quantile(.95))
	r.goal("ms for 95 of 100 states of open pages meanwhile", "<= 50", during[0].latencies.quantile(.95))
	return nil
}

// officeBeside reads the pages and registers five visitors a second while work runs.
func (s *system) officeBeside(ctx context.Context, pages openPages, lasting time.Duration, work func() error) (
	both [2]load, err error,
) {
	var mu sync.Mutex
	registered := load{took: lasting}
	running, ctx := errgroup.WithContext(ctx)
	running.Go(func() error {
		for end := time.Now().Add(lasting); time.Now().Before(end); {
			sent := time.Now()
			if _, err := s.Register(ctx, s.Visitor()); err != nil {
				return err
			}
			mu.Lock()
			registered.latencies = append(registered.latencies, time.Since(sent))
			mu.Unlock()
			if err := stack.Pause(ctx, 200*time.Millisecond-time.Since(sent)); err != nil {
				return err
			}
		}
		return nil
	})
	running.Go(func() (err error) {
		both[0], err = pages.read(ctx, lasting, work)
		return err
	})
	err = running.Wait()
	both[1] = registered
	return both, err
}

// probes counts the answers to links that were tried.
type probes struct{ misses, limited, others atomic.Int64 }

// run tries links at a rate from several addresses of this machine.
func (p *probes) run(ctx context.Context, host string, rate int, lasting time.Duration) error {
	const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	running, ctx := errgroup.WithContext(ctx)
	each := time.Duration(float64(time.Second) * probeClients / float64(rate))
	for i := range probeClients {
		running.Go(func() error {
			from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%probeAddresses))}}
			connection := &fasthttp.HostClient{Addr: host, MaxConns: 1, Dial: func(to string) (net.Conn, error) {
				return from.DialContext(ctx, "tcp4", to)
			}}
			request, answer := &fasthttp.Request{}, &fasthttp.Response{}
			code := make([]byte, 20)
			end := time.Now().Add(lasting)
			for due := time.Now(); due.Before(end) && time.Now().Before(end); due = due.Add(each) {
				if err := stack.Pause(ctx, time.Until(due)); err != nil {
					return err
				}
				for at := range code {
					code[at] = letters[rand.IntN(len(letters))]
				}
				request.SetRequestURI("http://" + host + "/q/" + string(code))
				if err := connection.Do(request, answer); err != nil {
					if errors.Is(err, io.EOF) {
						continue
					}
					return err
				}
				switch answer.StatusCode() {
				case http.StatusNotFound:
					p.misses.Add(1)
				case http.StatusTooManyRequests:
					p.limited.Add(1)
				default:
					p.others.Add(1)
				}
			}
			return nil
		})
	}
	return running.Wait()
}
