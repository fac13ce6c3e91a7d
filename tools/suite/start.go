package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"baari.dev/tools/stack"
)

// Limits of the README's two commands on two processors, without downloads (services/docs/gates.md). No test of a
// merge depends on them, since they depend on the load of the machine.
const (
	coldUp, warmUp     = 90 * time.Second, 5 * time.Second
	coldTest, warmTest = 10 * time.Minute, 6 * time.Minute
)

// startPart measures the README's two commands in a new clone, each with an empty build cache and then again, and the
// start of the programs. What the commands download is in the caches of the modules, of npm and of the launcher.
func startPart(ctx context.Context, r *Runner) error {
	clone := filepath.Join(r.Scratch, "clone")
	if err := r.Run(r.Command(ctx, "", "git", "clone", "--quiet", r.Root, clone)); err != nil {
		return err
	}
	data := filepath.Join(r.Scratch, "data")
	up := func(cache string) (time.Duration, error) { return r.timeUp(ctx, clone, cache, data) }
	test := func(cache string) (time.Duration, error) {
		began := time.Now()
		err := r.Run(inClone(ctx, clone, cache, "test"))
		return time.Since(began), err
	}
	errs := []error{r.lab(ctx, "bench", "start", "--record=false")}
	for _, c := range []struct {
		name        string
		measure     func(cache string) (time.Duration, error)
		cold, again time.Duration
	}{{"up", up, coldUp, warmUp}, {"test", test, coldTest, warmTest}} {
		cache := filepath.Join(r.Scratch, "cache-"+c.name)
		errs = append(errs,
			r.within("cold "+c.name, c.cold, cache, c.measure),
			r.within("warm "+c.name, c.again, cache, c.measure))
	}
	return errors.Join(errs...)
}

// within measures and returns an error if a limit is exceeded.
func (r *Runner) within(
	name string, limit time.Duration, cache string, measure func(cache string) (time.Duration, error),
) error {
	took, err := measure(cache)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Progress.Printf("%s: %s, limit %s", name, took.Round(100*time.Millisecond), limit)
	if took > limit {
		return fmt.Errorf("%s took %s, more than %s", name, took.Round(100*time.Millisecond), limit)
	}
	return nil
}

// timeUp returns the time from the command until the system has written the file of its accounts, and stops it.
func (r *Runner) timeUp(ctx context.Context, clone, cache, data string) (time.Duration, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	ports, err := stack.FreePorts(1)
	if err != nil {
		return 0, err
	}
	accounts := filepath.Join(data, "accounts.json")
	if err := os.Remove(accounts); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	cmd := inClone(running, clone, cache, "up", "--data", data, "--port", fmt.Sprint(ports[0]))
	cmd.WaitDelay = partGrace
	ended := make(chan struct{})
	began := time.Now()
	var failed error
	go func() {
		failed = r.Run(cmd)
		close(ended)
	}()
	err = stack.Await(ctx, 2*coldTest, func(context.Context) error {
		select {
		case <-ended:
			return nil
		default:
			_, err := os.Stat(accounts)
			return err
		}
	})
	took := time.Since(began)
	select {
	case <-ended:
		return 0, errors.Join(failed, errors.New("up ended by itself"))
	default:
	}
	stop()
	<-ended // by the signal
	return took, err
}

// inClone returns a command of the launcher in a clone, with a build cache of its own, on two processors.
func inClone(ctx context.Context, clone, cache string, args ...string) *exec.Cmd {
	line := append([]string{"go", "run", "./tools/baari"}, args...)
	if pin, err := exec.LookPath("taskset"); err == nil {
		line = append([]string{pin, "--cpu-list", "0,1"}, line...)
	}
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = clone
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "GOCACHE=") {
			cmd.Env = append(cmd.Env, setting)
		}
	}
	cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	return cmd
}
