package chaos

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"baari.dev/tools/stack"
)

// vitals are the figures of a program that must return to their idle values.
type vitals struct {
	goroutines, memory, borrowed float64
}

// atMost returns, for each figure of a program, the lower of its present and its earlier value.
func (v vitals) atMost(least map[string]vitals, name string) vitals {
	if was, known := least[name]; known {
		return vitals{min(was.goroutines, v.goroutines), min(was.memory, v.memory), min(was.borrowed, v.borrowed)}
	}
	return v
}

func (r *run) measure(ctx context.Context) (map[string]vitals, error) {
	all := map[string]vitals{}
	for name, admin := range r.system.Admin() {
		figures, err := scrape(ctx, admin+"/metrics")
		if err != nil {
			return nil, fmt.Errorf("metrics of %s: %w", name, err)
		}
		all[name] = vitals{
			goroutines: figures["go_goroutines"],
			memory:     figures["process_resident_memory_bytes"],
			borrowed:   figures["baari_pg_pool_conns main used"],
		}
	}
	return all, nil
}

// scrape reads the gauges of a metrics page. A key has a gauge's name and label values, but not the value of the label
// service: gauges that differ only in this label are summed.
func scrape(ctx context.Context, at string) (map[string]float64, error) {
	var page bytes.Buffer
	if err := stack.Get(ctx, at, "", &page); err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&page)
	if err != nil {
		return nil, err
	}
	figures := map[string]float64{}
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			key := name
			for _, label := range metric.GetLabel() {
				if label.GetName() != "service" {
					key += " " + label.GetValue()
				}
			}
			figures[key] += metric.GetGauge().GetValue()
		}
	}
	return figures, nil
}

// Margins of the figures ([I15]).
const (
	slack = 1.10
	// Goroutines of connections that clients keep open for a minute: 20 robots and 40 dashboards, and 20 others.
	goroutineMargin = 80
	memoryMargin    = 5 << 20 // bytes
)

// Time limits for becoming idle. They allow for a periodic job during a sample, and wholeRest for a garbage collection,
// which is forced every two minutes; a smoke run does not check memory.
const (
	smokeRest = 10 * time.Second
	wholeRest = 4 * time.Minute
)

// atRest takes samples until every figure is back at its idle value, or until the limit, and returns the figures that
// are not. The lowest sample of each figure counts.
func (r *run) atRest(ctx context.Context, before map[string]vitals) ([]string, error) {
	limit := wholeRest
	if r.options.Smoke {
		limit = smokeRest
	}
	least := map[string]vitals{}
	var remains []string
	var err error
	poll(ctx, limit, 200*time.Millisecond, func() bool {
		var after map[string]vitals
		if after, err = r.measure(ctx); err != nil {
			return true
		}
		for name, is := range after {
			least[name] = is.atMost(least, name)
		}
		remains = r.rest(before, least)
		return len(remains) == 0
	})
	return remains, err
}

// rest returns what did not return to its idle value: goroutines, memory, connections, restarts, fatal errors in logs.
func (r *run) rest(before, after map[string]vitals) []string {
	var remains []string
	remain := func(what string, values ...any) { remains = append(remains, fmt.Sprintf(what, values...)) }
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, is := before[name], after[name]
		if is.goroutines > was.goroutines*slack+goroutineMargin {
			remain("%s has %.0f goroutines, it had %.0f", name, is.goroutines, was.goroutines)
		}
		// A smoke run ends before the heap has reached its steady size.
		if !r.options.Smoke && is.memory > was.memory*slack+memoryMargin {
			remain("%s holds %.0f MiB, it held %.0f", name, is.memory/(1<<20), was.memory/(1<<20))
		}
		if is.borrowed > 0 {
			remain("%s keeps %.0f database connections in use", name, is.borrowed)
		}
	}
	restarts := r.system.Restarts()
	for _, name := range slices.Sorted(maps.Keys(restarts)) {
		if restarts[name] != r.kills[name] {
			remains = append(remains, restartsDiffer(name, restarts[name], r.kills[name]))
		}
	}
	return append(remains, r.crashes()...)
}

func restartsDiffer(program string, restarts, kills int) string {
	return fmt.Sprintf("%s was started again %d times and killed %d times", program, restarts, kills)
}

var crash = regexp.MustCompile(`panic:|DATA RACE|fatal error:`)

func (r *run) crashes() []string {
	var found []string
	for _, process := range r.system.Processes() {
		file, err := os.Open(process.Log)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if crash.MatchString(lines.Text()) {
				found = append(found, fmt.Sprintf("the log of %s has %q", process.Name, lines.Text()))
			}
		}
		_ = file.Close()
	}
	return found
}
