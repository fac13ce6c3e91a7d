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

// Limits for the two commands of the README on two processors, without downloads (services/docs/gates.md). The times
// depend on the load of the machine, so no test of a merge checks the limits.
const (
	coldUp, warmUp     = 90 * time.Second, 5 * time.Second
	coldTest, warmTest = 10 * time.Minute, 6 * time.Minute
)

// startPart measures the start of the programs and, in a new clone, the two commands of the README, each first with an
// empty build cache and then once more. Downloads are not measured: they are already cached.
func startPart(ctx context.Context, r *Runner) error {
	up := func(clone, cache string) (time.Duration, error) { return r.timeUp(ctx, clone, cache) }
	test := func(clone, cache string) (time.Duration, error) {
		began := time.Now()
		err := r.Run(inClone(ctx, clone, cache, "test"))
		return time.Since(began), err
	}
	return errors.Join(
		r.lab(ctx, "bench", "start", "--record=false"),
		r.twice(ctx, "up", coldUp, warmUp, up),
		r.twice(ctx, "test", coldTest, warmTest, test),
	)
}

// twice measures a command in a new clone, with an empty build cache and then again. Exceeding a limit is an error.
func (r *Runner) twice(
	ctx context.Context, name string, cold, warm time.Duration,
	measure func(clone, cache string) (time.Duration, error),
) error {
	clone, cache := filepath.Join(r.Scratch, "clone-"+name), filepath.Join(r.Scratch, "cache-"+name)
	if err := r.Run(r.Command(ctx, "", "git", "clone", "--quiet", r.Root, clone)); err != nil {
		return err
	}
	var errs []error
	for _, c := range []struct {
		what  string
		limit time.Duration
	}{{"cold", cold}, {"warm", warm}} {
		took, err := measure(clone, cache)
		took = took.Round(100 * time.Millisecond)
		switch {
		case err != nil:
			return errors.Join(append(errs, fmt.Errorf("%s %s: %w", c.what, name, err))...)
		case took > c.limit:
			errs = append(errs, fmt.Errorf("%s %s took %s, more than %s", c.what, name, took, c.limit))
		}
		r.Progress.Printf("%s %s: %s, limit %s", c.what, name, took, c.limit)
	}
	return errors.Join(errs...)
}

// timeUp runs `up` and returns the time until it has written the file of accounts. Then it stops the system.
func (r *Runner) timeUp(ctx context.Context, clone, cache string) (time.Duration, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	ports, err := stack.FreePorts(1)
	if err != nil {
		return 0, err
	}
	data := filepath.Join(clone, ".baari")
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
	<-ended // the signal ends the launcher, whose error is ignored
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
