package bench

import (
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
