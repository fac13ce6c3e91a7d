package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"baari.dev/tools/image"
	"baari.dev/tools/stack"
)

// The goals of starting and of size.
const (
	warmUpWithin  = 5 * time.Second
	readyInMillis = 500
	idleMegabytes = 40
	imageMegabyte = 30
)

// Program is what a service needs to start, and at rest.
type Program struct {
	Name   string  `json:"name"`
	Ready  float64 `json:"ready_ms"` // from the start of its process to /readyz
	Memory float64 `json:"idle_mb"`  // resident, in an idle system
	Image  float64 `json:"image_mb"`
}

// StartReport is how fast a system is there, and how large.
type StartReport struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Rounds     int       `json:"rounds"`
	WarmUp     float64   `json:"warm_up_seconds"`
	Programs   []Program `json:"programs"`
	Verdict
}

// Start measures a start on a kept data folder, how soon each service is ready after its process began, how much memory
// it uses at rest, and how large its image is.
func Start(ctx context.Context, options stack.Options, rounds int) (StartReport, error) {
	report := StartReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Rounds: rounds}
	built, err := image.Build(ctx, image.Options{
		Root: options.Root, Out: filepath.Join(options.Data, "images"), Repository: "baari.local", Tags: []string{"bench"}, Progress: options.Progress,
	})
	if err != nil {
		return report, err
	}
	sizes := map[string]float64{}
	for _, one := range built {
		sizes[one.Name] = float64(one.Size) / 1e6
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return report, err
	}
	options.Port, options.NoLimits, options.Gateway, options.Data = ports[0], true, stack.Embedded, filepath.Join(options.Data, "kept")
	var warm []float64
	for round := -1; round < rounds; round++ { // the first fills the folder
		began := time.Now()
		system, err := stack.Start(ctx, options)
		if err != nil {
			return report, err
		}
		if round >= 0 {
			warm = append(warm, time.Since(began).Seconds())
		}
		if round == rounds-1 {
			report.Programs, err = programsOf(ctx, system, rounds, sizes)
		}
		system.Stop()
		if err != nil {
			return report, err
		}
	}
	report.WarmUp = median(warm)
	report.judge()
	return report, nil
}

// programsOf measures each service of an idle system.
func programsOf(ctx context.Context, system *stack.Stack, rounds int, sizes map[string]float64) ([]Program, error) {
	select {
	case <-time.After(settleAfterOpening):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var all []Program
	for _, name := range stack.Services {
		memory, err := residentMemory(processOf(system, name).PID)
		if err != nil {
			return nil, err
		}
		var ready []float64
		for range rounds {
			took, err := restart(ctx, system, name)
			if err != nil {
				return nil, err
			}
			ready = append(ready, milliseconds(took))
		}
		all = append(all, Program{Name: name, Ready: median(ready), Memory: float64(memory) / 1e6, Image: sizes[imageOf(name)]})
	}
	return all, nil
}

// imageOf is the name of a service's image, which is the service's but for one.
func imageOf(service string) string {
	if service == "audit" {
		return "audit-analytics"
	}
	return service
}

func processOf(system *stack.Stack, name string) stack.Process {
	all := system.Processes()
	return all[slices.IndexFunc(all, func(p stack.Process) bool { return p.Name == name })]
}

// restart kills a service and returns the time until its next process is ready.
func restart(ctx context.Context, system *stack.Stack, name string) (time.Duration, error) {
	killed, err := system.Signal(name, syscall.SIGKILL)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	process := processOf(system, name)
	for ; process.PID == killed || process.PID == 0; process = processOf(system, name) {
		if err := pause(ctx); err != nil {
			return 0, fmt.Errorf("%s is not started again: %w", name, err)
		}
	}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/readyz", process.AdminPort), http.NoBody)
		if err != nil {
			return 0, err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return age(process.PID)
			}
		}
		if err := pause(ctx); err != nil {
			return 0, fmt.Errorf("%s does not get ready: %w", name, err)
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * time.Millisecond):
		return nil
	}
}

// judge holds the worst of each against its goal.
func (r *StartReport) judge() {
	worst := func(of func(Program) float64) float64 {
		high := 0.0
		for _, program := range r.Programs {
			high = max(high, of(program))
		}
		return high
	}
	ready, memory, size := worst(func(p Program) float64 { return p.Ready }), worst(func(p Program) float64 { return p.Memory }), worst(func(p Program) float64 { return p.Image })
	r.Goals = []Goal{
		{"s of a start on a kept folder", fmt.Sprintf("<= %.0f", warmUpWithin.Seconds()), r.WarmUp, r.WarmUp <= warmUpWithin.Seconds()},
		{"ms until the slowest service is ready", fmt.Sprintf("<= %d", readyInMillis), ready, ready <= readyInMillis},
		{"MB that the largest service holds idle", fmt.Sprintf("<= %d", idleMegabytes), memory, memory <= idleMegabytes},
		{"MB of the largest image of a service", fmt.Sprintf("<= %d", imageMegabyte), size, size <= imageMegabyte},
	}
}

// Print writes the figures as a table.
func (r StartReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "\tready, ms\tidle, MB\timage, MB\t\n")
	for _, program := range r.Programs {
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%.1f\t%.1f\t\n", program.Name, program.Ready, program.Memory, program.Image)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "a start on a kept folder: %.1f s; %d processors, %d rounds\n\n", r.WarmUp, r.Processors, r.Rounds)
	printGoals(out, r.Goals)
}
