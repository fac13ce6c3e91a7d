package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/stack"
)

const (
	profiledClients = 8
	profiledPast    = 100_000 // visits, for the export
)

// hotPath is a load under which the program that serves it is profiled.
type hotPath struct {
	name, program string
	load          func(ctx context.Context, lasting time.Duration) (load, error)
}

// Profile loads each hot path and writes profiles of the processor time and the allocations of the program that serves
// it to a folder, for go tool pprof. It returns Advice if the user can fix the cause of an error.
func Profile(ctx context.Context, options stack.Options, each time.Duration, folder string) (*Report, error) {
	err := errors.Join(keepPast(), os.Setenv("PROFILES", "on"), os.Setenv("TRACE_RECENT", "0"),
		os.Setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"), os.Setenv("OTEL_TRACES_SAMPLER_ARG", "0.1"),
		os.MkdirAll(folder, 0o700))
	if err != nil {
		return nil, err
	}
	a, err := openArchive(ctx, options, profiledPast)
	if err != nil {
		return nil, err
	}
	defer a.close()
	w, err := a.writing(ctx)
	if err != nil {
		return nil, err
	}
	defer w.pool.Close()
	r := newReport()
	table := r.table("path %s", "program %s", "calls %d", "CPU of one, us %.0f")
	var costs []string
	for _, path := range a.hotPaths(w) {
		err := options.Progress.Step("loading "+path.name, func() error {
			calls, cost, err := a.profile(ctx, path, each, filepath.Join(folder, path.name))
			table.add(path.name, path.program, calls, cost)
			costs = append(costs, fmt.Sprintf("%s %.0f us", path.name, cost))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.name, err)
		}
	}
	r.note("go tool pprof reads %s/PATH.cpu and PATH.allocs", folder)
	r.row = "CPU of one call in its program: " + strings.Join(costs, ", ")
	return r, nil
}

// hotPaths are those that users wait for; the one that lengthens today's list is last.
func (a *archive) hotPaths(w *writing) []hotPath {
	clients := func(open func(int) (call, func())) func(context.Context, time.Duration) (load, error) {
		return func(ctx context.Context, lasting time.Duration) (load, error) {
			return repeat(ctx, profiledClients, lasting, open)
		}
	}
	reading := func(name string) func(context.Context, time.Duration) (load, error) {
		kind := reads[slices.IndexFunc(reads, func(r read) bool { return r.name == name })]
		return clients(func(int) (call, func()) { return a.open(kind) })
	}
	return []hotPath{
		{"today", "visits", reading("today")},
		{"counts", "audit", reading("counts")},
		{"audit-page", "audit", reading("audit, page 1")},
		{"export", "audit", func(ctx context.Context, lasting time.Duration) (load, error) {
			return repeat(ctx, 1, lasting, func(int) (call, func()) {
				return func(ctx context.Context) error { _, err := a.export(ctx); return err }, func() {}
			})
		}},
		{"gateway", "gateway", clients(func(int) (call, func()) {
			at := target{a.host, a.users["admin"].Token()}
			return connect(at.request(http.MethodGet, "/api/services", nil), nil)
		})},
		{"status", "visits", func(ctx context.Context, lasting time.Duration) (load, error) {
			return w.write(ctx, statusKind, true, profiledClients, lasting)
		}},
		{"create", "visits", clients(w.createThroughService)},
	}
}

// profile loads a path, first to warm up, stores the profiles, and returns the program's processor time in us for each
// call.
func (a *archive) profile(
	ctx context.Context, path hotPath, each time.Duration, file string,
) (calls int, cost float64, err error) {
	process := a.process(path.program)
	if _, err := path.load(ctx, time.Second); err != nil {
		return 0, 0, err
	}
	var done load
	used, err := spent([]int{process.PID}, func() error {
		running, ctx := errgroup.WithContext(ctx)
		for kind, name := range map[string]string{"cpu": "profile", "allocs": "allocs"} {
			running.Go(func() error {
				address := fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/%s?seconds=%.0f",
					process.AdminPort, name, max(1, each.Seconds()))
				return download(ctx, address, file+"."+kind)
			})
		}
		running.Go(func() (err error) {
			done, err = path.load(ctx, each)
			return err
		})
		return running.Wait()
	})
	if err != nil {
		return 0, 0, err
	}
	return done.calls, microseconds(used[0]) / float64(max(1, done.calls)), nil
}

// download writes an answer to a file.
func download(ctx context.Context, address, file string) error {
	answer, err := get(ctx, address, "")
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, answer.Body)
	return errors.Join(err, out.Close())
}
