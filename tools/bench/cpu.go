package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor times in /proc, the same on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// processorTime is how long a process has computed since its start, its own code and the kernel's for it.
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("processor times are read from /proc, on Linux only: %w", err)
	}
	// The second field is the program's name in parentheses and may hold blanks; user and system time are the 14th and 15th.
	const user, system = 14 - 3, 15 - 3
	_, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if !found || len(fields) <= system {
		return 0, errors.New("/proc is not what it was")
	}
	var total time.Duration
	for _, field := range []int{user, system} {
		ticks, err := strconv.ParseInt(fields[field], 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(ticks) * tick
	}
	return total, nil
}

// How long a process must do next to nothing to count as idle, and how long that is waited for.
const (
	idleFor   = 500 * time.Millisecond
	idleLimit = 2 * time.Minute
)

// awaitIdle returns when a process has nothing left to do.
func awaitIdle(ctx context.Context, pid int) error {
	for end := time.Now().Add(idleLimit); time.Now().Before(end); {
		before, err := processorTime(pid)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(idleFor):
		}
		after, err := processorTime(pid)
		if err != nil || after-before <= 2*tick {
			return err
		}
	}
	return errors.New("a program that is measured does not come to rest")
}

// residentMemory is what a process holds in memory, in bytes.
func residentMemory(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, fmt.Errorf("memory is read from /proc, on Linux only: %w", err)
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, errors.New("/proc is not what it was")
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}
