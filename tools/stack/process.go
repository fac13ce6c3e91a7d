package stack

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Spec describes how to run a program. Its ports do not change when it is started again.
type Spec struct {
	Name string
	Path string
	Args []string
	Env  []string
	Log  string

	Port         int // 0: none
	InternalPort int
	AdminPort    int

	// Targets are the parts of the program, each with its own ports; none: the program itself.
	Targets []Process

	// Stop is the signal that asks the program to stop; default SIGTERM.
	Stop syscall.Signal
	// Orphan is the signal that the kernel sends when the launcher dies; default SIGKILL.
	Orphan syscall.Signal
	// Owner is the account to run as; nil is the launcher's own.
	Owner *syscall.Credential
	// Files are inherited from descriptor 3 on.
	Files []*os.File
}

// command puts the process into a group of its own, so that Ctrl-C in a terminal reaches only the launcher, which
// then stops the programs in order.
func (s Spec) command(log *os.File) *exec.Cmd {
	orphan := s.Orphan
	if orphan == 0 {
		orphan = syscall.SIGKILL
	}
	cmd := exec.Command(s.Path, s.Args...)
	cmd.Dir = "/"
	cmd.Env = s.Env
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = s.Files
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: s.Owner}
	dieWithLauncher(cmd.SysProcAttr, orphan)
	return cmd
}

// startThread is an operating system thread that lives as long as the launcher. The kernel sends the parent-death
// signal when the thread that started the child ends, so this thread starts every child.
var startThread = sync.OnceValue(func() chan<- func() {
	jobs := make(chan func())
	go func() {
		runtime.LockOSThread()
		for job := range jobs {
			job()
		}
	}()
	return jobs
})

func start(cmd *exec.Cmd) error {
	done := make(chan error)
	startThread() <- func() { done <- cmd.Start() }
	return <-done
}

// RunInForeground runs a command that reads from the terminal, in the launcher's group of processes, and waits for it.
// The command ends with the launcher.
func RunInForeground(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	dieWithLauncher(cmd.SysProcAttr, syscall.SIGTERM)
	if err := start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Run runs a short-lived command and waits for it. When the command's context ends, the command and its children get
// SIGTERM, and SIGKILL after WaitDelay, by default five seconds. The command also ends with the launcher.
func Run(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	dieWithLauncher(cmd.SysProcAttr, syscall.SIGKILL)
	if cmd.Cancel != nil { // created with a context
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
		if cmd.WaitDelay == 0 {
			cmd.WaitDelay = 5 * time.Second
		}
	}
	if err := start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}
