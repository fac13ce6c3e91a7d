package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
	"received by the relay", "numbered and published", "received by realtime", "encoded and queued for the streams",
	"to the page", "the list is refetched", "rendered and painted",
}

// hops are the timestamps of one change, from the commit to the paint: one more than there are parts.
type hops [8]time.Time

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
	var all []hops
	err = options.Progress.Step(fmt.Sprintf("measuring beside %d other streams", plan.Streams), func() error {
		changes, err := system.paint(ctx, options, plan)
		if err == nil {
			all, err = system.hops(ctx, changes)
		}
		return err
	})
	return paintReport(all, plan), err
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

// painted is the browser's report of a change: the id of its trace, and the times of request, response and paint in ms
// since 1970.
type painted struct {
	Trace                    string
	Asked, Answered, Painted float64
}

// paint opens the PA's dashboard in a browser, registers visitors, and returns the browser's reports.
func (s *system) paint(ctx context.Context, options stack.Options, plan PaintPlan) (reports []painted, err error) {
	browser := plan.Node.Command(ctx, filepath.Join(options.Root, "web"), "node", filepath.Join("scripts", "paint.ts"))
	browser.Env = append(browser.Env, "BAARI_URL="+s.URL(), "BAARI_CHROMIUM="+plan.Chromium,
		"BAARI_ACCOUNTS="+s.Folder().Accounts(), fmt.Sprintf("BAARI_CHANGES=%d", plan.Changes))
	text, err := stack.Output(browser)
	if err != nil {
		return nil, err
	}
	return reports, json.Unmarshal([]byte(text), &reports)
}

// hops returns the timestamps of the changes whose whole trace the programs still keep.
func (s *system) hops(ctx context.Context, changes []painted) (all []hops, err error) {
	spans, err := traces.Collect(ctx, s.Admin())
	if err != nil {
		return nil, err
	}
	byTrace := map[string][]traces.Span{}
	for _, span := range spans {
		byTrace[span.TraceID] = append(byTrace[span.TraceID], span)
	}
	for _, report := range changes {
		if found, ok := hopsOf(byTrace[report.Trace], report); ok {
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
