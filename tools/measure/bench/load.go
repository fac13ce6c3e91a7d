// Package bench measures Baari beside common alternatives, in one run and under the same load.
package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// load is the result of some clients, each of which sends its next request after the previous answer.
type load struct {
	calls     int
	took      time.Duration
	latencies []time.Duration // sorted
}

// perSecond is the rate.
func (l load) perSecond() float64 { return float64(l.calls) / l.took.Seconds() }

// quantile is the latency that a share of the calls did not exceed.
func (l load) quantile(share float64) time.Duration {
	if len(l.latencies) == 0 {
		return 0
	}
	return l.latencies[min(int(share*float64(len(l.latencies))), len(l.latencies)-1)]
}

// drive sends requests for a time, with one client and connection per request. Any
// answer but a success is an error.
func drive(ctx context.Context, requests []*fasthttp.Request, lasting time.Duration) (load, error) {
	calls := make([]call, len(requests))
	for i, template := range requests {
		request := &fasthttp.Request{} // one is not for two clients
		template.CopyTo(request)
		var hangUp func()
		calls[i], hangUp = asking(request)
		defer hangUp()
	}
	return repeat(ctx, calls, lasting)
}

// steady sends requests at a fixed rate and schedule: a client with a late answer sends its next request at once.
func steady(ctx context.Context, requests []*fasthttp.Request, rate float64, lasting time.Duration) (load, error) {
	calls := make([]call, len(requests))
	every := time.Duration(float64(len(requests)) / rate * float64(time.Second))
	began := time.Now()
	for i, template := range requests {
		request := &fasthttp.Request{}
		template.CopyTo(request)
		ask, hangUp := asking(request)
		defer hangUp()
		due := began.Add(every * time.Duration(i) / time.Duration(len(requests)))
		calls[i] = func(ctx context.Context) error {
			time.Sleep(time.Until(due))
			due = due.Add(every)
			return ask(ctx)
		}
	}
	return repeat(ctx, calls, lasting)
}

// call is one request of a client.
type call func(context.Context) error

// asking is a call over a connection of its own.
func asking(request *fasthttp.Request) (do call, hangUp func()) {
	client := &fasthttp.HostClient{Addr: string(request.Host()), MaxConns: 1}
	answer := &fasthttp.Response{}
	return func(context.Context) error {
		if err := client.Do(request, answer); err != nil {
			return err
		}
		if answer.StatusCode()/100 != 2 {
			return fmt.Errorf("%s answered %d: %s", request.URI().Path(), answer.StatusCode(), answer.Body())
		}
		return nil
	}, client.CloseIdleConnections
}

// repeat runs each client's call in a loop for a time.
func repeat(ctx context.Context, calls []call, lasting time.Duration) (load, error) {
	began := time.Now()
	end := began.Add(lasting)
	var mu sync.Mutex
	var clients sync.WaitGroup
	var all load
	var failed error
	for _, do := range calls {
		clients.Go(func() {
			latencies, err := do.until(ctx, end)
			mu.Lock()
			defer mu.Unlock()
			all.latencies = append(all.latencies, latencies...)
			if err != nil {
				failed = err
			}
		})
	}
	clients.Wait()
	all.took, all.calls = time.Since(began), len(all.latencies)
	slices.Sort(all.latencies)
	return all, failed
}

func (do call) until(ctx context.Context, end time.Time) (latencies []time.Duration, err error) {
	for began := time.Now(); began.Before(end); {
		if err := ctx.Err(); err != nil {
			return latencies, err
		}
		if err := do(ctx); err != nil {
			return latencies, err
		}
		now := time.Now()
		latencies = append(latencies, now.Sub(began))
		began = now
	}
	return latencies, nil
}

// median is the middle of some measurements of the same.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
