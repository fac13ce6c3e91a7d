package chaos

import (
	"cmp"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/proof/checker"
)

// habit determines how a dashboard reads its stream.
type habit int

const (
	steady   habit = iota
	slow           // reads 1 KiB a second
	restless       // reconnects every 3 s
)

const (
	slowRate     = 1 << 10 // bytes a second
	restlessTime = 3 * time.Second
)

// dashboard is one open screen: it reads the stream and refetches its list after a change.
type dashboard struct {
	person *robot
	habit  habit
	path   string
	room   *room // what a screen of the waiting room shows; nil for other screens
	fetch  *rate.Limiter

	midnight time.Time // end of the office's day, when the list is refetched; zero: never

	mu     sync.Mutex
	frames []checker.Frame            // frames of visits
	others map[string][]checker.Frame // frames of each source other than visits
	screen []visit
	since  string          // position of the screen; empty: the whole list is fetched next
	line   []string        // ids of the visits of the line; nil: the screen does not show it
	last   string          // the position to resume from
	hasty  bool            // reads at full speed
	busy   bool            // a fetch is in flight
	cut    time.Time       // the time at which the server ended the last connection; zero: it did not
	gaps   []time.Duration // durations of the interruptions that the server caused
	dirty  chan struct{}
}

func newDashboard(person *robot, habit habit, fetch *rate.Limiter) *dashboard {
	path := "/api/visits/today"
	if person.role == "pa" {
		path = "/api/visits/pending-approval"
	}
	return &dashboard{
		person: person, habit: habit, path: path, fetch: fetch,
		others: map[string][]checker.Frame{}, dirty: make(chan struct{}, 1),
	}
}

func (d *dashboard) run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() {
		if d.room != nil {
			d.watch(ctx)
			return
		}
		d.refetch(ctx)
	})
	if !d.midnight.IsZero() {
		defer time.AfterFunc(time.Until(d.midnight)+afterMidnight, d.turnDay).Stop()
	}
	for ctx.Err() == nil {
		d.follow(ctx)
		d.person.later(ctx)
	}
	both.Wait()
}

// heal makes a slow dashboard read at full speed, for the end of a run. A restless board also stays connected from then
// on: each new connection causes another read, so the board would never be up to date.
func (d *dashboard) heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hasty = true
}

func (d *dashboard) isRestless() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.habit == restless && (d.room == nil || !d.hasty)
}

// follow reads one connection to its end.
func (d *dashboard) follow(ctx context.Context) {
	if d.isRestless() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, restlessTime)
		defer cancel()
	}
	query := url.Values{"role": {d.person.role}, "user_id": {d.person.id}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.person.address()+"/api/stream?"+query.Encode(), nil)
	if err != nil {
		return
	}
	request.Header.Set("Authorization", "Bearer "+d.person.token)
	d.mu.Lock()
	if d.last != "" {
		request.Header.Set("Last-Event-ID", d.last)
	}
	d.mu.Unlock()
	response, err := d.person.http.Do(request)
	if err != nil {
		return
	}
	defer func() { _ = response.Body.Close() }()
	defer d.noteCut(ctx)
	if response.StatusCode != http.StatusOK {
		d.person.checkLive(httpclient.Answer{Status: response.StatusCode}, "stream")
		return
	}
	for event, err := range httpclient.Events(dawdling{ctx, d, response.Body}) {
		if err == nil {
			d.take(event.ID, event.Data)
		}
	}
}

func (d *dashboard) noteCut(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() == nil && d.cut.IsZero() {
		d.cut = time.Now()
	}
}

// dawdling reads a stream at the speed of its dashboard. A slow dashboard reads at slowRate.
type dawdling struct {
	ctx    context.Context
	d      *dashboard
	stream io.Reader
}

