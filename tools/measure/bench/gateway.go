package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// passers is how many clients ask at once.
const passers = 8

// Passed is the cost of a call over one route: medians over the rounds.
type Passed struct {
	Way       string  `json:"way"`
	PerSecond float64 `json:"per_second"`
	Median    float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Service   float64 `json:"service_cpu_us"`
	Gateway   float64 `json:"gateway_cpu_us"`
}

// GatewayReport compares a call without a gateway with the same through each.
type GatewayReport struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Rounds     int       `json:"rounds"`
	Seconds    float64   `json:"seconds_each"`
	Rows       []Passed  `json:"rows"`
}

// Met implements the benchmarks' result. There is no goal: the figures help to choose a gateway.
func (GatewayReport) Met() bool { return true }

// Summary describes what a gateway adds to a call.
func (r GatewayReport) Summary() string {
	var rates []string
	for _, row := range r.Rows {
		rates = append(rates, fmt.Sprintf("%s: %.0f a second, CPU of gateway %.0f us, of service %.0f us", row.Way, row.PerSecond, row.Gateway, row.Service))
	}
	return strings.Join(rates, "; ")
}

// way is one address at which the same call is answered.
type way struct {
	name     string
	host     string
	programs []int // the service, and the gateway if there is one
	passed   []Passed
}

// Gateway asks directory for its services: directly, through the embedded gateway, and through Traefik. One system at a
// time runs, so that the other's gateway has no share in anything.
func Gateway(ctx context.Context, options stack.Options, plan Plan) (GatewayReport, error) {
	report := GatewayReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Rounds: plan.Rounds, Seconds: plan.Each.Seconds()}
	for _, kind := range []stack.Gateway{stack.Embedded, stack.Traefik} {
		rows, err := throughGateway(ctx, options, kind, plan)
		if err != nil {
			return report, err
		}
		if kind == stack.Traefik {
			rows[0].Way += ", beside Traefik"
		}
		report.Rows = append(report.Rows, rows...)
	}
	return report, nil
}

// throughGateway measures the direct way and that through one gateway in turns.
func throughGateway(ctx context.Context, options stack.Options, kind stack.Gateway, plan Plan) ([]Passed, error) {
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, err
	}
	options.Port, options.NoLimits, options.Gateway, options.Data = ports[0], true, kind, filepath.Join(options.Data, string(kind))
	system, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer system.Stop()
	demo := system.Accounts()[0]
	person := &client.Client{Base: system.URL()}
	if err := person.SignIn(ctx, demo.Email, demo.Password); err != nil {
		return nil, err
	}
	pid := func(name string) int {
		all := system.Processes()
		return all[slices.IndexFunc(all, func(p stack.Process) bool { return p.Name == name })].PID
	}
	ways := []*way{
		{name: "direct", host: strings.TrimPrefix(system.Public("directory"), "http://"), programs: []int{pid("directory")}},
		{name: string(kind), host: hostOf(ports[0]), programs: []int{pid("directory"), pid("gateway")}},
	}
	err = options.Progress.Step("measuring "+string(kind), func() error {
		for round := -1; round < plan.Rounds; round++ {
			for _, w := range ways {
				if err := w.measure(ctx, person.Token(), plan.Each, round >= 0); err != nil {
					return err
				}
			}
		}
		return nil
	})
	rows := make([]Passed, len(ways))
	for i, w := range ways {
		rows[i] = w.medians()
	}
	return rows, err
}

func (w *way) measure(ctx context.Context, token string, lasting time.Duration, kept bool) error {
	at := &server{host: w.host}
	requests := make([]*fasthttp.Request, passers)
	for i := range requests {
		requests[i] = at.request(http.MethodGet, "/api/services", nil)
		requests[i].Header.Set("Authorization", "Bearer "+token)
	}
	before, err := processorTimes(w.programs)
	if err != nil {
		return err
	}
	done, err := drive(ctx, requests, lasting)
	if err != nil {
		return err
	}
	after, err := processorTimes(w.programs)
	if err != nil || !kept {
		return err
	}
	cost := func(i int) float64 { return (after[i] - before[i]).Seconds() * 1e6 / float64(done.calls) }
	one := Passed{PerSecond: done.perSecond(), Median: milliseconds(done.quantile(.5)), P99: milliseconds(done.quantile(.99)), Service: cost(0)}
	if len(w.programs) > 1 {
		one.Gateway = cost(1)
	}
	w.passed = append(w.passed, one)
	return nil
}

func (w *way) medians() Passed {
	of := func(figure func(Passed) float64) float64 {
		values := make([]float64, len(w.passed))
		for i, one := range w.passed {
			values[i] = figure(one)
		}
		if len(values) == 0 {
			return 0
		}
		return median(values)
	}
	return Passed{
		Way: w.name, PerSecond: of(func(p Passed) float64 { return p.PerSecond }), Median: of(func(p Passed) float64 { return p.Median }),
		P99: of(func(p Passed) float64 { return p.P99 }), Service: of(func(p Passed) float64 { return p.Service }), Gateway: of(func(p Passed) float64 { return p.Gateway }),
	}
}

// Print writes the comparison as a table.
func (r GatewayReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "GET /api/services\ta second\tp50, ms\tp99, ms\tCPU of service, us\tCPU of gateway, us\tboth, times direct\t\n")
	direct := 0.0
	for _, row := range r.Rows {
		if row.Gateway == 0 {
			direct = row.Service
		}
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t%.2f\t\n", row.Way, row.PerSecond, row.Median, row.P99, row.Service, row.Gateway, (row.Service+row.Gateway)/direct)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "%d processors, %d clients, %d rounds of %.0f s each\n", r.Processors, passers, r.Rounds, r.Seconds)
}
