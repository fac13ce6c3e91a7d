package chaos

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// vitals are the figures of a program that must return to their idle values.
type vitals struct {
	goroutines, memory, borrowed float64
}

// atMost returns the lower of a program's figures now and so far.
func (v vitals) atMost(least map[string]vitals, name string) vitals {
	if was, known := least[name]; known {
		return vitals{min(was.goroutines, v.goroutines), min(was.memory, v.memory), min(was.borrowed, v.borrowed)}
	}
	return v
}

// measure reads each program's own metrics.
func (r *run) measure(ctx context.Context) (map[string]vitals, error) {
	all := map[string]vitals{}
	for _, process := range r.system.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		figures, err := r.scrape(ctx, adminURL(process)+"/metrics")
		if err != nil {
			return nil, fmt.Errorf("metrics of %s: %w", process.Name, err)
		}
		all[process.Name] = vitals{
			goroutines: figures["go_goroutines"], memory: figures["process_resident_memory_bytes"], borrowed: figures["baari_pg_pool_conns main used"],
		}
	}
	return all, nil
}

// scrape reads the gauges of a metrics page. The keys are the name and the label values.
func (r *run) scrape(ctx context.Context, at string) (map[string]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	response, err := r.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return nil, err
	}
	figures := map[string]float64{}
	for name, family := range families {
		for _, metric := range family.GetMetric() {
			key := name
			for _, label := range metric.GetLabel() {
				key += " " + label.GetValue()
			}
			figures[key] = metric.GetGauge().GetValue()
		}
	}
	return figures, nil
}

// Margins of the figures ([I15]).
const (
	slack           = 1.10
	goroutineMargin = 80      // a connection that a client keeps open for a minute, for 20 robots and 40 dashboards, and 20 others
	memoryMargin    = 5 << 20 // bytes
)

// Limits of the time to become idle. A sample may meet a periodic job; memory, which a smoke run does not check, is
// released by the forced garbage collection every two minutes.
const (
	smokeRest = 10 * time.Second
	wholeRest = 4 * time.Minute
)

// atRest samples until nothing remains, or until the limit, and returns what then remains. The lowest sample of
// each figure counts.
func (r *run) atRest(ctx context.Context, before map[string]vitals) ([]string, error) {
	limit := wholeRest
	if r.options.Smoke {
		limit = smokeRest
	}
	least := map[string]vitals{}
	for until := time.Now().Add(limit); ; sleep(ctx, 200*time.Millisecond) {
		after, err := r.measure(ctx) // fails once ctx has ended
		if err != nil {
			return nil, err
		}
		for name, is := range after {
			least[name] = is.atMost(least, name)
		}
		remains := r.rest(before, least)
		if len(remains) == 0 || time.Now().After(until) {
			return remains, nil
		}
	}
}

// rest returns what did not return to its idle value: goroutines, memory, connections, unexpected exits, and fatal
// errors in the logs.
func (r *run) rest(before, after map[string]vitals) []string {
	var remains []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, is := before[name], after[name]
		if is.goroutines > was.goroutines*slack+goroutineMargin {
			remains = append(remains, fmt.Sprintf("%s has %.0f goroutines, it had %.0f", name, is.goroutines, was.goroutines))
		}
		if !r.options.Smoke && is.memory > was.memory*slack+memoryMargin { // the heap has not reached its steady size after a minute
			remains = append(remains, fmt.Sprintf("%s holds %.0f MiB, it held %.0f", name, is.memory/(1<<20), was.memory/(1<<20)))
		}
		if is.borrowed > 0 {
			remains = append(remains, fmt.Sprintf("%s keeps %.0f database connections in use", name, is.borrowed))
		}
	}
	restarts := r.system.Restarts()
	for _, name := range slices.Sorted(maps.Keys(restarts)) {
		if restarts[name] != r.kills[name] {
			remains = append(remains, fmt.Sprintf("%s was started again %d times and killed %d times", name, restarts[name], r.kills[name]))
		}
	}
	return append(remains, r.cries()...)
}

var cry = regexp.MustCompile(`panic:|DATA RACE|fatal error:`)

// cries returns panics, data races and fatal errors in the logs.
func (r *run) cries() []string {
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
			if cry.MatchString(lines.Text()) {
				found = append(found, fmt.Sprintf("the log of %s has %q", process.Name, lines.Text()))
			}
		}
		_ = file.Close()
	}
	return found
}
