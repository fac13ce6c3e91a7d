package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"baari.dev/tools/stack"
)

// The objectives of services/docs/observability.md.
const (
	createWithin = 500.0 // ms, 99 of 100 creates
	createUsual  = 150.0 // ms, 95 of 100 creates under load
	createFailed = 0.5   // of a hundred
	streamWithin = 1.024 // s, 99 of 100 changes at the live streams
	streamLate   = 1.0   // of a hundred
	trailWithin  = 16.384
	trailLate    = 0.1 // of a hundred
)

// summary contains k6's results, by metric.
type summary struct {
	State   struct{ TestRunDurationMs float64 }
	Plan    struct{ Lasting float64 } // s, if it is not ended before
	Metrics map[string]struct{ Values map[string]float64 }
}

func readSummary(path string) (found summary, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return found, err
	}
	return found, json.Unmarshal(text, &found)
}

// queueCalls are the calls in the order of a visitor's way.
var queueCalls = []string{"lookup", "create", "pending", "decide", "own", "start", "complete", "today", "counts", "queues", "audit", "export"}

// fill copies k6's results into the report.
func (s summary) fill(r *QueueReport) {
	r.Seconds = s.State.TestRunDurationMs / 1e3
	r.Refused, r.Dropped = s.Metrics["refused"].Values["count"], s.Metrics["dropped_iterations"].Values["count"]
	for _, call := range queueCalls {
		times := s.Metrics["answered{call:"+call+"}"].Values
		if times["count"] == 0 {
			continue
		}
		r.Calls = append(r.Calls, Called{
			Call: call, Count: times["count"], Median: times["med"], P95: times["p(95)"], P99: times["p(99)"], Most: times["max"],
			Failed: s.Metrics["failed{call:"+call+"}"].Values["passes"],
		})
	}
	r.Sustained = s.sustained()
}

// loadParts is into how many parts queue.js divides a run.
const loadParts = 20

// sustained is the highest rate of visitors of a part of the run up to which every part was within the objective.
func (s summary) sustained() float64 {
	high := 0.0
	for part := range loadParts {
		creates := s.Metrics[fmt.Sprintf("answered{call:create,part:%d}", part)].Values
		if creates["count"] == 0 {
			continue
		}
		if creates["p(99)"] > createWithin || s.Metrics[fmt.Sprintf("failed{part:%d}", part)].Values["passes"] > 0 {
			break
		}
		high = max(high, creates["count"])
	}
	return high / (s.Plan.Lasting / loadParts)
}

// Lag is how many changes a service has taken over, and how many of a hundred later than its objective.
type Lag struct {
	Changes float64 `json:"changes"`
	Within  float64 `json:"within_seconds"`
	Late    float64 `json:"late_of_100"`
}

// lagsOf reads from realtime and audit the delay of changes to live streams and trail.
func lagsOf(ctx context.Context, system *stack.Stack) (map[string]Lag, error) {
	lags := map[string]Lag{}
	for service, within := range map[string]float64{"realtime": streamWithin, "audit": trailWithin} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/metrics", processOf(system, service).AdminPort), http.NoBody)
		if err != nil {
			return nil, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		lags[service], err = lagOf(answer.Body, within)
		_ = answer.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("metrics of %s: %w", service, err)
		}
	}
	return lags, nil
}

// lagOf reads the delay of visits' changes from a page of metrics.
func lagOf(page io.Reader, within float64) (Lag, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(page)
	if err != nil {
		return Lag{}, err
	}
	lag := Lag{Within: within}
	for _, metric := range families["baari_event_lag_seconds"].GetMetric() {
		histogram := metric.GetHistogram()
		inTime := 0.0
		for _, bucket := range histogram.GetBucket() {
			if math.Abs(bucket.GetUpperBound()-within) < 1e-9 {
				inTime = float64(bucket.GetCumulativeCount())
			}
		}
		count := float64(histogram.GetSampleCount())
		lag.Changes += count
		lag.Late += count - inTime
	}
	if lag.Changes == 0 {
		return lag, fmt.Errorf("baari_event_lag_seconds has counted nothing")
	}
	lag.Late *= 100 / lag.Changes
	return lag, nil
}

// judge compares the day with the objectives. A breakpoint run searches for the rate that misses them, so only the
// invariants count.
func (r *QueueReport) judge(plan QueuePlan) {
	r.Goals = []Goal{{"promises broken", "0", float64(len(r.Violations)), len(r.Violations) == 0}}
	if plan.Profile == "breakpoint" {
		return
	}
	create := r.Calls[max(0, slices.IndexFunc(r.Calls, func(c Called) bool { return c.Call == "create" }))]
	failed := create.Failed / max(1, create.Count) * 100
	most := func(name, format string, got, wanted float64) {
		r.Goals = append(r.Goals, Goal{name, "<= " + fmt.Sprintf(format, wanted), got, got <= wanted})
	}
	most("ms for 99 of 100 creates", "%.0f", create.P99, createWithin)
	most("ms for 95 of 100 creates", "%.0f", create.P95, createUsual)
	most("of 100 creates failed", "%.1f", failed, createFailed)
	most("of 100 changes later than 1.024 s at the streams", "%.0f", r.Lags["realtime"].Late, streamLate)
	most("of 100 changes later than 16.384 s in the trail", "%.1f", r.Lags["audit"].Late, trailLate)
	most("calls not begun for want of clients", "%.0f", r.Dropped, 0)
}

// Summary describes the number of visitors and all goals in one line.
func (r QueueReport) Summary() string {
	return fmt.Sprintf("%d visitors and %d changes in %.0f s, %d open dashboards; kept its objective up to %.1f visitors a second; %s",
		r.Visitors, r.Changes, r.Seconds, r.Screens, r.Sustained, r.Verdict.Summary())
}

// Print writes the day as tables.
func (r QueueReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "\tcalls\tp50, ms\tp95, ms\tp99, ms\tmost, ms\tfailed\t\n")
	for _, c := range r.Calls {
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t\n", c.Call, c.Count, c.Median, c.P95, c.P99, c.Most, c.Failed)
	}
	_ = table.Flush()
	total := 0.0
	var each []string
	for _, spent := range r.Spent {
		total += spent.Each
		each = append(each, fmt.Sprintf("%s %.1f", spent.Program, spent.Each))
	}
	_, _ = fmt.Fprintf(out, "%s, %.0f s: %d visitors, %d changes, %.0f refused because another was quicker; %d dashboards were sent %d messages\n",
		r.Profile, r.Seconds, r.Visitors, r.Changes, r.Refused, r.Screens, r.Frames)
	_, _ = fmt.Fprintf(out, "CPU of one visitor with all that is looked at meanwhile, ms: %.1f (%s)\n", total, strings.Join(each, ", "))
	_, _ = fmt.Fprintf(out, "within its objective up to %.1f visitors a second; %d processors, which PostgreSQL, Redis, k6 and the dashboards share\n\n", r.Sustained, r.Processors)
	for _, violation := range r.Violations {
		_, _ = fmt.Fprintf(out, "%s\n\n", violation)
	}
	printGoals(out, r.Goals)
	_, _ = fmt.Fprintln(out, "charts in", r.Page)
}
