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
	"text/tabwriter"
	"time"

	"baari.dev/tools/measure/traces"
	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// PaintPlan sets how many visits are painted, with how many other streams.
type PaintPlan struct {
	Changes  int // that are measured
	Streams  int // opened by other users
	Node     *stack.Node
	Chromium string // the browser
}

// Hop is one part of the way from the commit to the screen; times are in milliseconds.
type Hop struct {
	Name   string  `json:"name"`
	Median float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
}

// PaintReport is how long a change takes to the screen of a real browser.
type PaintReport struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Changes    int       `json:"changes"`
	Streams    int       `json:"other_streams"`
	Traced     int       `json:"traced"` // changes whose whole trace was there
	Total      Hop       `json:"total"`
	Hops       []Hop     `json:"hops"`
	Verdict
}

// hopNames are the parts in their order, each from the end of the one before.
var hopNames = []string{
	"the relay takes it up", "numbered and published", "realtime takes it up", "encoded and handed to the streams", "to the page, which waits 40 ms for more",
	"the list is asked for again", "rendered and painted",
}

// hops are the moments of one change, from the commit to the paint: one more than there are parts.
type hops [8]time.Time

// Paint starts a system with open streams, opens the PA's dashboard in a browser, and measures from the commit of each
// new visitor to the paint of their card. It returns Advice where the user can correct the cause of a failure.
func Paint(ctx context.Context, options stack.Options, plan PaintPlan) (PaintReport, error) {
	report := PaintReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Changes: plan.Changes, Streams: plan.Streams}
	if err := os.Setenv("TRACE_RECENT", "20000"); err != nil {
		return report, err
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return report, err
	}
	options.Port, options.NoLimits, options.Gateway = ports[0], true, stack.Embedded
	system, err := stack.Start(ctx, options)
	if err != nil {
		return report, err
	}
	defer system.Stop()
	v, err := openView(ctx, system, options, plan)
	if err != nil {
		return report, err
	}
	defer v.close()
	err = options.Progress.Step(fmt.Sprintf("measuring beside %d other streams", plan.Streams), func() error { return v.measure(ctx, plan.Changes) })
	if err != nil {
		return report, err
	}
	moments, err := v.moments(ctx)
	if err != nil {
		return report, err
	}
	report.summarize(moments)
	return report, nil
}

// view is a dashboard in a browser, with the clients that cause its changes.
type view struct {
	system    *stack.Stack
	reception *client.Client
	pa        *client.Client
	service   string
	others    *listeners
	browser   *exec.Cmd
	leave     io.Closer
	lines     *bufio.Scanner
	seen      map[string]seen   // by visit
	traces    map[string]string // trace by visit
}

func openView(ctx context.Context, system *stack.Stack, options stack.Options, plan PaintPlan) (*view, error) {
	v := &view{system: system, seen: map[string]seen{}, traces: map[string]string{}}
	people := map[string]stack.Account{}
	for _, account := range slices.Backward(system.Accounts()) {
		people[account.Role] = account
	}
	v.reception, v.pa = &client.Client{Base: system.URL()}, &client.Client{Base: system.URL()}
	for role, person := range map[string]*client.Client{"reception": v.reception, "pa": v.pa} {
		if err := person.SignIn(ctx, people[role].Email, people[role].Password); err != nil {
			return nil, err
		}
	}
	var offered struct{ Services []struct{ ID string } }
	if err := v.reception.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return nil, err
	}
	v.service = offered.Services[0].ID
	id, err := v.pa.ID(ctx)
	if err != nil {
		return nil, err
	}
	host := strings.TrimPrefix(system.Public("realtime"), "http://")
	if v.others, err = listen(ctx, host, streamRequest(host, "pa", id, v.pa.Token()), plan.Streams); err != nil {
		return nil, err
	}
	if err := v.openBrowser(ctx, options, plan, people["pa"]); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// openBrowser returns when the dashboard is connected.
func (v *view) openBrowser(ctx context.Context, options stack.Options, plan PaintPlan, pa stack.Account) error {
	web := filepath.Join(options.Root, "web")
	v.browser = plan.Node.Command(ctx, web, "node", filepath.Join("scripts", "paint.ts"))
	v.browser.Env = append(v.browser.Env, "BAARI_URL="+v.system.URL(), "BAARI_CHROMIUM="+plan.Chromium, "BAARI_EMAIL="+pa.Email, "BAARI_PASSWORD="+pa.Password)
	v.browser.Stderr = os.Stderr
	input, err := v.browser.StdinPipe()
	if err != nil {
		return err
	}
	output, err := v.browser.StdoutPipe()
	if err != nil {
		return err
	}
	v.leave, v.lines = input, bufio.NewScanner(output)
	if err := v.browser.Start(); err != nil {
		return fmt.Errorf("the browser: %w", err)
	}
	if !v.lines.Scan() {
		return errors.Join(errors.New("the browser does not open the dashboard"), v.lines.Err())
	}
	return nil
}

// betweenChanges waits until the screen is idle, as between two visitors.
const betweenChanges = 150 * time.Millisecond

// measure registers one visitor after the other, waits for the paint, and denies them, so that the list stays short.
func (v *view) measure(ctx context.Context, changes int) error {
	for n := range warmCalls + changes {
		visit, trace, err := v.arrive(ctx)
		if err != nil {
			return err
		}
		if err := v.awaitPaint(visit); err != nil {
			return err
		}
		if n >= warmCalls {
			v.traces[visit] = trace
		}
		if err := v.pa.Call(ctx, http.MethodPut, "/api/visits/"+visit+"/status", map[string]string{"status": "denied"}, nil); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(betweenChanges):
		}
	}
	_ = v.leave.Close()
	return v.browser.Wait()
}

