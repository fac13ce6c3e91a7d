package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"

	"baari.dev/tools/stack"
)

// StreamPlan sets the measurements of the live stream.
type StreamPlan struct {
	Each time.Duration // how long events are made in one measurement
	Idle int           // streams of the idle measurement
}

// pace is one measurement: this many streams receive this many events a second.
type pace struct{ streams, perSecond int }

// paces are those of the goals; the idle one is part of the plan.
var paces = []pace{{1000, 50}, {5000, 10}, {1000, 300}}

// The ways that are compared.
const (
	oursWay  = "Baari"
	naiveWay = "naive hub"
	rawWay   = "raw write loop"
)

// Streamed is the result of one server at one pace.
type Streamed struct {
	Way       string  `json:"way"`
	Streams   int     `json:"streams"`
	PerSecond int     `json:"events_per_second"`
	CPU       float64 `json:"cpu_us_per_delivery"`
	Memory    float64 `json:"kb_per_stream,omitzero"` // of idle ones, in a program that has not had others
	Median    float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Heard     int64   `json:"heard"`
	Lost      int64   `json:"lost"`
	Ratio     float64 `json:"cpu_times_naive"`
}

// StreamReport compares Baari's live stream with a naive hub and a raw loop of writes.
type StreamReport struct {
	At         time.Time  `json:"at"`
	Processors int        `json:"processors"`
	Seconds    float64    `json:"seconds_each"`
	Rows       []Streamed `json:"rows"`
	Verdict
}

// The goals, times the naive hub, and for an idle stream.
const (
	steadyTimes = 0.8 // at 50 events a second
	burstTimes  = 0.5 // at 300
	idleMemory  = 16  // kB a stream
)

// hubServer is one of the programs that are measured.
type hubServer struct {
	way  string
	host string
	pid  int
}

// Stream measures realtime, a naive hub and a loop of writes on one Redis, one after the other, at each pace. It
// returns Advice where the user can correct the cause of a failure.
func Stream(ctx context.Context, options stack.Options, plan StreamPlan) (StreamReport, error) {
	made := newSources(listenerRole)
	defer made.Close()
	ports, err := stack.FreePorts(3)
	if err != nil {
		return StreamReport{}, err
	}
	options.Port, options.NoLimits, options.Link = ports[0], true, made.instead
	alone, err := stack.StartAlone(ctx, options, "realtime")
	if err != nil {
		return StreamReport{}, err
	}
	defer alone.Stop()
	ways := []hubServer{{oursWay, hostOf(ports[0]), alone.Process.PID()}}
	program := filepath.Join(options.Data, "baseline")
	if err := options.Progress.Step("building the baselines", func() error { return buildBaseline(ctx, options.Root, program) }); err != nil {
		return StreamReport{}, err
	}
	for i, way := range []string{naiveWay, rawWay} {
		started, stop, err := startBaseline(ctx, program, way, hostOf(ports[i+1]), alone.Redis())
		if err != nil {
			return StreamReport{}, err
		}
		defer stop()
		ways = append(ways, started)
	}
	redisOptions, err := redis.ParseURL(alone.Redis())
	if err != nil {
		return StreamReport{}, err
	}
	client := redis.NewClient(redisOptions)
	defer client.Close()
	var report StreamReport
	err = options.Progress.Step("measuring", func() error {
		report, err = measureStreams(ctx, made, client, ways, plan)
		return err
	})
	return report, err
}

func buildBaseline(ctx context.Context, root, program string) error {
	cmd := stack.GoCommand(ctx, filepath.Join(root, "tools"), "build", "-o", program, "./measure/bench/baseline")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the baselines: %w\n%s", err, out)
	}
	return nil
}

func startBaseline(ctx context.Context, program, way, host, redisURL string) (s hubServer, stop func(), err error) {
	word, _, _ := strings.Cut(way, " ")
	cmd := exec.CommandContext(ctx, program, word, host, redisURL, visitsChannel)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return s, nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
		if err == nil {
			_ = conn.Close()
			return hubServer{way, host, cmd.Process.Pid}, stop, nil
		}
		if time.Now().After(end) {
			stop()
			return s, nil, fmt.Errorf("the %s does not listen: %w", way, err)
		}
	}
}

