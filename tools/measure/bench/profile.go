package bench

import (
	"context"
	"errors"
	"fmt"
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
	load          func(figures series, lasting time.Duration, process int) error
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
	w, err := openWriting(ctx, a.Stack, a.Users["admin"].Token(), a.Service)
	if err != nil {
		return nil, err
	}
	defer w.pool.Close()
	r := newReport()
	table := r.table("path %s", "program %s", "calls %.0f", "CPU of one, us %.0f")
	var costs []string
	for _, path := range a.hotPaths(ctx, w) {
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
func (a *archive) hotPaths(ctx context.Context, w *writing) []hotPath {
	path := func(name, program string, n int, c clients) hotPath {
		return hotPath{name, program, func(figures series, lasting time.Duration, process int) error {
			return figures.load(ctx, name, c, n, lasting, process)
		}}
	}
	reading := func(name, service, readName string) hotPath {
		kind := reads[slices.IndexFunc(reads, func(r read) bool { return r.name == readName })]
		return path(name, service, profiledClients, func(int) call { return a.open(kind) })
	}
	return []hotPath{
		reading("today", "visits", "today"), reading("counts", "audit", "counts"),
		reading("audit-page", "audit", "audit, page 1"),
		path("export", "audit", 1, func(int) call {
			return func(ctx context.Context) error {
				admin, err := a.Users["admin"].Again(ctx)
				if err != nil {
					return err
				}
				_, err = a.export(ctx, admin)
				return err
			}
		}),
		path("gateway", "gateway", profiledClients, target{a.host, a.Users["admin"].Token()}.list),
		{statusKind, "visits", func(figures series, lasting time.Duration, process int) error {
			return w.write(ctx, figures, statusKind, true, profiledClients, lasting, process)
		}},
		path(createKind, "visits", profiledClients, w.createThroughService),
	}
}

// profile loads a path, first to warm up, stores the profiles, and returns the number of calls and the program's
// processor time in us for each.
func (a *archive) profile(
	ctx context.Context, path hotPath, each time.Duration, file string,
) (calls, cost float64, err error) {
	pid := a.Process(path.program).PID
	if err := path.load(series{}, time.Second, pid); err != nil {
		return 0, 0, err
	}
	figures := series{}
	running, ctx := errgroup.WithContext(ctx)
	for kind, name := range map[string]string{"cpu": "profile", "allocs": "allocs"} {
		running.Go(func() error {
			address := fmt.Sprintf("%s/debug/pprof/%s?seconds=%.0f", a.Admin()[path.program], name, max(1, each.Seconds()))
			return download(ctx, address, file+"."+kind)
		})
	}
	running.Go(func() error { return path.load(figures, each, pid) })
	err = running.Wait()
	return figures.median(path.name + " calls"), figures.median(path.name + " CPU 0"), err
}

// download writes an answer to a file.
func download(ctx context.Context, address, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(stack.Get(ctx, address, "", out), out.Close())
}
