package stack

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithLauncher has the system send the signal when the launcher is gone, even after a kill -9.
func dieWithLauncher(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// EndWithGoRun lets `go run` take the launcher along: killed with a signal it cannot pass on, it would leave the launcher behind.
// It does nothing for a launcher that was started in another way.
func EndWithGoRun() error {
	parent := os.Getppid()
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return nil //nolint:nilerr // a parent that cannot be read is not `go run`
	}
	// The setting belongs to a thread; the starting thread is the one that never ends.
	failed := make(chan error)
	startThread() <- func() { failed <- unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0, 0, 0) }
	return <-failed
}
