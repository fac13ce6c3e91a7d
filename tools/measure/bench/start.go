package bench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"baari.dev/tools/stack"
)

// settling is the pause before an idle program is measured. The program meanwhile releases unused memory.
const settling = 5 * time.Second

// Start measures starts of the whole system on an existing data folder: with all targets in one process, then with each
// target in its own. It measures the time until each process is ready, its memory when idle, the size of the program,
// and the time to initialize its packages.
func Start(ctx context.Context, options stack.Options, rounds int) (*Report, error) {
	size, initialized, err := programFigures(ctx, options)
	if err != nil {
		return nil, err
	}
	r := newReport()
	options.Data = filepath.Join(options.Data, "kept")
	options.NoLimits, options.Gateway = true, stack.Embedded
	table := r.table(" %s", "ready, ms %.0f", "idle, MB %.1f")
	_, err = startRounds(ctx, options, rounds, func(s *stack.Stack) error {
		return measure(ctx, s, table, stack.Product, stack.Services[0], rounds)
	})
	if err != nil {
		return nil, err
	}
	options.Separate = true
	warm, err := startRounds(ctx, options, rounds, func(s *stack.Stack) error {
		for _, service := range stack.Services {
			if err := measure(ctx, s, table, service, service, rounds); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.note("%d processors, %d rounds", runtime.NumCPU(), rounds)
	worst := func(column int) float64 {
		row := slices.MaxFunc(table.Rows[1:], func(a, b []any) int {
			return cmp.Compare(a[column].(float64), b[column].(float64))
		})
		return row[column].(float64)
	}
	r.goal("s of a start of eight processes on a kept folder", "<= 5", median(warm))
	r.goal("ms until all targets in one process are ready", "<= 2000", table.Rows[0][1].(float64))
	r.goal("ms until the slowest service is ready", "<= 1000", worst(1))
	r.goal("MB that all targets in one process hold idle", "<= 200", table.Rows[0][2].(float64))
	r.goal("MB that the largest service holds idle", "<= 41", worst(2))
	r.goal("MB of the program", "<= 38", size)
	r.goal("ms that its packages take to initialize", "<= 10", initialized)
	return r, nil
}

// startRounds starts a system several times on one folder. The first start fills the folder and is not measured.
// startRounds returns the seconds of the other starts, and calls use with the last system.
func startRounds(
	ctx context.Context, options stack.Options, rounds int, use func(*stack.Stack) error,
) (warm []float64, err error) {
	for round := range rounds + 1 {
		began := time.Now()
		system, err := stack.Start(ctx, options)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			warm = append(warm, time.Since(began).Seconds())
		}
		if round == rounds {
			err = use(system)
		}
		system.Stop()
		if err != nil {
			return nil, err
		}
	}
	return warm, nil
}

// programFigures builds the program without symbols, as for the image. It returns the program's size in MB, and the
// time in ms that its packages take to initialize, as Go's runtime reports it.
func programFigures(ctx context.Context, options stack.Options) (size, initialized float64, err error) {
	program := filepath.Join(options.Data, stack.Product)
	build := stack.GoCommand(ctx, options.Root, "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		"baari.dev/gateway/cmd/baarid")
	if err := stack.Run(build); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, 0, err
	}
	var said bytes.Buffer
	traced := exec.CommandContext(ctx, program, "--help")
	traced.Env, traced.Stderr = append(os.Environ(), "GODEBUG=inittrace=1"), &said
	if err := stack.Run(traced); err != nil {
		return 0, 0, err
	}
	for _, line := range initLine.FindAllSubmatch(said.Bytes(), -1) {
		took, err := strconv.ParseFloat(string(line[1]), 64)
		if err != nil {
			return 0, 0, err
		}
		initialized += took
	}
	return float64(info.Size()) / 1e6, initialized, nil
}

// initLine is a line of GODEBUG=inittrace=1: the time of one package.
var initLine = regexp.MustCompile(`(?m)^init \S+ @.* ms, ([0-9.]+) ms clock`)

// measure measures a program of an idle system and adds its row. target is one of the program's targets.
func measure(ctx context.Context, s *stack.Stack, table *Table, program, target string, rounds int) error {
	if err := stack.Pause(ctx, settling); err != nil {
		return err
	}
	memory, err := megabytes(s.Process(target).PID)
	if err != nil {
		return err
	}
	var ready []float64
	for range rounds {
		took, err := restart(ctx, s, program, target)
		if err != nil {
			return fmt.Errorf("restart %s: %w", program, err)
		}
		ready = append(ready, milliseconds(took))
	}
	table.add(program, median(ready), memory)
	return nil
}

// restart kills a program and returns the age of its next process when it is ready.
func restart(ctx context.Context, s *stack.Stack, program, target string) (time.Duration, error) {
	killed, err := s.Signal(program, syscall.SIGKILL)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		process := s.Process(target)
		if process.PID != killed && stack.Get(ctx, s.Admin()[target]+"/readyz", "", io.Discard) == nil {
			return age(process.PID)
		}
		if err := stack.Pause(ctx, 2*time.Millisecond); err != nil {
			return 0, err
		}
	}
}
