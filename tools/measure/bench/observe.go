package bench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

const (
	observed     = 16               // clients of each system
	scrapedEvery = 30 * time.Second // as the chart has it done
	settling     = time.Second      // for what requests cause: events, projections, exports
	observedCost = 1.05             // CPU of a request, times that without traces and metrics
)

// Cost is what one kind of request costs gateway and services together: means over the pairs of medians over the
// rounds.
type Cost struct {
	Name  string    `json:"name"`
	Plain float64   `json:"plain_cpu_us"`
	Seen  float64   `json:"observed_cpu_us"`
	Each  []float64 `json:"times_of_pairs"` // medians of the rounds' ratios
	Times float64   `json:"times"`          // their mean
	Calls int       `json:"calls"`          // measured of both together
}

// ObserveReport is the cost of traces and metrics.
type ObserveReport struct {
	At         time.Time `json:"at"`
	Processors int       `json:"processors"`
	Pairs      int       `json:"pairs"`
	Rounds     int       `json:"rounds"`
	Seconds    float64   `json:"seconds_each"`
	Costs      []Cost    `json:"costs"`
	Exported   int64     `json:"exported_bytes"`
	Verdict
}

// arm is one of the two systems that are measured.
type arm struct {
	system *stack.Stack
	data   string // its folder
	pids   []int
	calls  map[string][]*fasthttp.Request
}

// The kinds of requests that are measured.
const (
	reading  = "GET /api/services"
	creating = "POST /api/visits"
)

// rates are requests a second, well below each system's capacity, so that both systems get the same number.
var rates = map[string]float64{reading: 800, creating: 200}

// browsers are the headers of a browser's request: with so many, one more does not make the map grow.
var browsers = map[string]string{
	"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en-IN,en;q=0.9", "Referer": "http://localhost/dashboard/reception",
	"Sec-Ch-Ua": `"Chromium";v="148"`, "Sec-Ch-Ua-Mobile": "?0", "Sec-Ch-Ua-Platform": `"Linux"`,
	"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin",
	"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36",
}

// ObservePlan sets how often both systems are started and measured.
type ObservePlan struct {
	Plan
	Day   QueuePlan // played in each
	Pairs int       // of systems: where a program comes to lie in memory is worth some hundredths for as long as it runs
}

// Environment of the programs of both systems.
var (
	unobserved = map[string]string{"OTEL_SDK_DISABLED": "true", "METRICS": "off", "TRACE_RECENT": "0"}
	watched    = map[string]string{
		"OTEL_SDK_DISABLED": "false", "METRICS": "on", "TRACE_RECENT": "0", "OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
		"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.1",
	}
)

// Observe starts two systems, one without traces and metrics, one that samples a tenth of its traces, keeps all that
// fail and is scraped, plays the same day in both at once, then asks both the same: what else keeps the machine busy
// then, and how fast it is, counts for both. Then it starts the next two.
func Observe(ctx context.Context, options stack.Options, plan ObservePlan) (ObserveReport, error) {
	sink := newCollector()
	defer sink.Close()
	settings := maps.Clone(watched)
	settings["OTEL_EXPORTER_OTLP_ENDPOINT"] = sink.URL
	report := ObserveReport{At: time.Now().UTC(), Processors: runtime.NumCPU(), Pairs: plan.Pairs, Rounds: plan.Rounds, Seconds: plan.Each.Seconds()}
	rounds := measurements{}
	for pair := range plan.Pairs {
		if err := measurePair(ctx, options, plan, pair, settings, rounds); err != nil {
			return report, err
		}
	}
	report.Exported = sink.bytes.Load()
	report.judge(rounds)
	return report, nil
}

// measurePair adds the costs of two new systems to the rounds of each kind of request.
func measurePair(ctx context.Context, options stack.Options, plan ObservePlan, pair int, settings map[string]string, rounds measurements) error {
	var plain, seen *arm
	arms := []struct {
		name     string
		settings map[string]string
		into     **arm
	}{{"plain", unobserved, &plain}, {"observed", settings, &seen}}
	if pair%2 == 1 { // neither is always the older one
		slices.Reverse(arms)
	}
	for _, a := range arms {
		started, err := startArm(ctx, options, fmt.Sprint(a.name, pair), a.settings)
		if err != nil {
			return err
		}
		defer started.system.Stop()
		*a.into = started
	}
	scraping, stop := context.WithCancel(ctx)
	defer stop()
	go seen.scrape(scraping)
	return options.Progress.Step(fmt.Sprintf("measuring, %d of %d", pair+1, plan.Pairs), func() error {
		day, err := dayIn(ctx, plan, options, plain, seen)
		if err != nil {
			return err
		}
		rounds[played] = append(rounds[played], []round{day})
		for _, kind := range []string{reading, creating} {
			measured, err := compare(ctx, kind, plain, seen, plan.Plan)
			if err != nil {
				return err
			}
			rounds[kind] = append(rounds[kind], measured)
		}
		return nil
	})
}

// startArm starts a system whose programs get these settings, on a data folder of its own.
func startArm(ctx context.Context, options stack.Options, name string, settings map[string]string) (*arm, error) {
	for variable, value := range settings {
		if err := os.Setenv(variable, value); err != nil {
			return nil, err
		}
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return nil, err
	}
	options.Port, options.NoLimits, options.Gateway, options.Data = ports[0], true, stack.Embedded, filepath.Join(options.Data, name)
	system, err := stack.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	a := &arm{system: system, data: options.Data}
	for _, process := range system.Processes() {
		if process.AdminPort != 0 && process.Name != "web" {
			a.pids = append(a.pids, process.PID)
		}
	}
	if err := a.prepare(ctx, hostOf(ports[0])); err != nil {
		system.Stop()
		return nil, err
	}
	return a, nil
}

