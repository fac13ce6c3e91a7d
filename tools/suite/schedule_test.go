package suite

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// played is a schedule whose jobs end when the test sends to their channels. began lists the jobs that have started.
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
	testkit.Eventually(t, "have started: "+strings.Join(want, ", "), func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.began) > len(want) {
			t.Fatalf("%v have started, want %v", p.began, want)
		}
		return len(p.began) == len(want)
	})
	for _, name := range want {
		if !strings.Contains(strings.Join(p.began, " "), name) {
			t.Fatalf("%v have started, want %v", p.began, want)
		}
	}
}

func TestTwoPartsRunAtATimeInTheirOrder(t *testing.T) {
	p := play(t, time.Hour, &job{name: "build"}, &job{name: "static"}, &job{name: "go"}, &job{name: "web"})
	p.expect(t, "build", "static")
	p.end["static"] <- nil
	p.expect(t, "build", "static", "go")
	p.end["build"] <- nil
	p.expect(t, "build", "static", "go", "web")
	p.end["web"] <- errors.New("one test failed")
	p.end["go"] <- nil
	<-p.over
	if p.jobs[3].err == nil || p.jobs[2].err != nil || p.jobs[2].cpu != time.Second || len(p.ended) != 4 {
		t.Errorf("ended: %v", p.ended)
	}
}

func TestAPartThatRunsAloneWaitsForTheOthers(t *testing.T) {
	p := play(t, time.Hour, &job{name: "go"}, &job{name: "browser", alone: true}, &job{name: "web"})
	p.expect(t, "go")
	p.end["go"] <- nil
	p.expect(t, "go", "browser")
	p.end["browser"] <- nil
	p.expect(t, "go", "browser", "web")
	p.end["web"] <- nil
	<-p.over
}

var wantStatus = regexp.MustCompile(`running: go \S+, chaos \S+; done: web \(failed\); left: browser`)

func TestTheStatusLineNamesEachPart(t *testing.T) {
	p := play(t, time.Millisecond, &job{name: "go"}, &job{name: "web"}, &job{name: "chaos"}, &job{name: "browser"})
	p.end["web"] <- errors.New("broken")
	var line string
	testkit.Eventually(t, "the line has all parts", func() bool {
		line = testkit.Receive(t, "a status line is printed", p.lines)
		return wantStatus.MatchString(line)
	})
	go func() {
		for range p.lines {
			continue
		}
	}()
	for _, name := range []string{"go", "chaos", "browser"} {
		p.end[name] <- nil
	}
	<-p.over
	close(p.lines)
}

func TestNoPartStartsAfterAnInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	first := &job{name: "go", do: func(ctx context.Context) (time.Duration, error) {
		interrupt()
		<-ctx.Done()
		return 0, ctx.Err()
	}}
	second := &job{name: "browser", alone: true, do: func(context.Context) (time.Duration, error) {
		t.Error("a part was started")
		return 0, nil
	}}
	s := schedule{jobs: []*job{first, second}, every: time.Hour, finish: func(*job) {}}
	s.run(ctx)
	if first.state != ended || second.state != pending {
		t.Errorf("%v %v", first.state, second.state)
	}
}
