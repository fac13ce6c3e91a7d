package system

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"baari.dev/tools/stack"
)

// A line of services/docs/metrics.md: | `name` | type | labels | unit | in | meaning |
var metricLine = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| (\\w+) \\| ?([\\w, ]*?) ?\\| ?[^|]*\\| ([\\w, ]+) \\|")

// listedMetrics returns type and labels of each listed metric, keyed by program and then by name.
func listedMetrics(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "services/docs/metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]map[string]string{}
	for _, found := range metricLine.FindAllStringSubmatch(string(text), -1) {
		programs := strings.Split(found[4], ", ")
		if slices.Contains(programs, "all") {
			programs = append(programs, stack.Services...)
		}
		for _, program := range programs {
			if of[program] == nil {
				of[program] = map[string]string{}
			}
			of[program][found[1]] = metricShape(found[2], strings.Split(found[3], ", "))
		}
	}
	return of
}

func metricShape(kind string, labels []string) string {
	labels = slices.DeleteFunc(slices.Sorted(slices.Values(labels)), func(label string) bool { return label == "" })
	return kind + "{" + strings.Join(labels, ",") + "}"
}

// services/docs/metrics.md lists all metrics, with type and labels, except go_* and process_*, and lists no others.
func TestEveryMetricIsListed(t *testing.T) {
	provokeMetrics(t, "warm")
	listed := listedMetrics(t)
	for program, families := range scrapeAll(t) {
		got := map[string]string{}
		for name, family := range families {
			if strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_") {
				continue
			}
			var labels []string
			for _, label := range family.GetMetric()[0].GetLabel() {
				labels = append(labels, label.GetName())
			}
			got[name] = metricShape(strings.ToLower(family.GetType().String()), labels)
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if listed[program][name] != got[name] {
				t.Errorf("%s exports %s %s, the list says %q", program, name, got[name], listed[program][name])
			}
		}
		for _, name := range slices.Sorted(maps.Keys(listed[program])) {
			if testing.Short() && strings.HasPrefix(name, "baari_redis_") {
				continue // A system in one process has no Redis.
			}
			if _, there := got[name]; !there {
				t.Errorf("the list has %s of %s, which is not exported", name, program)
			}
		}
	}
}

// Label values are a closed set: requests with new words create no new series, and no label contains what was sent.
func TestRequestsCreateNoNewSeries(t *testing.T) {
	provokeMetrics(t, "hostileone")
	before := seriesOf(scrapeAll(t))
	provokeMetrics(t, "hostiletwo")
	for series := range seriesOf(scrapeAll(t)) {
		if !before[series] {
			t.Errorf("a new series: %s", series)
		}
		if strings.Contains(series, "hostile") {
			t.Errorf("a label repeats what was sent: %s", series)
		}
	}
}

// provokeMetrics sends every program requests with the given word in paths, headers, methods and bodies.
func provokeMetrics(t *testing.T, word string) {
	t.Helper()
	fire := func(method, path, body string, header ...string) {
		request, err := http.NewRequestWithContext(t.Context(), method, running.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
	for _, path := range []string{
		"/", "/" + word, "/api/" + word, "/api/visits/" + word, "/api/visits/" + word + "/status", "/api/users/" + word,
		"/api/services/" + word, "/api/lobby/arrivals",
		"/api/auth/" + word, "/api/auth/get-session", "/api/office", "/api/visits/today", "/api/analytics/dashboard",
		"/api/analytics/audit?entity=" + word,
		"/api/stream?role=" + word + "&user_id=" + word, "/internal/" + word, "/%2e%2e/" + word,
	} {
		for _, method := range []string{
			http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, strings.ToUpper(word),
		} {
			fire(
				method, path, "{}", "Authorization", "Bearer "+word, "X-Request-Id", word, "X-User-Role", word, "Origin",
				"https://"+word+".example",
			)
		}
	}
	fire(http.MethodPost, "/api/auth/sign-in/email", fmt.Sprintf(`{"email":"%s@example.com","password":"%s-password"}`,
		word, word))
	fire(http.MethodPost, "/api/telemetry", fmt.Sprintf(`{"items":[
		{"kind":"vital","name":"LCP","value":100,"screen":"/%[1]s"},
		{"kind":"vital","name":"CLS","value":0.1,"screen":"/%[1]s"},
		{"kind":"vital","name":"%[1]s","value":1,"screen":"/%[1]s"},
		{"kind":"error","name":"%[1]s","value":1,"screen":"/%[1]s"},
		{"kind":"reconnect","name":"%[1]s","value":1,"screen":"/%[1]s"}]}`, word))
}

// scrapeAll reads the metrics pages of all programs, keyed by the name of the program.
func scrapeAll(t *testing.T) map[string]map[string]*dto.MetricFamily {
	t.Helper()
	all := map[string]map[string]*dto.MetricFamily{}
	for _, process := range running.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		request, err := http.NewRequestWithContext(
			t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/metrics", process.AdminPort), http.NoBody,
		)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(response.Body)
		_ = response.Body.Close()
		if err != nil {
			t.Fatalf("metrics of %s: %v", process.Name, err)
		}
		if testing.Short() {
			families = ofTarget(process.Name, families)
		}
		all[process.Name] = families
	}
	return all
}

// ofTarget returns the metrics of one target of a process: those whose label service names the target, and those that
// have no such label, because they belong to the whole process. It removes the label.
func ofTarget(target string, families map[string]*dto.MetricFamily) map[string]*dto.MetricFamily {
	own := map[string]*dto.MetricFamily{}
	for name, family := range families {
		if name == "baari_build_info" { // This metric itself declares a label service.
			own[name] = family
			continue
		}
		var metrics []*dto.Metric
		for _, metric := range family.GetMetric() {
			labels, service := []*dto.LabelPair{}, target
			for _, label := range metric.GetLabel() {
				if label.GetName() == "service" {
					service = label.GetValue()
				} else {
					labels = append(labels, label)
				}
			}
			if service == target {
				metrics = append(metrics, &dto.Metric{Label: labels})
			}
		}
		if len(metrics) > 0 {
			own[name] = &dto.MetricFamily{Name: family.Name, Type: family.Type, Metric: metrics}
		}
	}
	return own
}

// seriesOf returns a name for every series, made of program, metric and labels.
func seriesOf(all map[string]map[string]*dto.MetricFamily) map[string]bool {
	series := map[string]bool{}
	for program, families := range all {
		for name, family := range families {
			for _, metric := range family.GetMetric() {
				text := program + " " + name
				for _, label := range metric.GetLabel() {
					text += fmt.Sprintf(" %s=%q", label.GetName(), label.GetValue())
				}
				series[text] = true
			}
		}
	}
	return series
}
