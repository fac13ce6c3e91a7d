// Package stack starts the whole of Baari on one machine, each program as a process of its own on loopback,
// keeps it running and stops it in order. `baari up`, the browser tests and the load tests all use it.
package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/mailbox"
)

// Options say what to start.
type Options struct {
	Root     string        // the repository
	Data     string        // the data folder
	Port     int           // of the gateway
	Gateway  Gateway       // which gateway holds the port
	Fresh    bool          // remove what the data folder holds before starting
	NoLimits bool          // lift all rate limits
	Spans    bool          // have every program write its traces into its log, where a test can read them
	Observe  time.Duration // how often Prometheus asks every program and looks at the alert rules; 0: no Prometheus
	Tags     string        // build tags of the programs
	Clocks   bool          // build programs whose clocks SetClock can set wrong
	Progress *Progress     // where to tell what is going on

	// Link lets a test stand between two programs. It may be nil.
	Link Link

	// Prepare runs when every program is ready, before accounts.json says so. It may be nil.
	Prepare func(context.Context, *Stack) error

	built *builds // programs to run as they are, for the launcher's own tests
	hasty bool    // PostgreSQL does not wait for the disk; the services refuse such a server, tests of Go code want it
}

// level is the order of starting; stopping goes the other way.
type level int

const (
	databases level = iota
	programs
	edge
	levels // how many
)

// stopWithin is less than the ten seconds that a person waits after Ctrl-C. The databases may use what the levels before them have left.
const stopWithin = 9500 * time.Millisecond

// How long the other levels may take of it before they are killed.
const (
	edgeGrace     = 2500 * time.Millisecond
	programsGrace = 3 * time.Second
)

// Stack is a running system.
type Stack struct {
	options    Options
	progress   *Progress
	folder     *Folder
	secrets    Secrets
	mail       *mailbox.Box
	ports      map[string]programPorts
	accounts   []Account
	base       dependencies
	programs   builds         // what runs
	held       []net.Listener // ports of services that do not run for the moment
	prometheus string         // its address, when it runs
	grafana    string         // the same

	listing  sync.Mutex // so that an old list of processes is never written over a new one
	mu       sync.Mutex
	children [levels][]*Child
	cleanups []func()
	stopOnce sync.Once
}

// Start brings everything up and returns when every program is ready and accounts.json is written.
// On an error, and when ctx ends meanwhile, all that was started is stopped again.
// It returns Advice where a person can mend the cause.
func Start(ctx context.Context, options Options) (*Stack, error) {
	if err := checkPort(options.Port); err != nil {
		return nil, err
	}
	reserve(options.Port)
	s, err := open(options)
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		s.Stop()
		return nil, explain(err, s.folder.Path())
	}
	return s, nil
}

// open takes the data folder and makes it ready for a start.
func open(options Options) (*Stack, error) {
	folder, err := OpenFolder(options.Data)
	if err != nil {
		return nil, err
	}
	s := &Stack{options: options, progress: options.Progress, folder: folder, ports: map[string]programPorts{}}
	s.onStop(func() { _ = folder.Close() })
	if err := s.prepareFolder(); err != nil {
		s.Stop()
		return nil, explain(err, folder.Path())
	}
	return s, nil
}

func (s *Stack) prepareFolder() error {
	if s.options.Fresh {
		if os.Getenv("DATABASE_URL") != "" {
			return advise("--fresh leaves the server of DATABASE_URL alone: drop its databases baari_auth, baari_visits, baari_directory, baari_audit and baari_realtime, and start without --fresh.")
		}
		if err := clearStaleServer(context.Background(), s.folder.postgres()); err != nil {
			return err
		}
		if err := s.folder.wipe(); err != nil {
			return err
		}
	}
	for _, file := range []string{s.folder.Accounts(), s.folder.Processes()} {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := checkSpace(s.folder.Path()); err != nil {
		return err
	}
	var err error
	s.secrets, err = loadSecrets(s.folder.secrets())
	return err
}

func (s *Stack) start(ctx context.Context) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() (err error) { s.base, err = s.startDependencies(groupCtx); return err })
	group.Go(func() (err error) { s.programs, err = s.build(groupCtx); return err })
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.startMail(); err != nil {
		return err
	}
	if err := s.progress.Step("starting the services", func() error { return s.startPrograms(ctx, s.programs) }); err != nil {
		return err
	}
	if s.options.Observe > 0 {
		if err := s.progress.Step("starting Prometheus", func() error { return s.startPrometheus(ctx) }); err != nil {
			return err
		}
		if err := s.startGrafana(ctx); err != nil {
			return err
		}
	}
	if err := s.progress.Step("making the demo accounts", func() error { return s.makeAccounts(ctx) }); err != nil {
		return err
	}
	if s.options.Prepare != nil {
		if err := s.options.Prepare(ctx, s); err != nil {
			return err
		}
	}
	return writeJSON(s.folder.Accounts(), s.accounts)
}