// arrive registers a visitor in a trace that is known by its id.
func (v *view) arrive(ctx context.Context) (visit, trace string, err error) {
	ids := make([]byte, 24)
	_, _ = rand.Read(ids) // never fails
	trace = hex.EncodeToString(ids[:16])
	text, err := json.Marshal(map[string]string{"name": "A Visitor", "phone": "9800000000", "service_id": v.service})
	if err != nil {
		return "", "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, v.system.URL()+"/api/visits", strings.NewReader(string(text)))
	if err != nil {
		return "", "", err
	}
	request.Header.Set("Authorization", "Bearer "+v.reception.Token())
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Traceparent", "00-"+trace+"-"+hex.EncodeToString(ids[16:])+"-01")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = answer.Body.Close() }()
	var made struct{ Visit struct{ ID string } }
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || made.Visit.ID == "" {
		return "", "", fmt.Errorf("a visitor was answered %d: %w", answer.StatusCode, err)
	}
	return made.Visit.ID, trace, nil
}

// seen is the browser's report of a visit, in milliseconds of the machine's clock.
type seen struct{ Asked, Answered, Painted float64 }

// awaitPaint reads the browser's output until it has painted a visit.
func (v *view) awaitPaint(visit string) error {
	for v.seen[visit].Painted == 0 {
		if !v.lines.Scan() {
			return errors.Join(errors.New("the browser has gone"), v.lines.Err())
		}
		var line struct {
			Visit string
			seen
		}
		if err := json.Unmarshal(v.lines.Bytes(), &line); err != nil {
			return fmt.Errorf("the browser says %q: %w", v.lines.Text(), err)
		}
		v.seen[line.Visit] = line.seen
	}
	return nil
}

// moments finds the trace of each change.
func (v *view) moments(ctx context.Context) ([]hops, error) {
	admin := map[string]string{}
	for _, process := range v.system.Processes() {
		if process.AdminPort != 0 {
			admin[process.Name] = fmt.Sprintf("http://127.0.0.1:%d", process.AdminPort)
		}
	}
	spans, err := traces.Collect(ctx, admin)
	if err != nil {
		return nil, err
	}
	byTrace := map[string][]traces.Span{}
	for _, span := range spans {
		byTrace[span.TraceID] = append(byTrace[span.TraceID], span)
	}
	var all []hops
	for visit, trace := range v.traces {
		if found, ok := hopsOf(byTrace[trace], v.seen[visit]); ok {
			all = append(all, found)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no change has left a whole trace")
	}
	return all, nil
}

// hopsOf reads the timestamps of a change from its trace and the browser's report. ok is false when a span is missing.
func hopsOf(spans []traces.Span, painted seen) (found hops, ok bool) {
	find := func(program, name string) traces.Span {
		i := slices.IndexFunc(spans, func(s traces.Span) bool {
			return s.Program == program && strings.HasPrefix(strings.ToLower(s.Name), name)
		})
		if i < 0 {
			return traces.Span{}
		}
		return spans[i]
	}
	committed, published := find("visits", "commit"), find("visits", "publish visit_created")
	taken, sent := find("realtime", "process visit_created"), find("realtime", "send visit_created")
	for _, span := range []traces.Span{committed, published, taken, sent} {
		if span.ID == "" {
			return found, false
		}
	}
	end := func(s traces.Span) time.Time { return s.Start.Add(s.Duration) }
	at := func(ms float64) time.Time { return time.UnixMicro(int64(ms * 1e3)) }
	return hops{end(committed), published.Start, end(published), taken.Start, end(sent), at(painted.Asked), at(painted.Answered), at(painted.Painted)}, true
}

// summarize takes the quantiles of each part and of the whole way.
func (r *PaintReport) summarize(moments []hops) {
	r.Traced = len(moments)
	quantiles := func(name string, from, to int) Hop {
		all := load{}
		for _, m := range moments {
			all.latencies = append(all.latencies, m[to].Sub(m[from]))
		}
		slices.Sort(all.latencies)
		return Hop{name, milliseconds(all.quantile(.5)), milliseconds(all.quantile(.99))}
	}
	r.Total = quantiles("from the commit to the paint", 0, len(hopNames))
	for i, name := range hopNames {
		r.Hops = append(r.Hops, quantiles(name, i, i+1))
	}
}

// Summary describes the whole path in one line.
func (r PaintReport) Summary() string {
	parts := make([]string, len(r.Hops))
	for i, hop := range r.Hops {
		parts[i] = fmt.Sprintf("%s %.1f", hop.Name, hop.Median)
	}
	return fmt.Sprintf("%d changes beside %d other streams: from the commit to the paint %.0f ms (p50), %.0f ms (p99); medians of the parts, ms: %s",
		r.Traced, r.Streams, r.Total.Median, r.Total.P99, strings.Join(parts, ", "))
}

// Print writes the way as a table.
func (r PaintReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "\tp50, ms\tp99, ms\t\n")
	for _, hop := range append(slices.Clone(r.Hops), r.Total) {
		_, _ = fmt.Fprintf(table, "%s\t%.1f\t%.1f\t\n", hop.Name, hop.Median, hop.P99)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "%d of %d changes with their whole trace, %d other open streams; %d processors, which PostgreSQL, Redis, the browser and the listeners share\n",
		r.Traced, r.Changes, r.Streams, r.Processors)
}

func (v *view) close() {
	if v.others != nil {
		v.others.close()
	}
	if v.browser != nil && v.browser.ProcessState == nil && v.browser.Process != nil {
		_ = v.browser.Process.Kill()
		_ = v.browser.Wait()
	}
}
