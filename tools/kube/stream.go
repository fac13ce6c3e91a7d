package kube

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"time"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// ids is a set of ids for concurrent use.
type ids struct {
	mu  sync.Mutex
	all map[string]bool
}

func (s *ids) add(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]bool{}
	}
	s.all[id] = true
}

// missing returns how many ids of other are not in s.
func (s *ids) missing(other *ids) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	other.mu.Lock()
	defer other.mu.Unlock()
	count := 0
	for id := range other.all {
		if !s.all[id] {
			count++
		}
	}
	return count
}

// stream is a live stream that reconnects with Last-Event-ID, as a browser does.
type stream struct {
	person   *client.Client
	http     *http.Client
	address  string
	last     string // id of the last frame
	seen     ids    // visits in its frames
	resets   ids    // positions at which it was reset; a reset counts as a missed event
	end      context.CancelFunc
	finished chan struct{}
}

func watch(ctx context.Context, o *office, person *client.Client, role, id string) *stream {
	ctx, cancel := context.WithCancel(ctx)
	s := &stream{
		person: person, http: o.http, finished: make(chan struct{}),
		address: o.url + "/api/stream?" + url.Values{"role": {role}, "user_id": {id}}.Encode(),
	}
	s.end = func() { cancel(); <-s.finished }
	go func() {
		defer close(s.finished)
		for ctx.Err() == nil {
			s.follow(ctx)
			_ = stack.Pause(ctx, 500*time.Millisecond)
		}
	}()
	return s
}

// silence is the time without a frame after which the stream reconnects. Heartbeats are frames. A killed pod does not
// close the stream.
const silence = 45 * time.Second

// follow reads one connection to its end.
func (s *stream) follow(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alive := time.AfterFunc(silence, cancel)
	defer alive.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, http.NoBody)
	if err != nil {
		return
	}
	request.Header.Set("Authorization", "Bearer "+s.person.Token())
	if s.last != "" {
		request.Header.Set("Last-Event-ID", s.last)
	}
	answer, err := s.http.Do(request)
	if err != nil {
		return
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return
	}
	for event, err := range httpclient.Events(answer.Body) {
		alive.Reset(silence)
		if err == nil {
			s.last = event.ID
			s.take(event.Data)
		}
	}
}

func (s *stream) take(data string) {
	var event struct {
		Data struct {
			VisitID string
			Reset   bool
		}
	}
	if json.Unmarshal([]byte(data), &event) != nil {
		return
	}
	if event.Data.Reset {
		s.resets.add(s.last)
	}
	if event.Data.VisitID != "" {
		s.seen.add(event.Data.VisitID)
	}
}

// convergence is the time limit for streams to get every event after a step. A dead stream reconnects after silence.
const convergence = silence + 15*time.Second

// awaitStreams waits, at most for convergence, until every stream has received every visit. It returns the number of
// missing visits and of resets, summed over the streams.
func (o *office) awaitStreams(ctx context.Context) int {
	for deadline := time.Now().Add(convergence); ; {
		missing := 0
		for _, s := range o.streams {
			missing += s.seen.missing(&o.made) + s.resets.size()
		}
		if missing == 0 || ctx.Err() != nil || time.Now().After(deadline) {
			return missing
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// reload waits, at most for convergence, until every stream has been reset. A screen then loads its lists
// again, so the reset streams count as having received every visit. reload returns the number of reset streams.
func (o *office) reload(ctx context.Context) int {
	for deadline := time.Now().Add(convergence); ; {
		reset := 0
		for _, s := range o.streams {
			if s.resets.size() > 0 {
				reset++
			}
		}
		if reset < len(o.streams) && ctx.Err() == nil && time.Now().Before(deadline) {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		for _, s := range o.streams {
			if s.resets.size() > 0 {
				s.resets.clear()
				s.seen.addAll(&o.made)
			}
		}
		return reset
	}
}

func (s *ids) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.all)
}

func (s *ids) addAll(other *ids) {
	other.mu.Lock()
	defer other.mu.Unlock()
	for id := range other.all {
		s.add(id)
	}
}

func (s *ids) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}
