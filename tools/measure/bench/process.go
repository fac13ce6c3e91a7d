package bench

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// tick is the resolution of process times in /proc, the same on every Linux that Go supports.
const tick = 10 * time.Millisecond

func statOf(pid int) (procfs.ProcStat, error) {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return procfs.ProcStat{}, fmt.Errorf("processes are measured in /proc, on Linux only: %w", err)
	}
	return process.Stat()
}

// processorTime returns the user and system time that a process has used since its start.
func processorTime(pid int) (time.Duration, error) {
	stat, err := statOf(pid)
	return time.Duration(stat.UTime+stat.STime) * tick, err
}

// spent returns the processor time that each process uses while work runs.
func spent(pids []int, work func() error) ([]time.Duration, error) {
	times := func(sign time.Duration, sums []time.Duration) error {
		for i, pid := range pids {
			now, err := processorTime(pid)
			if err != nil {
				return err
			}
			sums[i] += sign * now
		}
		return nil
	}
	sums := make([]time.Duration, len(pids))
	if err := times(-1, sums); err != nil {
		return nil, err
	}
	if err := work(); err != nil {
		return nil, err
	}
	return sums, times(1, sums)
}

// megabytes returns the resident memory of a process in MB.
func megabytes(pid int) (float64, error) {
	stat, err := statOf(pid)
	return float64(stat.ResidentMemory()) / 1e6, err
}

// age returns the time since the start of a process, with the resolution of a tick.
func age(pid int) (time.Duration, error) {
	stat, err := statOf(pid)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0, err
	}
	up, _, _ := strings.Cut(string(text), " ")
	seconds, err := strconv.ParseFloat(up, 64)
	return time.Duration(seconds*float64(time.Second)) - time.Duration(stat.Starttime)*tick, err
}

func sum(times []time.Duration) (total time.Duration) {
	for _, one := range times {
		total += one
	}
	return total
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
