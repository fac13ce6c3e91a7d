package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"baari.dev/tools/stack"
)

const (
	observed     = 16               // clients of each system
	scrapedEvery = 30 * time.Second // as in the chart
	causing      = time.Second      // for what requests cause: events, projections, exports

	// warming is the share of a day that is not measured, because the programs have just started.
	warming = 0.25
)

// The measured requests. A call of the day includes what it causes, also at open dashboards.
const (
	played   = "a call of the queue's day"
	creating = "POST /api/visits"
	reading  = "GET /api/services"
)

// rates are requests a second, well below each system's capacity, so that both systems get the same number.
var rates = map[string]float64{reading: 800, creating: 200}

// browserHeaders are those of a browser's request: among so many, one more does not make the map of headers grow.
var browserHeaders = map[string]string{
	"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en-IN,en;q=0.9",
	"Referer":   "http://localhost/dashboard/reception",
	"Sec-Ch-Ua": `"Chromium";v="148"`, "Sec-Ch-Ua-Mobile": "?0", "Sec-Ch-Ua-Platform": `"Linux"`,
	"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin",
	"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36",
}

// ObservePlan sets how often both systems are started and measured. The memory layout of a process changes its speed
// by some percent, so new pairs count more than rounds.
type ObservePlan struct {
	Plan
	Day   QueuePlan // played in each system
	Pairs int
}

// The environment of the programs of both systems.
var (
	withoutSignals = map[string]string{"OTEL_SDK_DISABLED": "true", "METRICS": "off", "TRACE_RECENT": "0"}
	withSignals    = map[string]string{
		"OTEL_SDK_DISABLED": "false", "METRICS": "on", "TRACE_RECENT": "0", "OTEL_TRACES_EXPORTER": "otlp",
		"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
		"OTEL_TRACES_SAMPLER_ARG": "0.1",
	}
)

// Observe starts two systems, one without traces and metrics, one that samples a tenth of its traces, keeps all failed
// ones, exports them and is scraped. It plays the same day in both at once, then sends both the same requests at the
// same rate, so that other load on the machine affects both; then it starts the next pair. The figures are the
// processor time of gateway and services per request. It returns Advice if the user can fix the cause of an error.
func Observe(ctx context.Context, options stack.Options, plan ObservePlan) (*Report, error) {
	var exported atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		exported.Add(n)
	}))
	defer collector.Close()
	withSignals["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.URL
	pairs := series{}
	for n := range plan.Pairs {
		if err := measurePair(ctx, options, plan, n, pairs); err != nil {
			return nil, err
		}
	}
	r := newReport()
	table := r.table("CPU of one, us %s", "off %.0f", "on %.0f", "ratio %.3f", "of each pair %.3f")
	for _, kind := range []string{played, creating, reading} {
		ratio := mean(pairs[kind+" ratio"])
		table.add(kind, mean(pairs[kind+" off"]), mean(pairs[kind+" on"]), ratio, pairs[kind+" ratio"])
		r.goal("CPU of "+kind+", times that without traces and metrics", "<= 1.05", ratio)
	}
	r.note("gateway and services together; %d processors, %d pairs of systems, %s; %d KiB of spans exported",
		runtime.NumCPU(), plan.Pairs, plan.Plan, exported.Load()>>10)
	return r, nil
}

func mean(values []float64) float64 {
	total := 0.0
	for _, value := range values {
		total += value
	}
	return total / float64(len(values))
}

// compare adds the figures of the system without traces and metrics, of the one with them, and their ratio.
func (s series) compare(kind string, both [2]float64) {
	s.add(kind+" off", both[0])
	s.add(kind+" on", both[1])
	s.add(kind+" ratio", both[1]/both[0])
}

// measurePair starts two systems, measures them, and adds the medians of the rounds. Every other pair starts in the
// reverse order.
func measurePair(ctx context.Context, options stack.Options, plan ObservePlan, number int, pairs series) (err error) {
	var both [2]*system
	order := []int{0, 1}
	if number%2 == 1 {
		slices.Reverse(order)
	}
	for _, i := range order {
		for variable, value := range []map[string]string{withoutSignals, withSignals}[i] {
			if err := os.Setenv(variable, value); err != nil {
				return err
			}
		}
		own := options
		own.Data = filepath.Join(options.Data, fmt.Sprintf("%d-%d", number, i))
		if both[i], err = startSystem(ctx, own, stack.Embedded); err != nil {
			return err
		}
		defer both[i].Stop()
	}
	scraping, stop := context.WithCancel(ctx)
	defer stop()
	go both[1].scrape(scraping)
	return options.Progress.Step(fmt.Sprintf("measuring, %d of %d", number+1, plan.Pairs), func() error {
		var day [2]float64
		playing, dayCtx := errgroup.WithContext(ctx)
		for i, s := range both {
			playing.Go(func() (err error) {
				day[i], err = playDay(dayCtx, s, options, plan.Day)
				return err
			})
		}
		if err := playing.Wait(); err != nil {
			return err
		}
		pairs.compare(played, day)
		for _, kind := range []string{reading, creating} {
			rounds, err := alternate(plan.Rounds, func(s series) error {
				return measureBoth(ctx, both, kind, plan.Each, s)
			})
			if err != nil {
				return err
			}
			for name, values := range rounds[0] {
				pairs.add(name, median(values))
			}
		}
		return nil
	})
}

