package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// lane decides which jobs may run in parallel: jobs of one lane run one after another, jobs of different lanes in
// parallel.
type lane string

const (
	working   lane = "working"   // CPU-bound: yields to the lane waiting, whose parts hold limits of time
	waiting   lane = "waiting"   // mostly waits: for deadlines, restarts and scrapes
	exclusive lane = "exclusive" // measures time: no other part runs meanwhile except those in the lane spare
	spare     lane = "spare"     // runs in the CPU time that the others leave
	programs  lane = "programs"  // builds third-party programs, in the CPU time that the others leave
	packages  lane = "packages"  // installs system packages
	npm       lane = "npm"       // installs npm packages
)

// niceness is the CPU priority of the jobs of a lane, as nice has it: at lowest, their I/O is of the class idle, too.
func (l lane) niceness() int {
	switch l {
	case spare, programs:
		return lowest
	case working:
		return 5
	default:
		return 0
	}
}

const lowest = 10

// part reports whether the jobs of a lane are parts; the other lanes fetch what parts need.
func (l lane) part() bool { return l == working || l == waiting || l == exclusive || l == spare }

// job is a part, or a supply that parts need.
type job struct {
	name  string
	lane  lane
	needs []string // names of jobs that must have passed first
	do    func(context.Context) (cpu time.Duration, err error)

	state state
	begun time.Time
	took  time.Duration
	cpu   time.Duration // of all its processes
	err   error
}

type state int

const (
	pending state = iota
	running
	ended
)

// statusEvery is the interval of the status line.
const statusEvery = 30 * time.Second

// schedule runs each job as soon as its needs have passed and its lane is free.
type schedule struct {
	jobs   []*job
	say    func(string)
	finish func(*job) // called when a job has ended, never concurrently
	every  time.Duration
	begun  time.Time
}

// run returns when every job has ended or, after ctx is done, when the running jobs have ended.
func (s *schedule) run(ctx context.Context) {
	s.begun = time.Now()
	done := make(chan *job)
	status := time.NewTicker(s.every)
	defer status.Stop()
	for {
		s.fail()
		if ctx.Err() == nil {
			for next := s.next(); next != nil; next = s.next() {
				next.state, next.begun = running, time.Now()
				go func() {
					next.cpu, next.err = next.do(ctx)
					done <- next
				}()
			}
		}
		if s.count(running) == 0 {
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

// fail ends the pending jobs whose needs have failed.
func (s *schedule) fail() {
	for again := true; again; {
		again = false
		for _, j := range s.jobs {
			for _, need := range j.needs {
				if cause := s.find(need); j.state == pending && cause != nil && cause.state == ended && cause.err != nil {
					j.state, j.err, again = ended, fmt.Errorf("it needs %s: %w", cause.name, cause.err), true
					s.finish(j)
				}
			}
		}
	}
}

// next returns the first job that can start, or nil.
func (s *schedule) next() *job {
	for _, j := range s.jobs {
		if j.state == pending && s.supplied(j) && s.room(j) {
			return j
		}
	}
	return nil
}

func (s *schedule) supplied(j *job) bool {
	return !slices.ContainsFunc(j.needs, func(name string) bool {
		need := s.find(name)
		return need != nil && need.state != ended
	})
}

// room reports whether the lane of a job is free and, for an exclusive job, whether no other part runs.
func (s *schedule) room(j *job) bool {
	return !slices.ContainsFunc(s.jobs, func(other *job) bool {
		if other.state != running {
			return false
		}
		apart := func(l lane) bool { return l == working || l == waiting }
		return other.lane == j.lane || j.lane == exclusive && apart(other.lane) || other.lane == exclusive && apart(j.lane)
	})
}

func (s *schedule) find(name string) *job {
	for _, j := range s.jobs {
		if j.name == name {
			return j
		}
	}
	return nil
}

func (s *schedule) count(in state) int {
	n := 0
	for _, j := range s.jobs {
		if j.state == in {
			n++
		}
	}
	return n
}

// status returns the status line: running and fetching jobs with their durations, done parts, and parts left.
func (s *schedule) status() string {
	var run, get, done, left []string
	for _, j := range s.jobs {
		entry := fmt.Sprintf("%s %s", j.name, time.Since(j.begun).Round(time.Second))
		switch {
		case j.state == running && j.lane.part():
			run = append(run, entry)
		case j.state == running:
			get = append(get, entry)
		case j.state == ended && j.lane.part() && j.err != nil:
			done = append(done, j.name+" (failed)")
		case j.state == ended && j.lane.part():
			done = append(done, j.name)
		case j.state == pending && j.lane.part():
			left = append(left, j.name)
		}
	}
	line := "[" + time.Since(s.begun).Round(time.Second).String() + "]"
	for _, group := range []struct {
		word string
		jobs []string
	}{{"running", run}, {"getting", get}, {"done", done}, {"left", left}} {
		if len(group.jobs) > 0 {
			line += " " + group.word + ": " + strings.Join(group.jobs, ", ") + ";"
		}
	}
	return strings.TrimSuffix(line, ";")
}
