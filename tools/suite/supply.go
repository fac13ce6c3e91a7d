package suite

import (
	"context"
	"slices"
	"strings"

	"baari.dev/tools/stack"
)

// supply is something that parts need. It is fetched once, while the parts that do not need it run.
type supply struct {
	name string
	lane lane
	get  func(context.Context, *Runner) error
}

// supplies are listed in the order in which those of one lane are fetched: quick ones and those needed first come
// first.
var supplies = []supply{
	{"the compiler", packages, func(ctx context.Context, r *Runner) error { _, err := r.compiler(ctx); return err }},
	{"Redis", packages, func(ctx context.Context, r *Runner) error { return r.ensure(ctx, redisServer) }},
	{"Prometheus", packages, func(ctx context.Context, r *Runner) error {
		_, err := stack.FindPrometheus(ctx, r.root, r.progress)
		return err
	}},
	{"Chromium", packages, func(ctx context.Context, r *Runner) error { return r.ensure(ctx, chromium) }},
	{"the web's packages", npm, func(_ context.Context, r *Runner) error { _, err := r.node(); return err }},
	{"Traefik", programs, func(ctx context.Context, r *Runner) error {
		_, err := stack.FindTraefik(ctx, r.root, r.progress)
		return err
	}},
	{"golangci-lint", programs, goSupply("golangci-lint", lintModule)},
	{"helm", programs, goSupply("helm", helmModule)},
	{"kubeconform", programs, goSupply("kubeconform", conformTool)},
}

func goSupply(name, pack string) func(context.Context, *Runner) error {
	return func(ctx context.Context, r *Runner) error {
		_, err := r.goProgram(ctx, name, pack)
		return err
	}
}

// place is the lane of a part and the supplies that it needs before it starts.
type place struct {
	lane  lane
	needs []string
}

// places holds the place of each part. The last browser tests of e2e also need Traefik, but e2e starts without it.
var places = map[string]place{
	"spec":     {waiting, nil},
	"lint":     {spare, []string{"golangci-lint"}},
	"contract": {waiting, []string{"the web's packages"}},
	"chart":    {spare, []string{"helm", "kubeconform"}},
	"web":      {working, []string{"the web's packages"}},
	"go":       {working, []string{"the compiler", "Redis", "Chromium"}},
	"gateway":  {waiting, []string{"Traefik"}},
	"security": {waiting, []string{"Redis", "Traefik", "the web's packages"}},
	"observe":  {waiting, []string{"Redis", "Prometheus", "the web's packages"}},
	"chaos":    {waiting, []string{"Redis", "the web's packages"}},
	"e2e":      {exclusive, []string{"Redis", "Chromium", "the web's packages"}},
}

// needed returns the supplies that some chosen part needs, and the names of those parts by supply.
func needed(chosen []Part) (all []supply, parts map[string]string) {
	parts = map[string]string{}
	for _, one := range supplies {
		var users []string
		for _, part := range chosen {
			if slices.Contains(places[part.Name].needs, one.name) {
				users = append(users, part.Name)
			}
		}
		if len(users) > 0 {
			all = append(all, one)
			parts[one.name] = strings.Join(users, ", ")
		}
	}
	return all, parts
}