// measureBoth sends one kind of request to both systems at its rate and adds the processor time per request of gateway
// and services, in us, with what the requests cause.
func measureBoth(ctx context.Context, both [2]*system, kind string, each time.Duration, figures series) error {
	var calls [2]int
	programs := slices.Concat(both[0].pids(), both[1].pids())
	used, err := spent(programs, func() error {
		sending, sendCtx := errgroup.WithContext(ctx)
		for i, s := range both {
			sending.Go(func() error {
				// The systems take turns; otherwise the second would always wait for the first.
				turn := time.Duration(float64(time.Second) / rates[kind] / float64(len(both)))
				first := time.Now().Add(time.Duration(i) * turn)
				done, err := s.paced(kind, first).repeat(sendCtx, observed, each)
				calls[i] = len(done.latencies)
				return err
			})
		}
		if err := sending.Wait(); err != nil {
			return err
		}
		return stack.Pause(ctx, causing)
	})
	if err != nil {
		return err
	}
	half := len(programs) / 2
	figures.compare(kind, [2]float64{
		microseconds(sum(used[:half])) / float64(calls[0]), microseconds(sum(used[half:])) / float64(calls[1]),
	})
	return nil
}

func sum(times []time.Duration) (total time.Duration) {
	for _, one := range times {
		total += one
	}
	return total
}

// paced returns clients that send requests at the kind's rate. A client with a late answer sends its next request
// immediately.
func (s *system) paced(kind string, first time.Time) clients {
	every := time.Duration(observed / rates[kind] * float64(time.Second))
	return func(i int) call {
		at := target{s.host, s.Users["admin"].Token()}
		request := at.request(http.MethodGet, "/api/services", nil)
		if kind == creating {
			request = at.request(http.MethodPost, "/api/visits", s.Visitor())
		}
		for name, value := range browserHeaders {
			request.Header.Set(name, value)
		}
		due := first.Add(every * time.Duration(i) / observed)
		return connect(request, func(*fasthttp.Request) {
			time.Sleep(time.Until(due))
			due = due.Add(every)
		})
	}
}

// playDay plays the queue's day and returns the processor time per call of gateway and services, in us.
func playDay(ctx context.Context, s *system, options stack.Options, plan QueuePlan) (each float64, err error) {
	options.Data = s.Folder().Path()
	plan.Reports = filepath.Join(options.Data, "k6")
	day, err := openDay(ctx, options, plan, s)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, day.onlookers.Close()) }()
	playing, ctx := errgroup.WithContext(ctx)
	playing.Go(func() error { return day.k6(ctx) })
	if err := day.awaitFirst(ctx); err != nil { // signing in hashes passwords, which is not part of the day
		return 0, errors.Join(err, playing.Wait())
	}
	time.Sleep(time.Duration(warming * float64(plan.Lasting)))
	used, err := spent(s.pids(), func() error {
		err := playing.Wait()
		time.Sleep(causing)
		return err
	})
	if err != nil {
		return 0, err
	}
	found, err := day.summary()
	if err != nil {
		return 0, err
	}
	calls := (1 - warming) * found.Metrics["answered"].Values["count"] // the rate is constant
	if calls == 0 {
		return 0, errors.New("no request was sent")
	}
	return microseconds(sum(used)) / calls, nil
}

// awaitFirst returns when all users have signed in and the first visitor is registered.
func (d *queueDay) awaitFirst(ctx context.Context) error {
	for {
		if about, err := os.Stat(d.written()); err == nil && about.Size() > 0 {
			return nil
		}
		if err := stack.Pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("no visitor was registered: %w", err)
		}
	}
}

// scrape requests the metrics of every program, as Prometheus does, until ctx ends.
func (s *system) scrape(ctx context.Context) {
	for ctx.Err() == nil {
		for _, admin := range s.Admin() {
			_ = stack.Get(ctx, admin+"/metrics", "", io.Discard)
		}
		_ = stack.Pause(ctx, scrapedEvery)
	}
}
