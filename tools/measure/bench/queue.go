package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// QueueProfiles are the profiles of tools/measure/load/profiles.js.
var QueueProfiles = []string{"ramp", "spike", "soak", breakpoint}

// breakpoint is the profile that looks for the rate at which the objectives are missed.
const breakpoint = "breakpoint"

// QueuePlan describes the day. If Lasting or Rate is zero, the profile's own value applies.
type QueuePlan struct {
	Profile string
	Lasting time.Duration
	Rate    float64   // highest number of visitors a second
	Screens int       // dashboards with an open stream
	K6      string    // path of the program
	Reports string    // folder for k6's page and figures
	Out     io.Writer // receives k6's output
}

// queueDay is one run of k6 in a system with open dashboards.
type queueDay struct {
	plan      QueuePlan
	system    *system
	onlookers *chaos.Onlookers
	options   stack.Options
}

// Queue lets k6 play a day of the queue in a system with open dashboards, and checks the stored data and the delivered
// frames against the invariants. The other goals are the thresholds of the k6 script and the share of late events. A
// breakpoint run has only the invariants as goals. Queue returns Advice if the user can fix the cause of an error.
func Queue(ctx context.Context, options stack.Options, plan QueuePlan) (r *Report, err error) {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return nil, err
	}
	defer system.Stop()
	day, err := openDay(ctx, options, plan, system)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, day.onlookers.Close()) }()
	used, err := spent(system.pids(), func() error { return day.k6(ctx) })
	if err != nil {
		return nil, err
	}
	r = newReport()
	done, err := readOps(day.written())
	if err != nil {
		return nil, err
	}
	err = options.Progress.Step("checking the invariants", func() error {
		violations, err := day.onlookers.Check(ctx, done)
		for _, violation := range violations {
			r.note("%s\n", violation)
		}
		r.goal("promises broken", "0", float64(len(violations)))
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, day.report(ctx, r, done, used)
}

func openDay(ctx context.Context, options stack.Options, plan QueuePlan, system *system) (*queueDay, error) {
	watching := chaos.Options{Root: options.Root, Data: options.Data, Rate: 1, Progress: options.Progress}
	onlookers, err := chaos.Onlook(ctx, watching, system.Stack, plan.Screens)
	return &queueDay{plan, system, onlookers, options}, err
}

func (d *queueDay) report(ctx context.Context, r *Report, done []checker.Op, used []time.Duration) error {
	found, err := d.summary()
	if err != nil {
		return err
	}
	changes, visitors := 0, 0
	for _, op := range done {
		if op.Outcome == checker.OK {
			changes++
		}
		if op.Outcome == checker.OK && op.Kind == checker.Create {
			visitors++
		}
	}
	table := r.table("CPU of a visitor with all requests meanwhile %s", "ms %.1f")
	for i, program := range d.system.programs() {
		table.add(program.Name, milliseconds(used[i])/float64(max(1, visitors)))
	}
	table.add("all", milliseconds(sum(used))/float64(max(1, visitors)))
	r.row = fmt.Sprintf("%d visitors and %d changes in %.0f s, %d open dashboards; ",
		visitors, changes, found.State.TestRunDurationMs/1e3, d.plan.Screens) +
		fmt.Sprintf("kept its objective up to %.1f visitors a second", found.sustained())
	r.note("%s: %s; the dashboards received %d frames", d.plan.Profile, r.row, d.onlookers.Frames())
	r.note("%d processors, which PostgreSQL, Redis, k6 and the dashboards share", runtime.NumCPU())
	r.note("charts in %s", filepath.Join(d.plan.Reports, "queue.html"))
	if d.plan.Profile == breakpoint {
		return nil
	}
	r.Goals = append(r.Goals, found.goals()...)
	for _, lag := range []struct{ service, within, where, wanted string }{
		{"realtime", "1.024", "at the streams", "<= 1"}, {"audit", "16.384", "in the trail", "<= 0.1"},
	} {
		late, err := d.late(ctx, lag.service, lag.within)
		if err != nil {
			return fmt.Errorf("metrics of %s: %w", lag.service, err)
		}
		r.goal(fmt.Sprintf("of 100 changes later than %s s %s", lag.within, lag.where), lag.wanted, late)
	}
	return nil
}

// written returns the path of the file in which k6 records the outcome of each change.
func (d *queueDay) written() string { return filepath.Join(d.options.Data, "k6.jsonl") }

// thresholdsMissed is k6's exit status after a run that missed a threshold.
const thresholdsMissed = 99

// k6 runs the load, signed in as the staff of the dashboards.
func (d *queueDay) k6(ctx context.Context) error {
	if err := os.MkdirAll(d.plan.Reports, 0o700); err != nil {
		return err
	}
	staff, err := json.Marshal(d.onlookers.Staff()) //nolint:gosec // k6 signs them in; the file is deleted with the system
	if err != nil {
		return err
	}
	accounts := filepath.Join(d.options.Data, "staff.json")
	if err := os.WriteFile(accounts, staff, 0o600); err != nil {
		return err
	}
	number := func(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
	args := []string{"run", "--log-format", "raw", "--console-output", d.written(), "--no-usage-report", "--address", ""}
	for _, setting := range []string{
		"BAARI_URL=" + d.system.URL(), "BAARI_ACCOUNTS=" + accounts, "PROFILE=" + d.plan.Profile,
		"REPORT=" + d.plan.Reports, "LASTING=" + number(d.plan.Lasting.Seconds()), "RATE=" + number(d.plan.Rate),
	} {
		args = append(args, "-e", setting)
	}
	script := filepath.Join(d.options.Root, "tools", "measure", "load", "queue.js")
	cmd := exec.CommandContext(ctx, d.plan.K6, append(args, script)...)
	cmd.Stdout, cmd.Stderr = d.plan.Out, d.plan.Out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &ended) || ended.ExitCode() != thresholdsMissed) {
		return fmt.Errorf("k6: %w", err)
	}
	return nil
}

