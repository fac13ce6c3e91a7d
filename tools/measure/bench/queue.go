package bench

import (
	"bufio"
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

	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

// QueueProfiles are the profiles of tools/measure/load/profiles.js.
var QueueProfiles = []string{"ramp", "spike", "soak", "breakpoint"}

// QueuePlan describes the day.
type QueuePlan struct {
	Profile string
	Lasting time.Duration // 0: the profile's own
	Rate    float64       // visitors a second at most, 0: the profile's own
	Screens int           // dashboards with an open stream
	K6      string        // the program
	Reports string        // folder for the page and the figures of k6
	Out     io.Writer     // receives k6's progress
}

// Called is one kind of call; times are in milliseconds from when it was due.
type Called struct {
	Call   string  `json:"call"`
	Count  float64 `json:"count"`
	Median float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	P99    float64 `json:"p99_ms"`
	Most   float64 `json:"max_ms"`
	Failed float64 `json:"failed"`
}

// Spent is the processor time of a program.
type Spent struct {
	Program string  `json:"program"`
	Each    float64 `json:"cpu_ms_per_visitor"`
}

// QueueReport is how a day of the queue went, and whether everything promised held.
type QueueReport struct {
	At         time.Time           `json:"at"`
	Processors int                 `json:"processors"`
	Profile    string              `json:"profile"`
	Seconds    float64             `json:"seconds"`
	Visitors   int                 `json:"visitors"`
	Changes    int                 `json:"changes"` // acknowledged, the visitors' registrations among them
	Refused    float64             `json:"refused"` // another was quicker
	Dropped    float64             `json:"dropped"` // not begun for want of clients
	Sustained  float64             `json:"visitors_per_second"`
	Screens    int                 `json:"dashboards"`
	Frames     int                 `json:"frames"` // that they were sent
	Calls      []Called            `json:"calls"`
	Spent      []Spent             `json:"spent"`
	Lags       map[string]Lag      `json:"lags"`
	Violations []checker.Violation `json:"violations"`
	Page       string              `json:"page"`
	Verdict
}

// Queue starts a system with open dashboards, lets k6 play a day of the queue in it, and checks the stored data
// and the delivered frames against the invariants. It returns Advice where the user can correct the cause of a failure.
func Queue(ctx context.Context, options stack.Options, plan QueuePlan) (QueueReport, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return QueueReport{}, err
	}
	options.Port, options.NoLimits, options.Gateway = ports[0], true, stack.Embedded
	system, err := stack.Start(ctx, options)
	if err != nil {
		return QueueReport{}, err
	}
	defer system.Stop()
	watching := chaos.Options{Root: options.Root, Data: options.Data, Rate: 1, Progress: options.Progress}
	onlookers, err := chaos.Onlook(ctx, watching, system, plan.Screens)
	if err != nil {
		return QueueReport{}, err
	}
	day := &queueDay{plan: plan, system: system, onlookers: onlookers, data: options.Data, root: options.Root}
	report, err := day.play(ctx)
	if err != nil {
		return report, errors.Join(err, onlookers.Close())
	}
	err = options.Progress.Step("checking the invariants", func() (err error) {
		report.Violations, err = onlookers.Verdict(ctx, day.done)
		return err
	})
	report.Frames = onlookers.Frames()
	if err == nil {
		report.Lags, err = lagsOf(ctx, system)
	}
	report.judge(plan)
	return report, errors.Join(err, onlookers.Close())
}

type queueDay struct {
	plan       QueuePlan
	system     *stack.Stack
	onlookers  *chaos.Onlookers
	data, root string
	done       []checker.Op
}

// written is the file in which k6 records the outcome of each change.
func (d *queueDay) written() string { return filepath.Join(d.data, "k6.jsonl") }

// play runs k6 and reads its results.
func (d *queueDay) play(ctx context.Context) (QueueReport, error) {
	report := QueueReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Profile: d.plan.Profile, Screens: d.plan.Screens}
	programs := slices.DeleteFunc(d.system.Processes(), func(p stack.Process) bool { return p.AdminPort == 0 || p.Name == "web" })
	pids := make([]int, len(programs))
	for i, program := range programs {
		pids[i] = program.PID
	}
	before, err := processorTimes(pids)
	if err != nil {
		return report, err
	}
	if err := d.k6(ctx); err != nil {
		return report, err
	}
	after, err := processorTimes(pids)
	if err != nil {
		return report, err
	}
	if d.done, err = readOps(d.written()); err != nil {
		return report, err
	}
	for _, op := range d.done {
		if op.Outcome != checker.OK {
			continue
		}
		report.Changes++
		if op.Kind == checker.Create {
			report.Visitors++
		}
	}
	for i, program := range programs {
		report.Spent = append(report.Spent, Spent{program.Name, milliseconds(after[i]-before[i]) / float64(max(1, report.Visitors))})
	}
	report.Page = filepath.Join(d.plan.Reports, "queue.html")
	found, err := readSummary(filepath.Join(d.plan.Reports, "queue-k6.json"))
	if err == nil {
		found.fill(&report)
	}
	return report, err
}

// thresholdsMissed is how k6 ends when it has run, and a threshold is missed.
const thresholdsMissed = 99

// k6 runs the load. The outcome of each change is written to a file in the checker's format.
func (d *queueDay) k6(ctx context.Context) error {
	if err := os.MkdirAll(d.plan.Reports, 0o700); err != nil {
		return err
	}
	staff, err := json.Marshal(d.onlookers.Staff()) //nolint:gosec // k6 signs them in, and the file is deleted with the system
	if err != nil {
		return err
	}
	accounts := filepath.Join(d.data, "staff.json")
	if err := os.WriteFile(accounts, staff, 0o600); err != nil {
		return err
	}
	args := []string{
		"run", "--log-format", "raw", "--console-output", d.written(), "--no-usage-report", "--address", "",
		"-e", "BAARI_URL=" + d.system.URL(), "-e", "BAARI_ACCOUNTS=" + accounts, "-e", "PROFILE=" + d.plan.Profile, "-e", "REPORT=" + d.plan.Reports,
	}
	if d.plan.Lasting > 0 {
		args = append(args, "-e", "LASTING="+strconv.FormatFloat(d.plan.Lasting.Seconds(), 'f', -1, 64))
	}
	if d.plan.Rate > 0 {
		args = append(args, "-e", "RATE="+strconv.FormatFloat(d.plan.Rate, 'f', -1, 64))
	}
	cmd := exec.CommandContext(ctx, d.plan.K6, append(args, filepath.Join(d.root, "tools", "measure", "load", "queue.js"))...)
	cmd.Stdout, cmd.Stderr = d.plan.Out, d.plan.Out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var ended *exec.ExitError
	if err := cmd.Run(); errors.As(err, &ended) && ended.ExitCode() == thresholdsMissed {
		return nil
	} else if err != nil {
		return fmt.Errorf("k6: %w", err)
	}
	return nil
}

// readOps reads the outcome of each change: the last line about it counts.
func readOps(path string) (ops []checker.Op, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	at := map[string]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		text := lines.Text()
		if !strings.HasPrefix(text, "{") { // a sentence for a person
			continue
		}
		var op checker.Op
		if err := json.Unmarshal([]byte(text), &op); err != nil {
			return nil, fmt.Errorf("what k6 has written down: %w", err)
		}
		if before, known := at[op.RequestID]; known {
			ops[before] = op
			continue
		}
		at[op.RequestID] = len(ops)
		ops = append(ops, op)
	}
	return ops, lines.Err()
}
