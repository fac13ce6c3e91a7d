package bench

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

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
			rate, service, gateway := s.median("rate"), s.median("service"), s.median("gateway")
			table.add(names[i], rate, s.median("p50"), s.median("p99"), service, gateway,
				(service+gateway)/both[0].median("service"))
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
	direct := system.direct("directory", "admin")
	programs := pids(system.process("directory"), system.process("gateway"))
	err = options.Progress.Step("measuring "+string(kind), func() error {
		both, err = alternate(plan.Rounds,
			func(s series) error { return measureCalls(ctx, direct, programs[:1], plan.Each, s) },
			func(s series) error {
				return measureCalls(ctx, target{system.host, direct.token}, programs, plan.Each, s)
			})
		return err
	})
	return both, err
}

// measureCalls calls the cheapest list; programs are the service, and the gateway if calls pass one.
func measureCalls(ctx context.Context, at target, programs []int, each time.Duration, figures series) error {
	var done load
	used, err := spent(programs, func() (err error) {
		done, err = repeat(ctx, gatewayClients, each, func(int) (call, func()) {
			return connect(at.request(http.MethodGet, "/api/services", nil), nil)
		})
		return err
	})
	if err != nil {
		return err
	}
	figures.add("rate", done.perSecond())
	figures.add("p50", done.latencies.quantile(.5))
	figures.add("p99", done.latencies.quantile(.99))
	for i, name := range []string{"service", "gateway"}[:len(programs)] {
		figures.add(name, microseconds(used[i])/float64(done.calls))
	}
	return nil
}
