package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime"

	"github.com/valyala/fasthttp"

	"baari.dev/tools/stack"
)

// The lists with whose lengths a change is measured.
const (
	shortList = 20
	longList  = 200
)

const (
	listPath    = "/api/visits/today"
	listClients = 4 // screens that read at the same time
)

// Lists reads today's list in whole and by one change, in turns, at two lengths of the list. It returns Advice if the
// user can fix the cause of an error.
func Lists(ctx context.Context, options stack.Options, plan Plan) (*Report, error) {
	system, err := startSystem(ctx, options, stack.Embedded)
	if err != nil {
		return nil, err
	}
	defer system.Stop()
	r := newReport()
	table := r.table("visits %d", "bytes in whole %d", "of a change %d", "CPU of visits in whole, us %.0f",
		"of a change %.0f", "times in whole %.3f")
	var bytes [2]int
	var ratio float64
	for i, length := range []int{shortList, longList} {
		paths, err := system.listOf(ctx, length)
		if err != nil {
			return nil, err
		}
		var sizes [2]int
		for side, path := range paths {
			if sizes[side], err = system.sizeOf(path); err != nil {
				return nil, err
			}
		}
		var both []series
		err = options.Progress.Step(fmt.Sprintf("measuring %d visits", length), func() error {
			both, err = alternate(plan.Rounds, system.lists(ctx, paths[0], plan), system.lists(ctx, paths[1], plan))
			return err
		})
		if err != nil {
			return nil, err
		}
		whole, change := both[0].median("list CPU 0"), both[1].median("list CPU 0")
		bytes[i], ratio = sizes[1], median(both[1].ratios("list CPU 0", both[0]))
		table.add(length, sizes[0], sizes[1], whole, change, ratio)
	}
	r.goal(fmt.Sprintf("bytes of a change with %d visits, times those with %d", longList, shortList), "<= 1.05",
		float64(bytes[1])/float64(bytes[0]))
	r.goal(fmt.Sprintf("CPU of visits for a change with %d visits, times the whole list", longList), "<= 0.2", ratio)
	r.note("%d processors, %d clients, %s; bodies are not compressed", runtime.NumCPU(), listClients, plan)
	return r, nil
}

// listOf registers visitors until today's list is this long, and denies the last one. It returns the paths of the whole
// list and of the change.
func (s *system) listOf(ctx context.Context, length int) (paths [2]string, err error) {
	var list struct {
		Visits   []struct{ ID string }
		Position string
	}
	read := func() error { return s.Users["reception"].Call(ctx, http.MethodGet, listPath, nil, &list) }
	if err := read(); err != nil {
		return paths, err
	}
	for range length - len(list.Visits) {
		if _, err := s.Register(ctx, s.Visitor()); err != nil {
			return paths, err
		}
	}
	if err := read(); err != nil {
		return paths, err
	}
	paths = [2]string{listPath, listPath + "?since=" + url.QueryEscape(list.Position)}
	return paths, s.Change(ctx, "pa", list.Visits[len(list.Visits)-1].ID, "denied")
}

// sizeOf returns the bytes of an answer.
func (s *system) sizeOf(path string) (int, error) {
	answer := &fasthttp.Response{}
	err := fasthttp.Do(s.direct("visits", "reception").request(http.MethodGet, path, nil), answer)
	return len(answer.Body()), err
}

// lists returns one side of the comparison: clients that read this path.
func (s *system) lists(ctx context.Context, path string, plan Plan) func(series) error {
	at := s.direct("visits", "reception")
	return func(figures series) error {
		screens := func(int) call { return connect(at.request(http.MethodGet, path, nil), nil) }
		return figures.load(ctx, "list", screens, listClients, plan.Each, s.Process("visits").PID)
	}
}
