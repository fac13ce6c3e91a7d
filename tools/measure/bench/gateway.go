package bench

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"

	"baari.dev/tools/stack"
)

// gatewayClients is the number of concurrent clients.
const gatewayClients = 8

// Gateway calls GET /api/services of directory directly, through the embedded gateway, and through Traefik. One system
// runs at a time, so that the other gateway uses no processor time.
func Gateway(ctx context.Context, options stack.Options, plan Plan) (*Report, error) {
	r := newReport()
	table := r.table("GET /api/services %s", "a second %.0f", "p50, ms %.2f", "p99, ms %.2f", "CPU of service, us %.0f",
		"CPU of gateway, us %.0f", "both, times direct %.2f")
	var rows []string
	data := options.Data
	for _, kind := range []stack.Gateway{stack.Embedded, stack.Traefik} {
		options.Data = filepath.Join(data, string(kind))
		both, err := throughGateway(ctx, options, kind, plan)
		if err != nil {
			return nil, err
		}
		names := []string{"direct", string(kind)}
		if kind == stack.Traefik {
			names[0] += ", beside Traefik"
		}
		for i, s := range both {
			rate, service, gateway := s.median("list rate"), s.median("list CPU 0"), s.median("list CPU 1")
			table.add(names[i], rate, s.median("list p50"), s.median("list p99"), service, gateway,
				(service+gateway)/both[0].median("list CPU 0"))
			rows = append(rows, fmt.Sprintf("%s: %.0f a second, CPU of gateway %.0f us, of service %.0f us",
				names[i], rate, gateway, service))
		}
	}
	r.note("%d processors, %d clients, %s", runtime.NumCPU(), gatewayClients, plan)
	r.row = strings.Join(rows, "; ")
	return r, nil
}

// throughGateway measures direct calls and calls through one gateway in turns.
func throughGateway(
	ctx context.Context, options stack.Options, kind stack.Gateway, plan Plan,
) (both []series, err error) {
	system, err := startSystem(ctx, options, kind)
	if err != nil {
		return nil, err
	}
	defer system.Stop()
	side := func(at target, programs ...string) func(series) error {
		processes := make([]int, len(programs))
		for i, name := range programs {
			processes[i] = system.Process(name).PID
		}
		return func(s series) error {
			return s.load(ctx, "list", at.list, gatewayClients, plan.Each, processes...)
		}
	}
	direct := system.direct("directory", "admin")
	err = options.Progress.Step("measuring "+string(kind), func() error {
		both, err = alternate(plan.Rounds, side(direct, "directory"),
			side(target{system.host, direct.token}, "directory", "gateway"))
		return err
	})
	return both, err
}

// list calls the cheapest list.
func (t target) list(int) call { return connect(t.request(http.MethodGet, "/api/services", nil), nil) }
