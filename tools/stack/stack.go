// Package stack starts the whole system on loopback, in one process or with a process for each target. It restarts
// programs that exit, and stops them in order. `baari up`, browser tests and load tests use it. Start at Start.
package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack/mailbox"
)

// Options configure a system.
type Options struct {
	Root     string // the repository
	Data     string // the data folder
	Port     int    // port of the gateway; 0 for a free one
	Gateway  Gateway
	Fresh    bool // remove the data before starting
	NoLimits bool
	Spans    bool          // every program logs its spans, where a test can read them
	Observe  time.Duration // interval of Prometheus' scrapes and evaluations; 0 for no Prometheus
	Clocks   bool          // build programs whose clocks SetClock can set
	Separate bool          // each target is a process, which tests can stop; processes need a Redis
	Seed     bool          // add sample visits, once
	Env      []string      // additional settings of every program, each NAME=value
	Progress *Progress

	// Link lets a test put a proxy between two programs. It may be nil.
	Link Link

	built *builds // programs that are run instead of being built, for this package's tests
	hasty bool    // PostgreSQL runs without fsync, for Go tests; services reject such a server
}

// level is the position of a program in the order of starting. Programs are stopped in the reverse order.
type level int

const (
	databases level = iota
	programs
	edge
	levels // number of levels
)

// stopWithin limits a whole stop, so that a user waits less than ten seconds after Ctrl-C. The databases are stopped
// last and may use what is left of this time.
const stopWithin = 9500 * time.Millisecond

// The time in which the programs of the other levels must stop; otherwise they are killed.
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
	accounts   []client.Account
	base       dependencies
	programs   builds         // the running programs
	held       []net.Listener // listeners that occupy the ports of stopped services
	prometheus string         // address, "" if it does not run
	grafana    string         // address, "" if it does not run

	listing  sync.Mutex // serializes writes of processes.json, so that an older list never replaces a newer one
	mu       sync.Mutex
	children [levels][]*Child
	cleanups []func()
	stopOnce sync.Once
}

// Start starts everything and returns when every program is ready and accounts.json is written. If a program fails to
// start, or ctx ends before, it stops what it has started. It returns Advice if the user can fix the cause.
func Start(ctx context.Context, options Options) (*Stack, error) {
	if options.Port != 0 {
		if err := checkPort(options.Port); err != nil {
			return nil, err
		}
	}
	options.Separate = options.needsSeparate()
	return open(options, func(s *Stack) error { return s.start(ctx) })
}

// needsSeparate reports whether each target runs in a process of its own: with Separate, with Traefik, with Prometheus,
// which distinguishes services by process, and with clocks or links, which affect whole processes.
func (o Options) needsSeparate() bool {
	return o.Separate || o.Gateway == Traefik || o.Observe > 0 || o.Clocks || o.Link != nil
}

func openServers(ctx context.Context, options Options) (*Stack, error) {
	return open(options, func(s *Stack) (err error) {
		s.base, err = s.startServers(ctx)
		return err
	})
}

// open locks and prepares the data folder and calls start. If start returns an error, open stops what has been started.
func open(options Options, start func(*Stack) error) (*Stack, error) {
	folder, err := OpenFolder(options.Data)
	if err != nil {
		return nil, err
	}
	s := &Stack{options: options, progress: options.Progress, folder: folder, ports: map[string]programPorts{}}
	s.onStop(func() { _ = folder.Close() })
	if err = s.prepareFolder(); err == nil {
		err = start(s)
	}
	if err != nil {
		s.Stop()
		return nil, explain(err, folder.Path())
	}
	return s, nil
}

func (s *Stack) prepareFolder() error {
	if s.options.Fresh {
		if os.Getenv("DATABASE_URL") != "" {
			return advise("--fresh does not change the server of DATABASE_URL: drop its databases baari_%s, "+
				"and start without --fresh.", strings.Join(Services, ", baari_"))
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
	if err := s.progress.Step("starting the services", func() error {
		return s.startPrograms(ctx, s.programs)
	}); err != nil {
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
	if err := s.progress.Step("creating the demo accounts", func() error { return s.makeAccounts(ctx) }); err != nil {
		return err
	}
	if s.options.Seed {
		if err := s.addVisits(ctx); err != nil {
			return err
		}
	}
	return WriteJSON(s.folder.Accounts(), s.accounts)
}

// dependencies are the addresses that every service needs.
type dependencies struct {
	Postgres  string                  `json:"postgres"` // administrator's URL
	Redis     string                  `json:"redis"`
	databases map[string]DatabaseURLs // keyed by service
}

func (s *Stack) startDependencies(ctx context.Context) (dependencies, error) {
	base, err := s.startServers(ctx)
	if err != nil {
		return base, err
	}
	err = s.progress.Step("creating the databases", func() (err error) {
		base.databases, err = makeDatabases(ctx, base.Postgres, s.secrets)
		return err
	})
	return base, err
}

// startServers starts PostgreSQL and Redis in parallel and writes their addresses to a file for other commands.
// Services in one process need no Redis.
func (s *Stack) startServers(ctx context.Context) (dependencies, error) {
	var base dependencies
	group, starting := errgroup.WithContext(ctx)
	if s.options.Separate || os.Getenv("REDIS_URL") != "" {
		group.Go(func() (err error) { base.Redis, err = s.startRedis(starting); return err })
	}
	group.Go(func() (err error) { base.Postgres, err = s.startPostgres(starting); return err })
	if err := group.Wait(); err != nil {
		return base, err
	}
	if err := s.finishRestore(ctx, base.Postgres); err != nil {
		return base, err
	}
	return base, WriteJSON(s.folder.servers(), base)
}

func (s *Stack) startMail() error {
	box, err := mailbox.Open(loopback)
	if err != nil {
		return fmt.Errorf("start the mailbox: %w", err)
	}
	s.mail = box
	s.onStop(box.Close)
	return nil
}

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

// RunBeside starts another program and returns when an address answers. Stop also stops that program.
func (s *Stack) RunBeside(ctx context.Context, spec Spec, address string) error {
	child, err := s.run(edge, spec)
	if err != nil {
		return err
	}
	err = Await(ctx, readyWithin, func(ctx context.Context) error { return get(ctx, address) })
	if err != nil {
		return fmt.Errorf("%s is not ready, see %s: %w", spec.Name, child.spec.Log, err)
	}
	return nil
}

// onStop registers a function that Stop calls after all programs have stopped, in reverse order of registration.
func (s *Stack) onStop(cleanup func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cleanups = append(s.cleanups, cleanup)
}

// Stop stops all programs, the gateway first and the databases last, in under 10 s, and releases the data folder.
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
