package stack

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Spec says how to run one program. Its ports stay the same however often it is started again.
type Spec struct {
	Name string
	Path string
	Args []string
	Env  []string
	Log  string

	Port         int // 0: none
	InternalPort int
	AdminPort    int

	// Stop asks the program to end; SIGTERM when it is not set.
	Stop syscall.Signal
	// Orphan is sent by the system when the launcher dies; SIGKILL when it is not set.
	Orphan syscall.Signal
	// Owner is the account to run as; nil is the launcher's own.
	Owner *syscall.Credential
	// Files are inherited from descriptor 3 on.
	Files []*os.File
}

// command makes a process of its own group, so that Ctrl-C in a terminal reaches the launcher alone and the order of stopping is the launcher's.
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

// startThread is one operating system thread that lives as long as the launcher. The system tells a child that its parent
// died when the thread that made it ends, so every child is made by this one.
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

// Run starts a short-lived command and waits for it. With everything it starts, it ends when its context does; it ends with the launcher, too.
func Run(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	dieWithLauncher(cmd.SysProcAttr, syscall.SIGKILL)
	if cmd.Cancel != nil { // made with a context
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
		cmd.WaitDelay = 5 * time.Second
	}
	if err := start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}
