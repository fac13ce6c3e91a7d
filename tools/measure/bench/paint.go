package bench

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/measure/traces"
	"baari.dev/tools/stack"
)

// PaintPlan sets the number of measured changes and of other open streams, and the programs.
type PaintPlan struct {
	Changes, Streams int
	Node             *stack.Node
	Chromium         string
}

// hopNames are the parts of the way from the commit to the screen, each from the end of the one before.
var hopNames = []string{
	"the relay takes it up", "numbered and published", "realtime takes it up", "encoded and handed to the streams",
	"to the page, which waits 40 ms for more", "the list is asked for again", "rendered and painted",
}

// hops are the timestamps of one change, from the commit to the paint: one more than there are parts.
type hops [8]time.Time

// betweenChanges is the pause in which the page becomes idle.
const betweenChanges = 150 * time.Millisecond

// Paint opens streams and the PA's dashboard in a browser, and measures the time from the commit of each new visit to
// the paint of its card. It returns Advice if the user can fix the cause of an error.
func Paint(ctx context.Context, options stack.Options, plan PaintPlan) (*Report, error) {
	if err := os.Setenv("TRACE_RECENT", "20000"); err != nil {
		return nil, err
	}
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return nil, err
	}
	defer system.Stop()
	pa, err := system.Users["pa"].ID(ctx)
	if err != nil {
		return nil, err
	}
	others, err := openStreams(ctx, system.direct("realtime", "pa"), "pa", pa, plan.Streams)
	if err != nil {
		return nil, err
	}
	defer others.close()
	page, err := system.openPage(ctx, options, plan)
	if err != nil {
		return nil, err
	}
	defer page.close()
	var all []hops
	err = options.Progress.Step(fmt.Sprintf("measuring beside %d other streams", plan.Streams), func() error {
		changes, err := page.measure(ctx, plan.Changes)
		if err == nil {
			all, err = page.hops(ctx, changes)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return paintReport(all, plan), nil
}

// paintReport returns the quantiles of each part and of the whole way.
func paintReport(all []hops, plan PaintPlan) *Report {
	r := newReport()
	table := r.table(" %s", "p50, ms %.1f", "p99, ms %.1f")
	add := func(name string, from, to int) (p50, p99 float64) {
		var took latencies
		for _, h := range all {
			took = append(took, h[to].Sub(h[from]))
		}
		p50, p99 = took.quantile(.5), took.quantile(.99)
		table.add(name, p50, p99)
		return p50, p99
	}
	parts := make([]string, len(hopNames))
	for i, name := range hopNames {
		p50, _ := add(name, i, i+1)
		parts[i] = fmt.Sprintf("%s %.1f", name, p50)
	}
	p50, p99 := add("from the commit to the paint", 0, len(hopNames))
	r.note("%d of %d changes with their whole trace, %d other open streams", len(all), plan.Changes, plan.Streams)
	r.note("%d processors, which PostgreSQL, Redis, the browser and the other streams share", runtime.NumCPU())
	r.row = fmt.Sprintf("%d changes beside %d other streams: from the commit to the paint %.0f ms (p50), %.0f ms (p99); ",
		len(all), plan.Streams, p50, p99) + "medians of the parts, ms: " + strings.Join(parts, ", ")
	return r
}

// page is a dashboard in a browser.
type page struct {
	system  *system
	browser *exec.Cmd
	input   io.Closer // closing it ends the browser
	lines   *bufio.Scanner
}

// openPage returns when the PA's dashboard is connected.
func (s *system) openPage(ctx context.Context, options stack.Options, plan PaintPlan) (*page, error) {
	accounts := s.Accounts()
	pa := accounts[slices.IndexFunc(accounts, func(a stack.Account) bool { return a.Role == "pa" })]
	script := filepath.Join("scripts", "paint.ts")
	browser := plan.Node.Command(ctx, filepath.Join(options.Root, "web"), "node", script)
	browser.Env = append(browser.Env, "BAARI_URL="+s.URL(), "BAARI_CHROMIUM="+plan.Chromium, "BAARI_EMAIL="+pa.Email,
		"BAARI_PASSWORD="+pa.Password)
	browser.Stderr = os.Stderr
	input, err := browser.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := browser.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &page{s, browser, input, bufio.NewScanner(output)}
	if err := browser.Start(); err != nil {
		return nil, fmt.Errorf("the browser: %w", err)
	}
	if !p.lines.Scan() {
		p.close()
		return nil, errors.Join(errors.New("the browser does not open the dashboard"), p.lines.Err())
	}
	return p, nil
}

func (p *page) close() {
	_ = p.browser.Process.Kill()
	_ = p.browser.Wait()
}

// painted is the browser's report of a visit: the times of request, response and paint in ms since 1970.
type painted struct {
	Visit                    string
	Asked, Answered, Painted float64
}

// measure registers one visit after the other, waits for its paint, and denies it, so that the list stays short. It
// returns the browser's reports by trace.
func (p *page) measure(ctx context.Context, changes int) (map[string]painted, error) {
	found := map[string]painted{}
	for n := range warmCalls + changes {
		visit, trace, err := p.register(ctx)
		if err != nil {
			return nil, err
		}
		report, err := p.awaitPaint(visit)
		if err != nil {
			return nil, err
		}
		if n >= warmCalls {
			found[trace] = report
		}
		err = p.system.Change(ctx, "pa", visit, "denied")
		if err = errors.Join(err, stack.Pause(ctx, betweenChanges)); err != nil {
			return nil, err
		}
	}
	return found, p.input.Close()
}

// register registers a visitor in a sampled trace of a new ID.
func (p *page) register(ctx context.Context) (visit, trace string, err error) {
	ids := make([]byte, 24)
	_, _ = rand.Read(ids) // never fails
	trace = hex.EncodeToString(ids[:16])
	reception := *p.system.Users["reception"]
	reception.HTTP = &http.Client{Transport: traced("00-" + trace + "-" + hex.EncodeToString(ids[16:]) + "-01")}
	var made struct{ Visit struct{ ID string } }
	err = reception.Call(ctx, http.MethodPost, "/api/visits", p.system.Visitor(), &made)
	return made.Visit.ID, trace, err
}

// traced is an http.RoundTripper that sends a traceparent header.
type traced string

func (t traced) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Traceparent", string(t))
	return http.DefaultTransport.RoundTrip(request)
}

// awaitPaint reads the browser's reports until it has painted a visit.
func (p *page) awaitPaint(visit string) (report painted, err error) {
	for report.Visit != visit {
		if !p.lines.Scan() {
			return report, errors.Join(errors.New("the browser has ended"), p.lines.Err())
		}
		if err := json.Unmarshal(p.lines.Bytes(), &report); err != nil {
			return report, fmt.Errorf("the browser wrote %q: %w", p.lines.Text(), err)
		}
	}
	return report, nil
}

// hops returns the timestamps of the changes whose whole trace the programs still keep.
func (p *page) hops(ctx context.Context, changes map[string]painted) (all []hops, err error) {
	spans, err := traces.Collect(ctx, p.system.Admin())
	if err != nil {
		return nil, err
	}
	byTrace := map[string][]traces.Span{}
	for _, span := range spans {
		byTrace[span.TraceID] = append(byTrace[span.TraceID], span)
	}
	for trace, report := range changes {
		if found, ok := hopsOf(byTrace[trace], report); ok {
			all = append(all, found)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no change has a whole trace")
	}
	return all, nil
}

// hopsOf reads the timestamps of a change from its trace and the browser's report. ok is false if a span is missing.
func hopsOf(spans []traces.Span, report painted) (found hops, ok bool) {
	ok = true
	find := func(program, name string) (begin, end time.Time) {
		i := slices.IndexFunc(spans, func(s traces.Span) bool {
			return s.Program == program && strings.HasPrefix(strings.ToLower(s.Name), name)
		})
		if i < 0 {
			ok = false
			return begin, end
		}
		return spans[i].Start, spans[i].Start.Add(spans[i].Duration)
	}
	_, committed := find("visits", "commit")
	publishing, published := find("visits", "publish visit_created")
	processing, _ := find("realtime", "process visit_created")
	_, sent := find("realtime", "send visit_created")
	at := func(ms float64) time.Time { return time.UnixMicro(int64(ms * 1e3)) }
	return hops{
		committed, publishing, published, processing, sent, at(report.Asked), at(report.Answered), at(report.Painted),
	}, ok
}
