package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// played runs jobs in a schedule. A test ends each job through its channel; began lists the jobs that have started.
type played struct {
	schedule
	mu    sync.Mutex
	began []string
	ended []string
	end   map[string]chan error
	lines chan string
	over  chan bool
}

func play(t *testing.T, every time.Duration, jobs ...*job) *played {
	t.Helper()
	p := &played{end: map[string]chan error{}, lines: make(chan string), over: make(chan bool)}
	p.jobs, p.every = jobs, every
	p.say = func(line string) { p.lines <- line }
	p.finish = func(j *job) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ended = append(p.ended, j.name)
	}
	for _, j := range jobs {
		p.end[j.name] = make(chan error)
		j.do = func(context.Context) (time.Duration, error) {
			p.mu.Lock()
			p.began = append(p.began, j.name)
			p.mu.Unlock()
			return time.Second, <-p.end[j.name]
		}
	}
	go func() { p.run(t.Context()); close(p.over) }()
	return p
}

// expect waits until exactly these jobs have started since the start of the run, in any order.
func (p *played) expect(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	for range 200 {
		p.mu.Lock()
		got = slices.Sorted(slices.Values(p.began))
		p.mu.Unlock()
		if slices.Equal(got, want) {
			time.Sleep(5 * time.Millisecond) // time for a job that should not start
			p.mu.Lock()
			got = slices.Sorted(slices.Values(p.began))
			p.mu.Unlock()
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("started %v, wanted %v", got, want)
	}
}

func TestAPartStartsWhenItsNeedsHavePassedAndItsLaneIsFree(t *testing.T) {
	p := play(t, time.Hour,
		&job{name: "linter", lane: programs}, &job{name: "compiler", lane: packages},
		&job{name: "go", lane: working, needs: []string{"compiler"}}, &job{name: "web", lane: working},
		&job{name: "chaos", lane: waiting}, &job{name: "lint", lane: spare, needs: []string{"linter"}},
		&job{name: "e2e", lane: exclusive},
	)
	p.expect(t, "linter", "compiler", "web", "chaos")
	p.end["compiler"] <- nil
	p.expect(t, "linter", "compiler", "web", "chaos") // web occupies the lane
	p.end["web"] <- nil
	p.expect(t, "linter", "compiler", "web", "chaos", "go")
	p.end["go"] <- nil
	p.end["linter"] <- nil
	p.expect(t, "linter", "compiler", "web", "chaos", "go", "lint") // chaos runs, so e2e does not start
	p.end["chaos"] <- nil
	// lint is in the lane spare and does not delay e2e
	p.expect(t, "linter", "compiler", "web", "chaos", "go", "lint", "e2e")
	p.end["e2e"] <- nil
	p.end["lint"] <- nil
	<-p.over
}

func TestNoOtherPartStartsBesideAnExclusiveOne(t *testing.T) {
	p := play(t, time.Hour,
		&job{name: "Traefik", lane: programs}, &job{
			name: "gateway", lane: waiting, needs: []string{"Traefik"},
		}, &job{name: "e2e", lane: exclusive},
	)
	p.expect(t, "Traefik", "e2e")
	p.end["Traefik"] <- nil
	p.expect(t, "Traefik", "e2e")
	p.end["e2e"] <- nil
	p.expect(t, "Traefik", "e2e", "gateway")
	p.end["gateway"] <- nil
	<-p.over
}

func TestAPartFailsWithoutRunningIfItsNeedsFail(t *testing.T) {
	p := play(t, time.Hour, &job{name: "helm", lane: programs}, &job{
		name: "chart", lane: waiting, needs: []string{"helm"},
	})
	p.end["helm"] <- errors.New("no network")
	<-p.over
	if err := p.jobs[1].err; err == nil || err.Error() != "it needs helm: no network" ||
		!slices.Equal(p.ended, []string{"helm", "chart"}) {
		t.Errorf("%v after %v", err, p.ended)
	}
	p.expect(t, "helm")
}

func TestStatusLineListsRunningDoneAndPendingParts(t *testing.T) {
	p := play(t, 50*time.Millisecond,
		&job{name: "Traefik", lane: programs}, &job{name: "spec", lane: waiting}, &job{name: "web", lane: working},
		&job{name: "gateway", lane: waiting, needs: []string{"Traefik"}},
	)
	p.expect(t, "Traefik", "spec", "web")
	p.end["spec"] <- nil
	<-p.lines
	if line, want := <-p.lines, "[0s] running: web 0s; getting: Traefik 0s; done: spec; left: gateway"; line != want {
		t.Errorf("said %q, wanted %q", line, want)
	}
	go func() {
		for range p.lines { // further status lines
		}
	}()
	for _, name := range []string{"Traefik", "web", "gateway"} {
		p.end[name] <- nil
	}
	<-p.over
}

// Running jobs end with the run, and no other job starts.
func TestAnInterruptedRunStartsNothingMore(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	var ran []string
	s := schedule{every: time.Hour, finish: func(*job) {}, jobs: []*job{
		{name: "web", lane: working, do: func(ctx context.Context) (time.Duration, error) {
			ran = append(ran, "web")
			interrupt()
			<-ctx.Done()
			return 0, ctx.Err()
		}},
		{name: "go", lane: working, do: func(context.Context) (time.Duration, error) {
			ran = append(ran, "go")
			return 0, nil
		}},
	}}
	s.run(ctx)
	if !slices.Equal(ran, []string{"web"}) {
		t.Errorf("ran %v", ran)
	}
}

func TestEveryPartHasAPlaceAndEverySupplyIsNeeded(t *testing.T) {
	for _, part := range Parts {
		at, ok := places[part.Name]
		if !ok || !at.lane.part() {
			t.Errorf("%s runs nowhere", part.Name)
		}
		for _, name := range at.needs {
			if !slices.ContainsFunc(supplies, func(s supply) bool { return s.name == name }) {
				t.Errorf("%s needs %q, which is no supply", part.Name, name)
			}
		}
	}
	if all, _ := needed(Parts); len(all) != len(supplies) {
		t.Errorf("%d of %d supplies are needed", len(all), len(supplies))
	}
}

// With a compiler but without the C library's headers, every build with cgo fails.
func TestACompilerWithoutHeadersIsNotUsed(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("CC", "")
	r := newRunner(t.Context(), t.TempDir(), &strings.Builder{}, "")
	write := func(name string, status int) {
		t.Helper()
		if err := os.WriteFile(
			filepath.Join(bin, name), fmt.Appendf(nil, "#!/bin/sh\nexit %d\n", status), 0o700,
		); err != nil {
			t.Fatal(err)
		}
	}
	write("gcc", 1)
	if found := r.findCompiler(t.Context()); found != "" {
		t.Errorf("took %s", found)
	}
	if _, err := r.race(t.Context()); err == nil || !strings.Contains(err.Error(), "apt-get install gcc libc6-dev") {
		t.Errorf("said %v", err)
	}
	write("gcc-12", 0)
	env, err := r.race(t.Context())
	if err != nil || !slices.Equal(env, []string{"CGO_ENABLED=1", "CC=" + filepath.Join(bin, "gcc-12")}) {
		t.Errorf("%v, %v", env, err)
	}
}

// All commands build without cgo, whatever compiler the machine has, except tests with the race detector.
func TestCommandsBuildWithoutCgo(t *testing.T) {
	var out strings.Builder
	t.Setenv("CGO_ENABLED", "1")
	r := newRunner(t.Context(), t.TempDir(), &out, "")
	if err := r.run(r.command(t.Context(), "", "go", "env", "CGO_ENABLED")); err != nil || out.String() != "0\n" {
		t.Errorf("%v, cgo is %s", err, out.String())
	}
	text, err := exec.CommandContext(
		t.Context(), "grep", "-rnE", `exec\.Command(Context)?\((ctx, |t\.Context\(\), )?"go"`, "--include=*.go", "..",
	).CombinedOutput()
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "../stack/build.go:") && !strings.HasPrefix(line, "../suite/schedule_test.go:") {
			t.Errorf("starts go without stack.GoCommand: %s", line)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
