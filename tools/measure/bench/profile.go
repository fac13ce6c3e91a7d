package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"baari.dev/tools/stack"
)

// ProfilePlan sets how long each path is driven, and the folder of its profiles.
type ProfilePlan struct {
	Each    time.Duration
	Reports string
}

// Profiled is one hot path under load.
type Profiled struct {
	Path    string  `json:"path"`
	Program string  `json:"program"`
	Calls   int     `json:"calls"`
	CPU     float64 `json:"cpu_us"` // of one call, in the program
	File    string  `json:"file"`   // without .cpu and .allocs
}

// ProfileReport lists the profiles that were taken.
type ProfileReport struct {
	At    time.Time  `json:"at"`
	Paths []Profiled `json:"paths"`
}

// The load under which profiles are taken.
const (
	profiledClients = 8
	profiledPast    = 100_000 // visits, for the export
)

// hotPath is a load during which a program is profiled.
type hotPath struct {
	name, program string
	drive         func(ctx context.Context, lasting time.Duration) (load, error)
}

// Profile drives each hot path and takes profiles of processor time and allocations of the program that does its work.
// It returns Advice where the user can correct the cause of a failure.
func Profile(ctx context.Context, options stack.Options, plan ProfilePlan) (ProfileReport, error) {
	report := ProfileReport{At: time.Now().UTC()}
	for name, value := range map[string]string{"PROFILES": "on", "TRACE_RECENT": "0", "RETENTION_DAYS": "36500", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.1"} {
		if err := os.Setenv(name, value); err != nil {
			return report, err
		}
	}
	if err := os.MkdirAll(plan.Reports, 0o700); err != nil {
		return report, err
	}
	a, err := openArchive(ctx, options, profiledPast)
	if err != nil {
		return report, err
	}
	defer a.close(context.WithoutCancel(ctx))
	if err := a.fill(ctx, options.Progress); err != nil {
		return report, err
	}
	o, err := openOffice(ctx, a.system)
	if err != nil {
		return report, err
	}
	defer o.pool.Close()
	for _, path := range a.hotPaths(o) {
		err := options.Progress.Step("driving "+path.name, func() error {
			profiled, err := a.profile(ctx, path, plan)
			report.Paths = append(report.Paths, profiled)
			return err
		})
		if err != nil {
			return report, fmt.Errorf("%s: %w", path.name, err)
		}
	}
	return report, nil
}

// hotPaths are those that users wait for; the one that grows today's list is last.
func (a *archive) hotPaths(o *office) []hotPath {
	reading := func(name string) func(context.Context, time.Duration) (load, error) {
		return func(ctx context.Context, lasting time.Duration) (load, error) {
			calls := make([]call, profiledClients)
			for _, l := range looks {
				for i := range calls {
					if l.name == name {
						var hangUp func()
						calls[i], hangUp = a.asking(l)
						defer hangUp()
					}
				}
			}
			return repeat(ctx, calls, lasting)
		}
	}
	return []hotPath{
		{"today", "visits", reading("today")},
		{"counts", "audit", reading("counts")},
		{"audit-page", "audit", reading("audit, page 1")},
		{"export", "audit", func(ctx context.Context, lasting time.Duration) (load, error) {
			return repeat(ctx, []call{func(ctx context.Context) error { _, err := a.download(ctx, a.first(), a.today); return err }}, lasting)
		}},
		{"gateway", "gateway", func(ctx context.Context, lasting time.Duration) (load, error) {
			calls := make([]call, profiledClients)
			for i := range calls {
				at := &server{host: strings.TrimPrefix(strings.Replace(a.system.URL(), "localhost", "127.0.0.1", 1), "http://")}
				request := at.request(http.MethodGet, "/api/services", nil)
				request.Header.Set("Authorization", "Bearer "+a.people["admin"].Token())
				var hangUp func()
				calls[i], hangUp = asking(request)
				defer hangUp()
			}
			return repeat(ctx, calls, lasting)
		}},
		{"status", "visits", func(ctx context.Context, lasting time.Duration) (load, error) {
			return o.decide(ctx, "public", profiledClients, lasting, o.denyThroughService)
		}},
		{"create", "visits", func(ctx context.Context, lasting time.Duration) (load, error) {
			calls := make([]call, profiledClients)
			for i := range calls {
				var hangUp func()
				calls[i], hangUp = o.createThroughService()
				defer hangUp()
			}
			return repeat(ctx, calls, lasting)
		}},
	}
}

// profile drives a path, first to warm up, and stores the profiles.
func (a *archive) profile(ctx context.Context, path hotPath, plan ProfilePlan) (Profiled, error) {
	process := processOf(a.system, path.program)
	file := filepath.Join(plan.Reports, path.name)
	if _, err := path.drive(ctx, time.Second); err != nil {
		return Profiled{}, err
	}
	pprof := fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/", process.AdminPort)
	if err := fetchInto(ctx, pprof+"allocs", file+".before"); err != nil {
		return Profiled{}, err
	}
	taken := make(chan error, 1)
	go func() {
		taken <- fetchInto(ctx, fmt.Sprintf("%sprofile?seconds=%.0f", pprof, plan.Each.Seconds()), file+".cpu")
	}()
	before, err := processorTime(process.PID)
	if err != nil {
		return Profiled{}, err
	}
	done, err := path.drive(ctx, plan.Each)
	if err = errors.Join(err, <-taken); err != nil {
		return Profiled{}, err
	}
	after, err := processorTime(process.PID)
	if err != nil {
		return Profiled{}, err
	}
	err = fetchInto(ctx, pprof+"allocs", file+".allocs")
	for kind, args := range map[string][]string{"cpu": {"-top", file + ".cpu"}, "cum": {"-top", "-cum", file + ".cpu"}, "allocs": {"-top", "-cum", "-sample_index=alloc_space", "-base", file + ".before", file + ".allocs"}} {
		err = errors.Join(err, writeTop(ctx, file+"."+kind+".txt", args...))
	}
	cost := (after - before).Seconds() * 1e6 / float64(max(1, done.calls))
	return Profiled{Path: path.name, Program: path.program, Calls: done.calls, CPU: cost, File: file}, errors.Join(err, os.Remove(file+".before"))
}

// fetchInto keeps an answer in a file.
func fetchInto(ctx context.Context, address, file string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered %d", address, answer.StatusCode)
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, answer.Body)
	return errors.Join(err, out.Close())
}

// writeTop stores the output of pprof -top.
func writeTop(ctx context.Context, file string, args ...string) error {
	text, err := stack.GoCommand(ctx, "", append([]string{"tool", "pprof", "-nodecount=80"}, args...)...).Output()
	if err != nil {
		return fmt.Errorf("go tool pprof: %w", err)
	}
	return os.WriteFile(file, text, 0o600)
}

// Met implements the benchmarks' result: profiles have no goal.
func (ProfileReport) Met() bool { return true }

// Summary describes the cost of one call of each path.
func (r ProfileReport) Summary() string {
	costs := make([]string, len(r.Paths))
	for i, path := range r.Paths {
		costs[i] = fmt.Sprintf("%s %.0f us", path.Path, path.CPU)
	}
	return "CPU of one call in its program: " + strings.Join(costs, ", ")
}

// Print writes where the profiles are.
func (r ProfileReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "path\tprogram\tcalls\tCPU of one, us\tprofiles")
	for _, path := range r.Paths {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%.0f\t%s.{cpu,allocs}\n", path.Path, path.Program, path.Calls, path.CPU, path.File)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintln(out, "beside each what pprof lists first, as .txt")
}
