package stack

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithLauncher sets the signal that the kernel sends when the launcher is gone, even after SIGKILL.
func dieWithLauncher(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// EndWithGoRun makes the launcher end with the `go run` that started it: `go run` cannot forward SIGKILL and would
// leave the launcher behind. It does nothing for a launcher that was started in another way.
func EndWithGoRun() error {
	parent := os.Getppid()
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return nil //nolint:nilerr // an unreadable parent is not `go run`
	}
	// PR_SET_PDEATHSIG belongs to a thread; the start thread never ends.
	failed := make(chan error)
	startThread() <- func() { failed <- unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0, 0, 0) }
	return <-failed
}