// prepare signs the administrator in and builds the clients' requests.
func (a *arm) prepare(ctx context.Context, host string) error {
	demo := a.system.Accounts()[0]
	person := &client.Client{Base: a.system.URL()}
	if err := person.SignIn(ctx, demo.Email, demo.Password); err != nil {
		return err
	}
	var offered struct{ Services []struct{ ID string } }
	if err := person.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return err
	}
	visit := map[string]string{"name": "A Visitor", "phone": "9800000000", "serviceId": offered.Services[0].ID}
	at := &server{host: host}
	a.calls = map[string][]*fasthttp.Request{}
	for range observed {
		for kind, request := range map[string]*fasthttp.Request{
			reading: at.request(fasthttp.MethodGet, "/api/services", nil), creating: at.request(fasthttp.MethodPost, "/api/visits", visit),
		} {
			request.Header.Set("Authorization", "Bearer "+person.Token())
			for name, value := range browsers {
				request.Header.Set(name, value)
			}
			a.calls[kind] = append(a.calls[kind], request)
		}
	}
	return nil
}

// compare measures both at once, the first time to warm up.
func compare(ctx context.Context, kind string, plain, seen *arm, plan Plan) ([]round, error) {
	var rounds []round
	for n := -1; n < plan.Rounds; n++ {
		one, err := together(ctx, kind, plan.Each, plain, seen)
		if err != nil {
			return nil, err
		}
		if n >= 0 {
			rounds = append(rounds, one)
		}
	}
	return rounds, nil
}

// measurements are the rounds of each kind of request, pair by pair.
type measurements map[string][][]round

// judge adds the rounds of all pairs up: a round that something disturbed is lost in the median of its pair, how a
// pair came to lie in the mean of all.
func (r *ObserveReport) judge(rounds measurements) {
	for _, kind := range []string{played, creating, reading} {
		cost := Cost{Name: kind}
		for _, pair := range rounds[kind] {
			var plains, seens, ratios []float64
			for _, one := range pair {
				cost.Calls += one.calls
				plains, seens, ratios = append(plains, one.plain), append(seens, one.seen), append(ratios, one.seen/one.plain)
			}
			cost.Plain += median(plains) / float64(r.Pairs)
			cost.Seen += median(seens) / float64(r.Pairs)
			cost.Each = append(cost.Each, median(ratios))
			cost.Times += median(ratios) / float64(r.Pairs)
		}
		r.Costs = append(r.Costs, cost)
		r.Goals = append(r.Goals, Goal{"CPU of " + cost.Name + ", times that without traces and metrics", fmt.Sprintf("<= %.2f", observedCost), cost.Times, cost.Times <= observedCost})
	}
}

// round is the cost of both systems in one round.
type round struct {
	plain, seen float64
	calls       int
}

// together sends one kind of request to both systems and returns the processor time per request of gateway and
// services, in microseconds, including the work that the requests cause.
func together(ctx context.Context, kind string, lasting time.Duration, plain, seen *arm) (r round, err error) {
	arms := []*arm{plain, seen}
	var before, after [2]time.Duration
	var done [2]load
	for i, one := range arms {
		if before[i], err = one.processorTime(); err != nil {
			return r, err
		}
	}
	driving, ctx := errgroup.WithContext(ctx)
	turn := time.Duration(float64(time.Second) / rates[kind] / float64(len(arms)))
	for i, one := range arms {
		driving.Go(func() (err error) {
			time.Sleep(time.Duration(i) * turn) // otherwise the second would always wait for the first
			done[i], err = steady(ctx, one.calls[kind], rates[kind], lasting)
			return err
		})
	}
	if err := driving.Wait(); err != nil {
		return r, err
	}
	time.Sleep(settling)
	for i, one := range arms {
		if after[i], err = one.processorTime(); err != nil {
			return r, err
		}
	}
	each := func(i int) float64 { return (after[i] - before[i]).Seconds() * 1e6 / float64(done[i].calls) }
	return round{plain: each(0), seen: each(1), calls: done[0].calls + done[1].calls}, nil
}

func (a *arm) processorTime() (total time.Duration, err error) {
	for _, pid := range a.pids {
		one, err := processorTime(pid)
		if err != nil {
			return 0, err
		}
		total += one
	}
	return total, nil
}

// scrape requests the metrics of every program, as Prometheus does, until ctx ends.
func (a *arm) scrape(ctx context.Context) {
	ticker := time.NewTicker(scrapedEvery)
	defer ticker.Stop()
	for {
		for _, process := range a.system.Processes() {
			if process.AdminPort == 0 {
				continue
			}
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/metrics", process.AdminPort), http.NoBody)
			if err != nil {
				return
			}
			if answer, err := http.DefaultClient.Do(request); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Print writes the costs as a table.
func (r ObserveReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "CPU of one, us\toff\ton\tratio\tof each pair\tcalls\t\n")
	for _, cost := range r.Costs {
		_, _ = fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.3f\t%.3f\t%d\t\n", cost.Name, cost.Plain, cost.Seen, cost.Times, cost.Each, cost.Calls)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "gateway and services together; %d processors, %d pairs of systems, %d rounds of %.0f s each; %d KiB of spans exported\n\n",
		r.Processors, r.Pairs, r.Rounds, r.Seconds, r.Exported>>10)
	printGoals(out, r.Goals)
}

// collector takes spans and counts their bytes.
type collector struct {
	*httptest.Server
	bytes atomic.Int64
}

func newCollector() *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		c.bytes.Add(n)
	}))
	return c
}
