package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"baari.dev/tools/sample/client"
)

const (
	rate    = 30 // requests a second of all users together, unless a step says otherwise
	perMade = 6  // one in so many makes a visit
	timeout = 10 * time.Second
)

// load runs until it is stopped. Nothing is retried.
type load struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	begun  int
	result result
}

type result struct {
	requests, made int
	failures       []error
}

// work starts sending at this rate: to every service, and as users of every role.
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
				l.begin()
				open.Go(func() { l.count(o.ask(context.WithoutCancel(ctx), n)) })
			}
		}
	}()
	return l
}

// ask is the n-th request: a new visit, or something that a screen reads.
func (o *office) ask(ctx context.Context, n int) (made bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if n%perMade == 0 {
		_, err := o.visit(ctx)
		return err == nil, err
	}
	reads := []struct {
		by   *client.Client
		path string
	}{
		{&o.reception, "/api/services"}, {&o.pa, "/api/analytics/dashboard"}, {&o.admin, "/api/users?limit=10"},
		{&o.consultant, "/api/visits/today"}, {&o.pa, "/api/stream/notifications"},
	}
	read := reads[n%len(reads)]
	if err := read.by.Call(ctx, http.MethodGet, read.path, nil, nil); err != nil {
		return false, fmt.Errorf("%s: %w", read.path, err)
	}
	return false, nil
}

func (l *load) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun++
}

// inFlight is how many requests are not answered yet.
func (l *load) inFlight() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun - l.result.requests
}

func (l *load) count(made bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.requests++
	if made {
		l.result.made++
	}
	if err != nil {
		l.result.failures = append(l.result.failures, err)
	}
}

// stop ends the work once every open request is answered.
func (l *load) stop() result {
	l.cancel()
	<-l.done
	return l.result
}

// causes counts each kind of failure: an error by its status and code, because each request has an id of its own.
func (r result) causes() []string {
	times := map[string]int{}
	for _, failure := range r.failures {
		cause := failure.Error()
		var refused *client.Refused
		if errors.As(failure, &refused) {
			cause = fmt.Sprintf("status %d %s", refused.Status, refused.Code)
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
