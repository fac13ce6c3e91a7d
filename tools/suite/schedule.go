package suite

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// slots is the number of parts that run at the same time. Most parts use little more than one processor.
const slots = 2

// job is a part in a run of several parts.
type job struct {
	name  string
	alone bool // no other job runs at the same time
	do    func(context.Context) (cpu time.Duration, err error)

	state state
	begun time.Time
	took  time.Duration
	cpu   time.Duration // CPU time of all processes of the job
	err   error
}

type state int

const (
	pending state = iota
	running
	ended
)

const statusEvery = 30 * time.Second

// schedule runs jobs in their order, slots of them at a time.
type schedule struct {
	jobs   []*job
	say    func(string)
	finish func(*job) // called when a job has ended, never concurrently
	every  time.Duration
	begun  time.Time
}

// run returns when every job has ended. After ctx is done, it starts no more jobs and waits for the running ones.
func (s *schedule) run(ctx context.Context) {
	s.begun = time.Now()
	done := make(chan *job)
	status := time.NewTicker(s.every)
	defer status.Stop()
	for {
		for next := s.next(); next != nil && ctx.Err() == nil; next = s.next() {
			next.state, next.begun = running, time.Now()
			go func() {
				next.cpu, next.err = next.do(ctx)
				done <- next
			}()
		}
		if len(s.in(running)) == 0 {
			return
		}
		select {
		case finished := <-done:
			finished.state, finished.took = ended, time.Since(finished.begun)
			s.finish(finished)
		case <-status.C:
			s.say(s.status())
		}
	}
}

// next returns the first pending job. It returns nil if there is none, or if that job has to wait for a running one.
func (s *schedule) next() *job {
	run, left := s.in(running), s.in(pending)
	if len(left) == 0 || len(run) == slots {
		return nil
	}
	if len(run) > 0 && (left[0].alone || run[0].alone) {
		return nil
	}
	return left[0]
}

func (s *schedule) in(state state) (jobs []*job) {
	for _, j := range s.jobs {
		if j.state == state {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// status returns the status line: running parts with their durations, parts that are done, and parts that are left.
func (s *schedule) status() string {
	line := "[" + time.Since(s.begun).Round(time.Second).String() + "]"
	for _, group := range []struct {
		word  string
		state state
	}{{"running", running}, {"done", ended}, {"left", pending}} {
		var names []string
		for _, j := range s.in(group.state) {
			name := j.name
			switch {
			case group.state == running:
				name = fmt.Sprintf("%s %s", j.name, time.Since(j.begun).Round(time.Second))
			case j.err != nil:
				name += " (failed)"
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			line += " " + group.word + ": " + strings.Join(names, ", ") + ";"
		}
	}
	return strings.TrimSuffix(line, ";")
}
