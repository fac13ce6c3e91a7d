package bench

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"
)

// Figures are the measurements of one server, medians over the rounds.
type Figures struct {
	Name              string  `json:"name"`
	ReadsPerSecond    float64 `json:"get_session_per_second"`
	ReadMedian        float64 `json:"get_session_p50_ms"`
	ReadP99           float64 `json:"get_session_p99_ms"`
	ReadProcessorTime float64 `json:"get_session_cpu_us"`
	SignInsPerSecond  float64 `json:"sign_in_per_second"`
	SignInMedian      float64 `json:"sign_in_p50_ms"`
	SignInProcessor   float64 `json:"sign_in_cpu_ms"`
}

// Goal is a figure that must be reached.
type Goal struct {
	Name   string  `json:"name"`
	Wanted string  `json:"wanted"`
	Got    float64 `json:"got"`
	Met    bool    `json:"met"`
}

// Verdict is a benchmark's goal and its result.
type Verdict struct {
	Goals []Goal `json:"goals"`
}

// Met reports whether every goal is reached.
func (v Verdict) Met() bool {
	return !slices.ContainsFunc(v.Goals, func(g Goal) bool { return !g.Met })
}

// Summary describes all goals in one line.
func (v Verdict) Summary() string {
	goals := make([]string, len(v.Goals))
	for i, goal := range v.Goals {
		goals[i] = goal.String()
	}
	return strings.Join(goals, "; ")
}

// String reports whether the goal is met.
func (g Goal) String() string {
	word := map[bool]string{true: "met", false: "MISSED"}[g.Met]
	return fmt.Sprintf("%s: %.2f, wanted %s: %s", g.Name, g.Got, g.Wanted, word)
}

// Report is a comparison of auth with better-auth's own server.
type Report struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Rounds     int       `json:"rounds"`
	Seconds    float64   `json:"seconds_each"`
	Ours       Figures   `json:"baari"`
	Theirs     Figures   `json:"better_auth"`
	HashAlone  float64   `json:"hash_alone_cpu_ms"`
	Verdict
}

// The goals.
const (
	readsTimes   = 10   // get-session, times the reference
	signInExcess = 1.10 // processor time of a sign-in, times that of its hash alone
)

// slice is how long sign-ins and plain hashes alternate, so that other load on the machine affects both.
const slice = 500 * time.Millisecond

// measure takes every figure in turns, the first time to warm up.
func measure(ctx context.Context, ours, theirs *server, plan Plan) (Report, error) {
	samples := map[*server]*series{}
	for round := -1; round < plan.Rounds; round++ {
		lasting := plan.Each
		if round < 0 {
			lasting = warmUp
		}
		for _, s := range []*server{ours, theirs} {
			if round <= 0 {
				samples[s] = &series{}
			}
			if err := samples[s].take(ctx, s, lasting); err != nil {
				return Report{}, fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	report := Report{
		At: time.Now().UTC(), Processors: runtime.NumCPU(), Rounds: plan.Rounds, Seconds: plan.Each.Seconds(),
		Ours: samples[ours].figures(ours.name), Theirs: samples[theirs].figures(theirs.name), HashAlone: median(samples[ours].hashCPU),
	}
	reads, excess := report.Ours.ReadsPerSecond/report.Theirs.ReadsPerSecond, report.Ours.SignInProcessor/report.HashAlone
	report.Goals = []Goal{
		{"get-session, times better-auth's rate", fmt.Sprintf(">= %d", readsTimes), reads, reads >= readsTimes},
		{"CPU of a sign-in, times its hash alone", fmt.Sprintf("<= %.2f", signInExcess), excess, excess <= signInExcess},
	}
	return report, nil
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// series are the measurements of one server.
type series struct{ reads, readMedian, readP99, readCPU, signIns, signInMedian, signInCPU, hashCPU []float64 }

func (m *series) take(ctx context.Context, s *server, lasting time.Duration) error {
	read, cpu, err := s.loaded(ctx, s.reads, lasting)
	if err != nil {
		return err
	}
	m.reads = append(m.reads, read.perSecond())
	m.readMedian = append(m.readMedian, milliseconds(read.quantile(.5)))
	m.readP99 = append(m.readP99, milliseconds(read.quantile(.99)))
	m.readCPU = append(m.readCPU, cpu.Seconds()*1e6)
	for range max(1, int(lasting/slice)) {
		if err := m.takeSignIns(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (m *series) takeSignIns(ctx context.Context, s *server) error {
	signIn, cpu, err := s.loaded(ctx, s.signIn, slice)
	if err != nil {
		return err
	}
	m.signIns = append(m.signIns, signIn.perSecond())
	m.signInMedian = append(m.signInMedian, milliseconds(signIn.quantile(.5)))
	m.signInCPU = append(m.signInCPU, milliseconds(cpu))
	hash, err := hashing(slice)
	m.hashCPU = append(m.hashCPU, milliseconds(hash))
	return err
}

func (m *series) figures(name string) Figures {
	return Figures{
		Name: name, ReadsPerSecond: median(m.reads), ReadMedian: median(m.readMedian), ReadP99: median(m.readP99), ReadProcessorTime: median(m.readCPU),
		SignInsPerSecond: median(m.signIns), SignInMedian: median(m.signInMedian), SignInProcessor: median(m.signInCPU),
	}
}

// loaded drives the server and returns the calls done, and its processor time for each call.
func (s *server) loaded(ctx context.Context, requests []*fasthttp.Request, lasting time.Duration) (load, time.Duration, error) {
	before, err := processorTime(s.pid)
	if err != nil {
		return load{}, 0, err
	}
	done, err := drive(ctx, requests, lasting)
	if err != nil {
		return done, 0, err
	}
	after, err := processorTime(s.pid)
	return done, (after - before) / time.Duration(done.calls), err
}

// Print writes the comparison as a table.
func (r Report) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name, format string, ours, theirs float64) {
		_, _ = fmt.Fprintf(table, "%s\t"+format+"\t"+format+"\t%.2f\t\n", name, ours, theirs, ours/theirs)
	}
	_, _ = fmt.Fprintf(table, "\t%s\t%s\tratio\t\n", r.Ours.Name, r.Theirs.Name)
	row("get-session a second", "%.0f", r.Ours.ReadsPerSecond, r.Theirs.ReadsPerSecond)
	row("  median, ms", "%.2f", r.Ours.ReadMedian, r.Theirs.ReadMedian)
	row("  99 of 100, ms", "%.2f", r.Ours.ReadP99, r.Theirs.ReadP99)
	row("  CPU of one, us", "%.0f", r.Ours.ReadProcessorTime, r.Theirs.ReadProcessorTime)
	row("sign-ins a second", "%.1f", r.Ours.SignInsPerSecond, r.Theirs.SignInsPerSecond)
	row("  median, ms", "%.1f", r.Ours.SignInMedian, r.Theirs.SignInMedian)
	row("  CPU of one, ms", "%.1f", r.Ours.SignInProcessor, r.Theirs.SignInProcessor)
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "one hash alone: %.1f ms of CPU; %d processors, %d rounds of %.0f s each\n\n", r.HashAlone, r.Processors, r.Rounds, r.Seconds)
	printGoals(out, r.Goals)
}

func printGoals(out io.Writer, goals []Goal) {
	for _, goal := range goals {
		_, _ = fmt.Fprintln(out, goal)
	}
}
