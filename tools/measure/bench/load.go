package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

// load is the result of clients that each send their next call after the previous answer.
type load struct {
	took      time.Duration
	latencies latencies // one for each call
}

// latencies are the durations of calls.
type latencies []time.Duration

// quantile returns the latency in ms that this share of the calls did not exceed, 0 without calls.
func (l latencies) quantile(share float64) float64 {
	if len(l) == 0 {
		return 0
	}
	slices.Sort(l)
	return milliseconds(l[min(int(share*float64(len(l))), len(l)-1)])
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }
func microseconds(d time.Duration) float64 { return d.Seconds() * 1e6 }

// call sends one request of a client.
type call func(context.Context) error

// target is a server, and the session token that its clients send.
type target struct{ host, token string }

// request returns a request with a JSON body, or without a body if it is nil.
func (t target) request(method, path string, body any) *fasthttp.Request {
	request := &fasthttp.Request{}
	request.Header.SetMethod(method)
	request.SetRequestURI("http://" + t.host + path)
	if t.token != "" {
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err) // bodies are maps of strings
		}
		request.Header.SetContentType("application/json")
		request.SetBody(text)
	}
	return request
}

// connect returns a call over its own connection that sends the same request each time; prepare, if it is not nil,
// changes the request before each call. Any answer but 2xx is an error. The connection closes when it was idle for ten
// seconds.
func connect(request *fasthttp.Request, prepare func(*fasthttp.Request)) call {
	connection := &fasthttp.HostClient{Addr: string(request.Host()), MaxConns: 1}
	answer := &fasthttp.Response{}
	return func(context.Context) error {
		if prepare != nil {
			prepare(request)
		}
		if err := connection.Do(request, answer); err != nil {
			return err
		}
		if answer.StatusCode()/100 != 2 {
			return fmt.Errorf("%s answered %d: %s", request.URI().Path(), answer.StatusCode(), answer.Body())
		}
		return nil
	}
}

// clients returns the call of each client.
type clients func(client int) call

// repeat lets n clients repeat their calls for a time. The first error ends the load.
func (c clients) repeat(ctx context.Context, n int, lasting time.Duration) (load, error) {
	calls, took := make([]call, n), make([]latencies, n)
	for i := range calls {
		calls[i] = c(i)
	}
	running, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for i, do := range calls {
		running.Go(func() error {
			for now := time.Now(); now.Before(began.Add(lasting)) && ctx.Err() == nil; {
				if err := do(ctx); err != nil {
					return err
				}
				sent := now
				now = time.Now()
				took[i] = append(took[i], now.Sub(sent))
			}
			return ctx.Err()
		})
	}
	err := running.Wait()
	return load{time.Since(began), slices.Concat(took...)}, err
}

// Plan sets the duration of a measurement and how often it is repeated; medians over the rounds are reported.
type Plan struct {
	Each   time.Duration
	Rounds int
}

func (p Plan) String() string { return fmt.Sprintf("%d rounds of %s each", p.Rounds, p.Each) }

// series are the figures of one side of a comparison, by name, one for each round.
type series map[string][]float64

func (s series) add(name string, value float64) { s[name] = append(s[name], value) }

// load measures calls of n clients and adds, each after the name of the calls: their number, their rate per second,
// p50 and p99 in ms, and the processor time in us that one call takes in each of the processes, as "CPU 0", "CPU 1".
func (s series) load(
	ctx context.Context, name string, c clients, n int, lasting time.Duration, processes ...int,
) error {
	var done load
	used, err := spent(processes, func() (err error) {
		done, err = c.repeat(ctx, n, lasting)
		return err
	})
	if err != nil {
		return err
	}
	calls := float64(max(1, len(done.latencies)))
	s.add(name+" calls", calls)
	s.add(name+" rate", calls/done.took.Seconds())
	s.add(name+" p50", done.latencies.quantile(.5))
	s.add(name+" p99", done.latencies.quantile(.99))
	for i, each := range used {
		s.add(fmt.Sprintf("%s CPU %d", name, i), microseconds(each)/calls)
	}
	return nil
}

// median returns the middle of a figure's rounds, 0 without any.
func (s series) median(name string) float64 { return median(s[name]) }

// ratios returns a figure round by round, divided by the same figure of another side.
func (s series) ratios(name string, other series) []float64 {
	all := make([]float64, len(s[name]))
	for i, value := range s[name] {
		all[i] = value / other[name][i]
	}
	return all
}

// alternate measures the sides in turns, so that other load on the machine affects each of them. The figures of the
// first round are dropped: it is the warm-up.
func alternate(rounds int, sides ...func(series) error) ([]series, error) {
	all := make([]series, len(sides))
	for round := range rounds + 1 {
		for i, measure := range sides {
			if round <= 1 {
				all[i] = series{}
			}
			if err := measure(all[i]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