func (r dawdling) Read(p []byte) (int, error) {
	r.d.mu.Lock()
	quick := r.d.habit != slow || r.d.hasty
	r.d.mu.Unlock()
	if quick {
		return r.stream.Read(p)
	}
	n, err := r.stream.Read(p[:min(len(p), slowRate/4)])
	sleep(r.ctx, time.Duration(n)*time.Second/slowRate)
	return n, err
}

// take records a frame, and marks the list as outdated if the frame may be a change.
func (d *dashboard) take(id, data string) {
	m := messageOf(id, data)
	f := m.frame("visits")
	d.mu.Lock()
	d.frames = append(d.frames, f)
	addOther(d.others, m)
	d.last = id
	if f.Type == checker.Connection && !d.cut.IsZero() {
		d.gaps = append(d.gaps, time.Since(d.cut))
		d.cut = time.Time{}
	}
	if d.room != nil {
		d.room.take(m, data)
	}
	d.mu.Unlock()
	if d.room == nil && (f.Type == checker.Mark || f.Type == checker.Connection && f.Resumed) {
		return
	}
	d.markDirty()
}

// afterMidnight is the delay after midnight with which a screen refetches its list.
const afterMidnight = 500 * time.Millisecond

func (d *dashboard) markDirty() {
	select {
	case d.dirty <- struct{}{}:
	default:
	}
}

// refetch fetches the list each time it is outdated, and again if that fails, until ctx ends.
func (d *dashboard) refetch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.dirty:
			d.setBusy(true)
		}
		for {
			if d.fetch.Wait(ctx) != nil {
				return
			}
			if d.fetchLists(ctx) {
				break
			}
			d.person.later(ctx)
		}
		d.setBusy(false)
	}
}

// fetchLists fetches the list's changes, and the line if the screen shows it. It reports whether both succeeded.
func (d *dashboard) fetchLists(ctx context.Context) bool {
	got, _, ok := d.person.changes(ctx, d.path, d.since)
	if !ok {
		return false
	}
	var line []string
	if d.line != nil {
		if line, ok = d.person.line(ctx); !ok {
			return false
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.show(got)
	if d.line != nil {
		d.line = line
	}
	return true
}

// show applies an answer to the screen. A server of the previous release sends the whole list, without a position.
func (d *dashboard) show(got listed) {
	d.since = got.Position
	if got.Reset || got.Position == "" {
		d.screen = got.Visits
		return
	}
	gone := map[string]bool{}
	for _, id := range got.Removed {
		gone[id] = true
	}
	for _, v := range got.Visits {
		gone[v.ID] = true
	}
	stayed := slices.DeleteFunc(slices.Clone(d.screen), func(v visit) bool { return gone[v.ID] })
	d.screen = slices.SortedFunc(slices.Values(append(stayed, got.Visits...)), d.order)
}

// order compares two visits by the order that api.yaml specifies for the screen's list.
func (d *dashboard) order(one, other visit) int {
	if d.person.role == "pa" {
		return cmp.Or(cmp.Compare(one.arrival(), other.arrival()), cmp.Compare(one.ID, other.ID))
	}
	place, offline := one.place()
	second, also := other.place()
	return cmp.Or(cmp.Compare(one.Day, other.Day), place-second, offline-also,
		cmp.Compare(one.arrival(), other.arrival()), cmp.Compare(one.Token, other.Token))
}

func (d *dashboard) setBusy(busy bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = busy
}

// isBehind reports whether the dashboard has received a change that it does not show yet.
func (d *dashboard) isBehind() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy || len(d.dirty) > 0 || d.room != nil && d.room.isBehind()
}

func (d *dashboard) result() checker.Dashboard {
	d.mu.Lock()
	defer d.mu.Unlock()
	result := checker.Dashboard{
		Name: d.person.name, Role: d.person.role, User: d.person.id, Frames: d.frames, Others: maps.Clone(d.others),
	}
	result.Line = d.line
	if d.room != nil {
		result.Looks = slices.Clone(d.room.looks)
	}
	for _, v := range d.screen {
		result.Screen = append(result.Screen, v.seen())
	}
	return result
}
