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

	// Targets are the parts of the program that have ports of their own. If there are none, the program's ports apply.
	Targets []Process

	// Stop is the signal that asks the program to stop; default SIGTERM.
	Stop syscall.Signal
	// Orphan is the signal that the kernel sends when the launcher dies; default SIGKILL.
	Orphan syscall.Signal
	// Owner is the account that runs the program; nil stands for the launcher's own.
	Owner *syscall.Credential
	// Files are open in the program as descriptors 3, 4 and so on.
	Files []*os.File
}

// command returns a command that runs in a process group of its own. Ctrl-C in a terminal therefore reaches only the
// launcher, which then stops the programs in order.
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

// startThread runs functions in an operating system thread that lives as long as the launcher. Every child is started
// there, because the kernel sends the parent-death signal when the thread that started the child ends.
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

// RunInForeground runs a command that reads from the terminal, and waits for it. The command belongs to the launcher's
// process group, and gets SIGTERM when the launcher ends.
func RunInForeground(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	dieWithLauncher(cmd.SysProcAttr, syscall.SIGTERM)
	if err := start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Run runs a short-lived command and waits for it. When the command's context ends, the command and its children get
// SIGTERM. After WaitDelay, by default five seconds, the command gets SIGKILL. It also ends with the launcher.
func Run(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	dieWithLauncher(cmd.SysProcAttr, syscall.SIGKILL)
	if cmd.Cancel != nil { // the command has a context
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