func measureStreams(ctx context.Context, made *sources, client *redis.Client, ways []hubServer, plan StreamPlan) (StreamReport, error) {
	report := StreamReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Seconds: plan.Each.Seconds()}
	for _, p := range append([]pace{{plan.Idle, 0}}, paces...) {
		for _, way := range ways {
			row, err := way.measure(ctx, made, client, p, plan.Each)
			if err != nil {
				return report, fmt.Errorf("%s, %d streams: %w", way.way, p.streams, err)
			}
			report.Rows = append(report.Rows, row)
		}
	}
	report.judge(plan)
	return report, nil
}

// settleAfterOpening waits until the resources for opening the streams are released: connections, garbage.
const settleAfterOpening = 5 * time.Second

func (s hubServer) measure(ctx context.Context, made *sources, client *redis.Client, p pace, lasting time.Duration) (row Streamed, err error) {
	row = Streamed{Way: s.way, Streams: p.streams, PerSecond: p.perSecond}
	empty, err := residentMemory(s.pid)
	if err != nil {
		return row, err
	}
	heard, err := listen(ctx, s.host, streamRequest(s.host, listenerRole, listenerID, "bench"), p.streams)
	if err != nil {
		return row, err
	}
	defer func() { // its remaining output must not be counted in the next measurement
		heard.close()
		err = errors.Join(err, awaitIdle(ctx, s.pid))
	}()
	select {
	case <-time.After(settleAfterOpening):
	case <-ctx.Done():
		return row, ctx.Err()
	}
	full, err := residentMemory(s.pid)
	if err != nil {
		return row, err
	}
	if p.perSecond == 0 {
		row.Memory = float64(full-empty) / 1e3 / float64(p.streams)
		return row, nil
	}
	before, err := processorTime(s.pid)
	if err != nil {
		return row, err
	}
	events, err := made.publish(ctx, client, p.perSecond, lasting)
	if err != nil {
		return row, err
	}
	wanted := int64(events) * int64(p.streams)
	heard.await(wanted)
	after, err := processorTime(s.pid)
	row.Heard = heard.heard.Load()
	row.Lost = wanted - row.Heard
	row.CPU = (after - before).Seconds() * 1e6 / float64(max(row.Heard, 1))
	row.Median, row.P99 = milliseconds(heard.quantile(.5)), milliseconds(heard.quantile(.99))
	return row, err
}

// of is the result of a server at a pace.
func (r *StreamReport) of(way string, p pace) *Streamed {
	i := slices.IndexFunc(r.Rows, func(row Streamed) bool {
		return row.Way == way && row.Streams == p.streams && row.PerSecond == p.perSecond
	})
	return &r.Rows[i]
}

// judge computes the ratios and holds them against the goals.
func (r *StreamReport) judge(plan StreamPlan) {
	lost := int64(0)
	for _, p := range paces {
		naive := r.of(naiveWay, p).CPU
		for _, way := range []string{oursWay, naiveWay, rawWay} {
			row := r.of(way, p)
			row.Ratio = row.CPU / naive
		}
		lost += r.of(oursWay, p).Lost
	}
	steady, burst := r.of(oursWay, paces[0]).Ratio, r.of(oursWay, paces[2]).Ratio
	idle := r.of(oursWay, pace{plan.Idle, 0}).Memory
	r.Goals = []Goal{
		{"CPU of a delivery at 1,000 x 50/s, times the naive hub", fmt.Sprintf("<= %.1f", steadyTimes), steady, steady <= steadyTimes},
		{"CPU of a delivery at 1,000 x 300/s, times the naive hub", fmt.Sprintf("<= %.1f", burstTimes), burst, burst <= burstTimes},
		{fmt.Sprintf("kB of one of %d idle streams", plan.Idle), fmt.Sprintf("<= %d", idleMemory), idle, idle <= idleMemory},
		{"lost", "0", float64(lost), lost == 0},
	}
}

// Print writes the comparison as a table.
func (r StreamReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "streams x events/s\t\tCPU of a delivery, us\ttimes naive\tkB a stream\tp50, ms\tp99, ms\tlost\t\n")
	for _, row := range r.Rows {
		if row.PerSecond == 0 {
			_, _ = fmt.Fprintf(table, "%d idle\t%s\t\t\t%.1f\t\t\t\t\n", row.Streams, row.Way, row.Memory)
			continue
		}
		_, _ = fmt.Fprintf(table, "%d x %d\t%s\t%.2f\t%.2f\t\t%.1f\t%.1f\t%d\t\n",
			row.Streams, row.PerSecond, row.Way, row.CPU, row.Ratio, row.Median, row.P99, row.Lost)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "%d processors, which generator, Redis and listeners share; %.0f s each\n\n", r.Processors, r.Seconds)
	printGoals(out, r.Goals)
}
