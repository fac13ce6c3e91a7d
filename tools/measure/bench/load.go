package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// load is the result of clients that each send their next call after the previous answer.
type load struct {
	calls     int
	took      time.Duration
	latencies latencies
}

func (l load) perSecond() float64 { return float64(l.calls) / l.took.Seconds() }

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
// changes the request before each call. Any answer but 2xx is an error. close closes the connection.
func connect(request *fasthttp.Request, prepare func(*fasthttp.Request)) (do call, close func()) {
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
	}, connection.CloseIdleConnections
}

// repeat lets clients repeat their calls for a time. open returns the call of client i and a function that closes it.
func repeat(ctx context.Context, clients int, lasting time.Duration, open func(i int) (call, func())) (load, error) {
	calls := make([]call, clients)
	for i := range calls {
		var closeClient func()
		calls[i], closeClient = open(i)
		defer closeClient()
	}
	began := time.Now()
	var mu sync.Mutex
	var running sync.WaitGroup
	var all load
	var failed error
	for _, do := range calls {
		running.Go(func() {
			took, err := do.until(ctx, began.Add(lasting))
			mu.Lock()
			defer mu.Unlock()
			all.latencies = append(all.latencies, took...)
			if err != nil {
				failed = err
			}
		})
	}
	running.Wait()
	all.took, all.calls = time.Since(began), len(all.latencies)
	return all, failed
}

func (do call) until(ctx context.Context, end time.Time) (took latencies, err error) {
	for began := time.Now(); began.Before(end) && err == nil; {
		if err = do(ctx); err == nil {
			now := time.Now()
			took = append(took, now.Sub(began))
			began = now
			err = ctx.Err()
		}
	}
	return took, err
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
