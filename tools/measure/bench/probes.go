package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/staff"
	"baari.dev/tools/stack"
)

// pagesMeanwhile is how many pages are open while links are tried.
const pagesMeanwhile = 50

// measureProbes starts a system with its limits, in which an intruder tries links from some addresses.
func measureProbes(ctx context.Context, options stack.Options, plan PagesPlan, r *Report) error {
	options.Gateway, options.Separate = stack.Embedded, true
	started, err := stack.Start(ctx, options)
	if err != nil {
		return err
	}
	defer started.Stop()
	system := &system{Stack: started, host: hostOf(started, "gateway")}
	if system.Staff, err = staff.SignIn(ctx, system.URL(), system.Accounts(), nil); err != nil {
		return err
	}
	pages, err := system.openPages(ctx, options, pagesMeanwhile)
	if err != nil {
		return err
	}
	prober, err := buildProber(ctx, options)
	if err != nil {
		return err
	}
	table := r.table("%s", "links tried a second %.0f", "answered 404 %d", "429 %d", "others %d", "broken %d",
		"a page's state, p95, ms %.1f", "a registration, p95, ms %.1f", "of a core in gateway, %% %.1f", "in lobby, %% %.1f",
		"in visits, %% %.1f", "in the intruder, %% %.1f")
	share := func(used time.Duration) any { return 100 * used.Seconds() / plan.Each.Seconds() }
	pids := []int{system.Process("gateway").PID, system.Process("lobby").PID, system.Process("visits").PID}
	measure := func(name string, work func() (probed, error)) (both [2]load, p probed, err error) {
		used, err := spent(pids, func() error {
			both, err = system.officeBeside(ctx, pages, plan.Each, func() (err error) {
				p, err = work()
				return err
			})
			return err
		})
		if err != nil {
			return both, p, err
		}
		table.add(name, p.rate(plan.Each), p.Missing, p.Limited, p.Others, p.Broken, both[0].latencies.quantile(.95),
			both[1].latencies.quantile(.95), share(used[0]), share(used[1]), share(used[2]), share(p.Processor))
		return both, p, nil
	}
	if _, _, err = measure("quiet", func() (p probed, err error) { return p, nil }); err != nil {
		return err
	}
	during, tried, err := measure("probed", func() (probed, error) {
		return prober.run(ctx, system.host, plan.Probes, plan.Each)
	})
	if err != nil {
		return err
	}
	r.note("links are tried from eight addresses by a program that has the processors only while no other needs them; " +
		"no limit of the system is off")
	r.goal("links that an intruder found", "0", float64(tried.Others))
	r.goal("ms for 95 of 100 registrations meanwhile", "<= 150", during[1].latencies.quantile(.95))
	r.goal("ms for 95 of 100 states of open pages meanwhile", "<= 50", during[0].latencies.quantile(.95))
	return nil
}

// prober is the path of the program of package prober.
type prober string

func buildProber(ctx context.Context, options stack.Options) (prober, error) {
	program := filepath.Join(options.Data, "prober")
	return prober(program), options.Progress.Step("building the intruder", func() error {
		return stack.Run(stack.GoCommand(ctx, filepath.Join(options.Root, "tools"), "build", "-o", program,
			"./measure/bench/prober"))
	})
}

// probed is what the prober prints.
type probed struct {
	Missing, Limited, Others, Broken int64
	Processor                        time.Duration
}

// rate is how many links a second were answered.
func (p probed) rate(in time.Duration) float64 {
	return float64(p.Missing+p.Limited+p.Others) / in.Seconds()
}

// run tries links at a rate. The program runs at the lowest priority: an intruder's machine is not the office's.
func (p prober) run(ctx context.Context, host string, rate int, lasting time.Duration) (result probed, err error) {
	var out, diagnostics bytes.Buffer
	cmd := exec.CommandContext(ctx, "nice", "-n", "19", string(p), host, strconv.Itoa(rate), lasting.String())
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := stack.Run(cmd); err != nil {
		return result, fmt.Errorf("the intruder: %w\n%s", err, &diagnostics)
	}
	err = json.Unmarshal(out.Bytes(), &result)
	return result, err
}

// officeBeside reads the pages and registers five visitors a second while work runs.
func (s *system) officeBeside(ctx context.Context, pages openPages, lasting time.Duration, work func() error) (
	both [2]load, err error,
) {
	var mu sync.Mutex
	registered := load{took: lasting}
	running, ctx := errgroup.WithContext(ctx)
	running.Go(func() error {
		for end := time.Now().Add(lasting); time.Now().Before(end); {
			sent := time.Now()
			if _, err := s.Register(ctx, s.Visitor()); err != nil {
				return err
			}
			mu.Lock()
			registered.latencies = append(registered.latencies, time.Since(sent))
			mu.Unlock()
			if err := stack.Pause(ctx, 200*time.Millisecond-time.Since(sent)); err != nil {
				return err
			}
		}
		return nil
	})
	running.Go(func() (err error) {
		both[0], err = pages.read(ctx, lasting, work)
		return err
	})
	err = running.Wait()
	both[1] = registered
	return both, err
}
