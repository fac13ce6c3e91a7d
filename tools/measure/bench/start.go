package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"baari.dev/tools/stack"
)

// settling is the time after which a new program, or one with new connections, has released what it needed for that.
const settling = 5 * time.Second

// Start measures a start on an existing data folder, and of each service the time from the start of its process until
// it is ready and its memory when idle, and the size of the program of all.
func Start(ctx context.Context, options stack.Options, rounds int) (*Report, error) {
	size, err := strippedSize(ctx, options)
	if err != nil {
		return nil, err
	}
	r := newReport()
	options.Data = filepath.Join(options.Data, "kept")
	var warm []float64
	for round := range rounds + 1 { // the first start fills the folder
		began := time.Now()
		system, err := startPrograms(ctx, options, stack.Embedded)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			warm = append(warm, time.Since(began).Seconds())
		}
		if round == rounds {
			err = system.measurePrograms(ctx, r, rounds)
		}
		system.Stop()
		if err != nil {
			return nil, err
		}
	}
	r.note("a start on a kept folder: %.1f s; %d processors, %d rounds", median(warm), runtime.NumCPU(), rounds)
	worst := func(column int) float64 {
		rows := r.Tables[0].Rows
		row := slices.MaxFunc(rows, func(a, b []any) int { return int(1e3 * (a[column].(float64) - b[column].(float64))) })
		return row[column].(float64)
	}
	r.goal("s of a start on a kept folder", "<= 5", median(warm))
	r.goal("ms until the slowest service is ready", "<= 500", worst(1))
	r.goal("MB that the largest service holds idle", "<= 40", worst(2))
	r.goal("MB of the program", "<= 38", size)
	return r, nil
}

// strippedSize builds the program as an image has it, and returns its size in MB.
func strippedSize(ctx context.Context, options stack.Options) (float64, error) {
	program := filepath.Join(options.Data, "baarid")
	build := stack.GoCommand(ctx, options.Root, "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		"baari.dev/gateway/cmd/baarid")
	if err := stack.Run(build); err != nil {
		return 0, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return float64(info.Size()) / 1e6, nil
}

// measurePrograms measures each service of an idle system.
func (s *system) measurePrograms(ctx context.Context, r *Report, rounds int) error {
	if err := stack.Pause(ctx, settling); err != nil {
		return err
	}
	table := r.table(" %s", "ready, ms %.0f", "idle, MB %.1f")
	for _, name := range stack.Services {
		memory, err := megabytes(s.Process(name).PID)
		if err != nil {
			return err
		}
		var ready []float64
		for range rounds {
			took, err := s.restart(ctx, name)
			if err != nil {
				return fmt.Errorf("restart %s: %w", name, err)
			}
			ready = append(ready, milliseconds(took))
		}
		table.add(name, median(ready), memory)
	}
	return nil
}

// restart kills a service and returns the age of its next process when it is ready.
func (s *system) restart(ctx context.Context, name string) (time.Duration, error) {
	killed, err := s.Signal(name, syscall.SIGKILL)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		process := s.Process(name)
		if process.PID != killed && stack.Get(ctx, s.Admin()[name]+"/readyz", "", io.Discard) == nil {
			return age(process.PID)
		}
		if err := stack.Pause(ctx, 2*time.Millisecond); err != nil {
			return 0, err
		}
	}
}