// dependencies are the addresses of what every service needs.
type dependencies struct {
	Postgres  string                  `json:"postgres"` // of the administrator
	Redis     string                  `json:"redis"`
	databases map[string]DatabaseURLs // by service
}

func (s *Stack) startDependencies(ctx context.Context) (dependencies, error) {
	base, err := s.startServers(ctx)
	if err != nil {
		return base, err
	}
	err = s.progress.Step("making the databases", func() (err error) {
		base.databases, err = makeDatabases(ctx, base.Postgres, s.secrets)
		return err
	})
	return base, err
}

// startServers starts PostgreSQL and Redis side by side and leaves a note of where they are for other commands.
func (s *Stack) startServers(ctx context.Context) (dependencies, error) {
	var base dependencies
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) { base.Redis, err = s.startRedis(ctx); return err })
	group.Go(func() (err error) { base.Postgres, err = s.startPostgres(ctx); return err })
	if err := group.Wait(); err != nil {
		return base, err
	}
	return base, writeJSON(s.folder.servers(), base)
}

func (s *Stack) startMail() error {
	box, err := mailbox.Open(loopback)
	if err != nil {
		return fmt.Errorf("start the mail box: %w", err)
	}
	s.mail = box
	s.onStop(box.Close)
	return nil
}

// run starts a program under supervision.
func (s *Stack) run(at level, spec Spec) (*Child, error) {
	spec.Log = s.folder.log(spec.Name)
	if s.options.Clocks {
		spec.Env = append(spec.Env, clockVariable+"="+s.folder.clock(spec.Name))
		if err := s.SetClock(spec.Name, 0); err != nil {
			return nil, err
		}
	}
	child, err := supervise(spec, s.progress.Printf, s.listProcesses)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.children[at] = append(s.children[at], child)
	s.mu.Unlock()
	s.listProcesses()
	return child, nil
}

// onStop has a function called after every program has stopped, the last one given first.
func (s *Stack) onStop(cleanup func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cleanups = append(s.cleanups, cleanup)
}

// every calls tell with the time that has passed, again and again until the stack is stopped.
func (s *Stack) every(pause time.Duration, tell func(time.Duration)) {
	stop, done := make(chan struct{}), make(chan struct{})
	s.onStop(func() { close(stop); <-done })
	go func() {
		defer close(done)
		ticker := time.NewTicker(pause)
		defer ticker.Stop()
		last := time.Now()
		for {
			select {
			case <-stop:
				return
			case now := <-ticker.C:
				tell(now.Sub(last))
				last = now
			}
		}
	}()
}

// Stop ends every program, the gateway first and the databases last, and gives the data folder back. It takes less than ten seconds.
func (s *Stack) Stop() {
	s.stopOnce.Do(func() {
		_ = os.Remove(s.folder.Accounts()) // the system is no longer ready
		s.releasePorts()
		deadline := time.Now().Add(stopWithin)
		s.stopLevel(edge, edgeGrace)
		s.stopLevel(programs, programsGrace)
		s.stopLevel(databases, time.Until(deadline))
		_ = os.Remove(s.folder.Processes())
		_ = os.Remove(s.folder.servers())
		for _, cleanup := range slices.Backward(s.cleanups) {
			cleanup()
		}
	})
}

// stopLevel stops the programs of one level side by side.
func (s *Stack) stopLevel(at level, grace time.Duration) {
	s.mu.Lock()
	children := slices.Clone(s.children[at])
	s.mu.Unlock()
	var waiting sync.WaitGroup
	for _, child := range children {
		waiting.Go(func() { child.stop(grace) })
	}
	waiting.Wait()
}
