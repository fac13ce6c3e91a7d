package chaos

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"baari.dev/tools/checker"
)

// habit is how a dashboard reads its stream.
type habit int

const (
	steady   habit = iota
	slow           // reads 1 KiB a second
	restless       // comes anew every 3 s
)

const (
	slowRate     = 1 << 10 // bytes a second
	restlessTime = 3 * time.Second
)

// dashboard is one open screen: it follows the stream and fetches its list again when it is told of a change.
type dashboard struct {
	person *robot
	habit  habit
	path   string // of its list
	fetch  *rate.Limiter

	mu     sync.Mutex
	frames []checker.Frame
	screen []visit
	last   string          // the position it would resume from
	hasty  bool            // stops being slow
	busy   bool            // a fetch goes on
	cut    time.Time       // when the other side ended the last connection; zero: it did not
	gaps   []time.Duration // how long each such gap was
	dirty  chan struct{}
}

func newDashboard(person *robot, habit habit, fetch *rate.Limiter) *dashboard {
	path := "/api/visits/today"
	if person.role == "pa" {
		path = "/api/visits/pending-approval"
	}
	return &dashboard{person: person, habit: habit, path: path, fetch: fetch, dirty: make(chan struct{}, 1)}
}

// run keeps the screen open until ctx ends.
func (d *dashboard) run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { d.refetch(ctx) })
	for ctx.Err() == nil {
		d.follow(ctx)
		d.person.later(ctx)
	}
	both.Wait()
}

// heal lets a slow dashboard read at full speed, for the end of a run.
func (d *dashboard) heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hasty = true
}

// follow reads one connection to its end.
func (d *dashboard) follow(ctx context.Context) {
	if d.habit == restless {
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
		d.person.checkLive(answer{status: response.StatusCode}, "stream")
		return
	}
	d.read(ctx, response.Body)
}

// noteCut remembers when a connection was ended by the other side.
func (d *dashboard) noteCut(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() == nil && d.cut.IsZero() {
		d.cut = time.Now()
	}
}

func (d *dashboard) read(ctx context.Context, body io.Reader) {
	lines := bufio.NewReader(body)
	id, data := "", ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		d.dawdle(ctx, len(line))
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" && data != "":
			d.take(id, data)
			data = ""
		case strings.HasPrefix(line, "id: "):
			id = line[len("id: "):]
		case strings.HasPrefix(line, "data: "):
			data = line[len("data: "):]
		}
	}
}

// dawdle makes a slow reader slow.
func (d *dashboard) dawdle(ctx context.Context, read int) {
	d.mu.Lock()
	quick := d.habit != slow || d.hasty
	d.mu.Unlock()
	if quick {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(read) * time.Second / slowRate):
	}
}

// take keeps one frame and remembers that the list has to be fetched again.
func (d *dashboard) take(id, data string) {
	f := frameOf(id, data)
	d.mu.Lock()
	d.frames = append(d.frames, f)
	d.last = id
	if f.Type == checker.Connection && !d.cut.IsZero() {
		d.gaps = append(d.gaps, time.Since(d.cut))
		d.cut = time.Time{}
	}
	d.mu.Unlock()
	if f.Type == checker.Mark || f.Type == checker.Connection && f.Resumed {
		return
	}
	select {
	case d.dirty <- struct{}{}:
	default:
	}
}

var visitsPlace = regexp.MustCompile(`(?:^|;)visits=([0-9a-f-]+):([0-9]+)`)

// frameKeys are the keys of a frame's data by type (api.md section 6); one more is a leak.
var frameKeys = map[string]map[string]bool{
	"visit_created":    keySet("visitId", "version", "token", "name", "service"),
	"visit_approved":   keySet("visitId", "version", "token", "service", "assignedConsultant"),
	"visit_denied":     keySet("visitId", "version", "token", "name", "service"),
	"visit_in_session": keySet("visitId", "version", "token", "name", "service", "assignedConsultant"),
	"visit_completed":  keySet("visitId", "version", "token", "name", "service", "assignedConsultant", "duration"),
	"status_update":    keySet("visitId", "version", "token", "entity", "entityId", "reset"),
}

func frameOf(id, data string) checker.Frame {
	var live struct {
		Type string
		Data map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(data), &live); err != nil {
		return checker.Frame{Type: checker.Mark, Strange: fmt.Sprintf("a frame that is no JSON: %v", err)}
	}
	f := checker.Frame{Type: live.Type}
	if place := visitsPlace.FindStringSubmatch(id); place != nil {
		f.Epoch = place[1]
		f.Seq, _ = strconv.ParseInt(place[2], 10, 64) // digits
	}
	if allowed, known := frameKeys[live.Type]; known {
		for key := range live.Data {
			if !allowed[key] {
				f.Strange = fmt.Sprintf("%s with the field %s", live.Type, key)
			}
		}
	}
	decode(live.Data["visitId"], &f.Visit)
	decode(live.Data["version"], &f.Version)
	decode(live.Data["resumed"], &f.Resumed)
	var reset bool
	decode(live.Data["reset"], &reset)
	switch {
	case reset:
		f.Type = checker.Reset
	case live.Type != checker.Connection && f.Visit == "":
		f.Type = checker.Mark
	}
	return f
}

// decode reads a value that may be absent.
func decode(text json.RawMessage, into any) {
	if len(text) > 0 {
		_ = json.Unmarshal(text, into) // another form counts as absent; the checker then misses the frame
	}
}

// refetch keeps the list as new as the last thing that the screen was told.
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
			if seen, ok := d.person.list(ctx, d.path); ok {
				d.mu.Lock()
				d.screen = seen.visits
				d.mu.Unlock()
				break
			}
			d.person.later(ctx)
		}
		d.setBusy(false)
	}
}

func (d *dashboard) setBusy(busy bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = busy
}

// isBehind tells whether the dashboard was told of something that it does not show yet.
func (d *dashboard) isBehind() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy || len(d.dirty) > 0
}

// result is what the checker needs to know of the screen.
func (d *dashboard) result() checker.Dashboard {
	d.mu.Lock()
	defer d.mu.Unlock()
	result := checker.Dashboard{Name: d.person.name, Role: d.person.role, User: d.person.id, Frames: d.frames}
	for _, v := range d.screen {
		result.Screen = append(result.Screen, v.seen())
	}
	return result
}