// readOps reads the last line about each change, its outcome. Lines that do not begin with { are messages of queue.js.
func readOps(path string) (ops []checker.Op, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	at := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "{") {
			continue
		}
		var op checker.Op
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return nil, fmt.Errorf("k6's record of the changes: %w", err)
		}
		if i, known := at[op.RequestID]; known {
			ops[i] = op
			continue
		}
		at[op.RequestID] = len(ops)
		ops = append(ops, op)
	}
	return ops, lines.Err()
}

// summary is the part of k6's figures that is read.
type summary struct {
	State   struct{ TestRunDurationMs float64 }
	Plan    struct{ Lasting float64 } // s
	Metrics map[string]metric
}

type metric struct {
	Values     map[string]float64
	Thresholds map[string]struct{ OK bool }
}

func (d *queueDay) summary() (found summary, err error) {
	text, err := os.ReadFile(filepath.Join(d.plan.Reports, "queue-k6.json"))
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	return found, err
}

// thresholdNames are the thresholds of queue.js in the words of the table of last results.
var thresholdNames = map[string]string{
	"answered{call:create} p(99)<=500": "ms for 99 of 100 creates",
	"answered{call:create} p(95)<=150": "ms for 95 of 100 creates",
	"failed{call:create} rate<=0.005":  "share of creates that failed",
	"failed rate<=0.005":               "share of calls that failed",
	"dropped_iterations count==0":      "calls not begun for want of clients",
	"wrong count==0":                   "calls rejected although they were allowed",
}

// goals returns k6's result of each threshold that has a name. A threshold that k6 has not evaluated is missed.
func (s summary) goals() (goals []Goal) {
	for threshold, name := range thresholdNames {
		metric, rule, _ := strings.Cut(threshold, " ")
		value, wanted, equal := strings.Cut(rule, "==")
		if !equal {
			value, wanted, _ = strings.Cut(rule, "<=")
			wanted = "<= " + wanted
		}
		found := s.Metrics[metric]
		goals = append(goals, Goal{name, wanted, found.Values[value], found.Thresholds[rule].OK})
	}
	slices.SortFunc(goals, func(a, b Goal) int { return strings.Compare(a.Name, b.Name) })
	return goals
}

// loadParts is the number of parts of a run in queue.js.
const loadParts = 20

// sustained returns the highest rate of visitors a second up to which every part of the run met the objective.
func (s summary) sustained() float64 {
	high := 0.0
	for part := range loadParts {
		creates := s.Metrics[fmt.Sprintf("answered{call:create,part:%d}", part)].Values
		failed := s.Metrics[fmt.Sprintf("failed{part:%d}", part)].Values["passes"]
		if creates["p(99)"] > 500 || failed > 0 && creates["count"] > 0 {
			break
		}
		high = max(high, creates["count"])
	}
	return high / (s.Plan.Lasting / loadParts)
}

// late returns the percentage of changes that a service has applied later than a bucket's limit, from its histogram.
func (d *queueDay) late(ctx context.Context, service, bucket string) (float64, error) {
	var page bytes.Buffer
	if err := stack.Get(ctx, d.system.Admin()[service]+"/metrics", "", &page); err != nil {
		return 0, err
	}
	return lateOf(&page, bucket)
}

func lateOf(page io.Reader, bucket string) (float64, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(page)
	if err != nil {
		return 0, err
	}
	all, inTime := 0.0, 0.0
	for _, metric := range families["baari_event_lag_seconds"].GetMetric() {
		all += float64(metric.GetHistogram().GetSampleCount())
		for _, b := range metric.GetHistogram().GetBucket() {
			if strconv.FormatFloat(b.GetUpperBound(), 'f', -1, 64) == bucket {
				inTime += float64(b.GetCumulativeCount())
			}
		}
	}
	if all == 0 {
		return 0, errors.New("baari_event_lag_seconds has no observations")
	}
	return (all - inTime) * 100 / all, nil
}
