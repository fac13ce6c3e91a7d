package stack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
	steady     = 10 * time.Second // a child that ran longer than this is restarted after firstPause
)

// Child is one supervised program. It is restarted on the same ports whenever it exits unexpectedly.
type Child struct {
	spec    Spec
	report  func(format string, values ...any)
	changed func()

	mu       sync.Mutex
	cmd      *exec.Cmd
	failures int
	restarts int

	stopping chan struct{}
	ended    chan struct{}
	stopOnce sync.Once
}

// supervise starts the program and restarts it until stop is called. It calls changed when the process id changes.
func supervise(spec Spec, report func(string, ...any), changed func()) (*Child, error) {
	child := &Child{
		spec: spec, report: report, changed: changed,
		stopping: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := keepLastLog(spec.Log); err != nil {
		return nil, err
	}
	if err := child.launch(); err != nil {
		return nil, err
	}
	go child.watch()
	return child, nil
}

// Name returns the program's name in messages.
func (c *Child) Name() string { return c.spec.Name }

// PID returns the id of the running process.
func (c *Child) PID() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.Process.Pid
}

// signal sends a signal to the running process and returns its id.
func (c *Child) signal(signal syscall.Signal) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.cmd.Process.Signal(signal); err != nil {
		return 0, fmt.Errorf("signal %s: %w", c.spec.Name, err)
	}
	return c.cmd.Process.Pid, nil
}

// Restarts returns the number of restarts.
func (c *Child) Restarts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.restarts
}

// launch starts a process unless the child is being stopped.
func (c *Child) launch() error {
	log, err := os.OpenFile(c.spec.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("log of %s: %w", c.spec.Name, err)
	}
	defer func() { _ = log.Close() }() // the process has its own copy
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isStopping() {
		return nil
	}
	cmd := c.spec.command(log)
	if err := start(cmd); err != nil {
		return fmt.Errorf("start %s: %w", c.spec.Name, err)
	}
	c.cmd = cmd
	return nil
}

// hasEnded reports whether the program has exited at least once.
func (c *Child) hasEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures > 0
}

func (c *Child) isStopping() bool {
	select {
	case <-c.stopping:
		return true
	default:
		return false
	}
}

// watch restarts the program, with increasing pauses, until it is stopped.
func (c *Child) watch() {
	defer close(c.ended)
	pause := firstPause
	for {
		begin := time.Now()
		err := c.wait()
		if c.isStopping() {
			return
		}
		c.mu.Lock()
		c.failures++
		c.mu.Unlock()
		if time.Since(begin) > steady {
			pause = firstPause
		}
		c.report("%s exited unexpectedly (%s); restarting it in %s", c.spec.Name, endOf(err), pause)
		if !c.relaunch(&pause) {
			return
		}
		c.changed()
	}
}

// relaunch tries to start the program until it succeeds. It returns false if the child is being stopped.
func (c *Child) relaunch(pause *time.Duration) bool {
	for {
		select {
		case <-time.After(*pause):
		case <-c.stopping:
			return false
		}
		*pause = min(2**pause, lastPause)
		err := c.launch()
		if err == nil {
			break
		}
		c.report("%v", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.restarts++
	return true
}

func (c *Child) wait() error {
	c.mu.Lock()
	cmd := c.cmd
	c.mu.Unlock()
	return cmd.Wait()
}

func endOf(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// stop asks the program to stop, waits at most grace, and then kills the program and its children.
func (c *Child) stop(grace time.Duration) {
	c.stopOnce.Do(func() {
		signal := c.spec.Stop
		if signal == 0 {
			signal = syscall.SIGTERM
		}
		c.mu.Lock()
		close(c.stopping)
		process := c.cmd.Process
		_ = process.Signal(signal) // an error is ignored: the process may have exited already
		c.mu.Unlock()
		select {
		case <-c.ended:
		case <-time.After(grace):
			c.report("%s does not stop; killing it", c.spec.Name)
			_ = syscall.Kill(-process.Pid, syscall.SIGKILL)
			<-c.ended
		}
	})
	<-c.ended
}

// keepLastLog renames the log of the previous run.
func keepLastLog(path string) error {
	err := os.Rename(path, path+".1")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("keep the last log: %w", err)
	}
	return nil
}
