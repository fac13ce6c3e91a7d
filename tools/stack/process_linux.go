package stack

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithLauncher sets the signal that the kernel sends to a program when the launcher has ended, even by SIGKILL.
func dieWithLauncher(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// EndWithGoRun makes the launcher end when the `go run` that started it ends. Without it, a killed `go run` would leave
// the launcher behind, because SIGKILL cannot be forwarded. It does nothing for a launcher started in another way.
func EndWithGoRun() error {
	parent := os.Getppid()
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return nil //nolint:nilerr // an unreadable parent is not `go run`
	}
	// PR_SET_PDEATHSIG belongs to a thread, so it is set in a thread that never ends.
	failed := make(chan error)
	startThread() <- func() { failed <- unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0, 0, 0) }
	return <-failed
}
