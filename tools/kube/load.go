package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"baari.dev/tools/sample/client"
)

const (
	perMade = 6 // number of requests per new visit
	timeout = 10 * time.Second
)

// load sends requests until it is stopped. It retries none.
type load struct {
	cancel context.CancelFunc
	done   chan struct{}

	begun  atomic.Int64
	mu     sync.Mutex
	result result
}

type result struct {
	requests, made int
	failures       []error
	first, last    time.Time // beginnings of the first and the last failed request
}

// outage returns the time from the beginning of the first failed request to the beginning of the last one.
func (r result) outage() time.Duration { return r.last.Sub(r.first) }

// work starts a load of the given rate on every service except lobby, by users of every role.
func (o *office) work(ctx context.Context, rate int) *load {
	ctx, cancel := context.WithCancel(ctx)
	l := &load{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		var open sync.WaitGroup
		defer open.Wait()
		ticker := time.NewTicker(time.Second / time.Duration(rate))
		defer ticker.Stop()
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				l.begun.Add(1)
				open.Go(func() {
					began := time.Now()
					made, err := o.request(context.WithoutCancel(ctx), n)
					l.count(began, made, err)
				})
			}
		}
	}()
	return l
}

// request sends the n-th request: a new visit, or one of the requests of a screen.
func (o *office) request(ctx context.Context, n int) (made bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if n%perMade == 0 {
		_, err := o.visit(ctx)
		return err == nil, err
	}
	reads := []struct{ role, path string }{
		{"reception", "/api/services"}, {"pa", "/api/analytics/dashboard"}, {"admin", "/api/users?limit=10"},
		{"consultant", "/api/visits/today"}, {"pa", "/api/stream/notifications"},
	}
	read := reads[n%len(reads)]
	if err := o.Users[read.role].Call(ctx, http.MethodGet, read.path, nil, nil); err != nil {
		return false, fmt.Errorf("%s: %w", read.path, err)
	}
	return false, nil
}

func (l *load) inFlight() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.begun.Load()) - l.result.requests
}

func (l *load) count(began time.Time, made bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.requests++
	if made {
		l.result.made++
	}
	if err == nil {
		return
	}
	if l.result.first.IsZero() || began.Before(l.result.first) {
		l.result.first = began
	}
	if began.After(l.result.last) {
		l.result.last = began
	}
	l.result.failures = append(l.result.failures, err)
}

// stop ends the load when every open request is answered.
func (l *load) stop() result {
	l.cancel()
	<-l.done
	return l.result
}

// causes counts the failures by status and code, not by message, because each message has its own request id.
func (r result) causes() []string {
	times := map[string]int{}
	for _, failure := range r.failures {
		cause := failure.Error()
		var rejected *client.Rejected
		if errors.As(failure, &rejected) {
			cause = fmt.Sprintf("status %d %s", rejected.Status, rejected.Code)
		}
		times[cause]++
	}
	var lines []string
	for cause, n := range times {
		lines = append(lines, fmt.Sprintf("%d x %s", n, cause))
	}
	slices.Sort(lines)
	return lines
}
