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
	// User and system time are the 14th and 15th field.
	fields, err := statOf(pid, 14, 15)
	if err != nil {
		return 0, err
	}
	return time.Duration(fields[0]+fields[1]) * tick, nil
}

// statOf reads numbered fields of a process's line in /proc.
func statOf(pid int, numbers ...int) ([]int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, fmt.Errorf("processor times are read from /proc, on Linux only: %w", err)
	}
	// The second field is the program's name in parentheses and may hold blanks.
	_, rest, found := strings.Cut(string(text), ") ")
	all := strings.Fields(rest)
	fields := make([]int64, len(numbers))
	for i, number := range numbers {
		if !found || len(all) <= number-3 {
			return nil, errors.New("/proc is not what it was")
		}
		if fields[i], err = strconv.ParseInt(all[number-3], 10, 64); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// age is how long ago a process began, to the tick.
func age(pid int) (time.Duration, error) {
	fields, err := statOf(pid, 22) // when it began, in ticks since the machine did
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, err
	}
	up, _, _ := strings.Cut(string(text), " ")
	seconds, err := strconv.ParseFloat(up, 64)
	return time.Duration(seconds*float64(time.Second)) - time.Duration(fields[0])*tick, err
}

// processorTimes are those of several processes.
func processorTimes(pids []int) ([]time.Duration, error) {
	times := make([]time.Duration, len(pids))
	for i, pid := range pids {
		var err error
		if times[i], err = processorTime(pid); err != nil {
			return nil, err
		}
	}
	return times, nil
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

// residentMemory is the resident memory of a process in bytes.
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
