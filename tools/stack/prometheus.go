package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// rulesFile holds the recording and alert rules as a PrometheusRule object.
const rulesFile = "k8s/monitoring/rules.yaml"

const dashboardsFolder = "k8s/monitoring/dashboards"

// startPrometheus starts Prometheus. It scrapes every program with metrics and evaluates the rules of production.
func (s *Stack) startPrometheus(ctx context.Context) error {
	programs, err := FindPrometheus(ctx, s.options.Root, s.progress)
	if err != nil {
		return err
	}
	ports, err := FreePorts(1)
	if err != nil {
		return err
	}
	dir := filepath.Join(s.folder.Path(), "run", "prometheus")
	rules, config := filepath.Join(dir, "rules.yaml"), filepath.Join(dir, "prometheus.yaml")
	if err := errors.Join(WriteRules(s.options.Root, rules), WriteJSON(config, s.scraping(rules))); err != nil {
		return err
	}
	s.prometheus = httpAddress(ports[0])
	return s.RunBeside(ctx, prometheusSpec(programs, config, s.folder.prometheus(), ports[0]), s.prometheus+"/-/ready")
}

func prometheusSpec(programs PrometheusPrograms, config, data string, port int) Spec {
	spec := Spec{
		Name: "prometheus", Path: programs.Server, Port: port, Env: personal(),
		Args: []string{
			"--config.file=" + config, "--storage.tsdb.path=" + data, "--storage.tsdb.retention.time=30d",
			"--web.listen-address=" + address(port), "--enable-feature=exemplar-storage",
		},
	}
	if programs.assets != "" {
		spec.Args = append(spec.Args, "--web.local-assets="+programs.assets)
	}
	return spec
}

// Prometheus returns the address of the system's Prometheus, or "" if it has none.
func (s *Stack) Prometheus() string { return s.prometheus }

// WriteRules writes the rules of k8s/monitoring in the format that Prometheus and promtool read. The file there is an
// object of the Prometheus operator, whose spec has the rules.
func WriteRules(root, file string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rulesFile)))
	if err != nil {
		return err
	}
	_, groups, found := strings.Cut(string(text), "\nspec:\n")
	if !found {
		return fmt.Errorf("%s has no spec at its end", rulesFile)
	}
	var rules strings.Builder
	for line := range strings.Lines(groups) {
		rules.WriteString(strings.TrimPrefix(line, "  "))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(rules.String()), 0o600)
}

// scrapeConfig is the part of Prometheus' configuration that is used here. It is written as JSON, which is YAML.
type scrapeConfig struct {
	Global  map[string]string `json:"global"`
	Rules   []string          `json:"rule_files"`
	Scrapes []scrapeJob       `json:"scrape_configs"`
}

type scrapeJob struct {
	Name    string         `json:"job_name"`
	Targets []scrapeTarget `json:"static_configs"`
}

type scrapeTarget struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// clusterNames maps each program that has another name in Kubernetes to that name.
var clusterNames = map[string]string{"audit": "audit-analytics"}

// scraping returns Prometheus' configuration. It sets the labels that a ServiceMonitor sets in a cluster, so that the
// same rules and dashboards work.
func (s *Stack) scraping(rules string) scrapeConfig {
	every := s.options.Observe.String()
	config := scrapeConfig{
		Global: map[string]string{
			"scrape_interval": every, "scrape_timeout": min(s.options.Observe, 10*time.Second).String(),
			"evaluation_interval": every,
		},
		Rules: []string{rules},
	}
	for _, process := range s.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		name := cmp.Or(clusterNames[process.Name], process.Name)
		config.Scrapes = append(config.Scrapes, scrapeJob{Name: "baari-" + name, Targets: []scrapeTarget{{
			Targets: []string{address(process.AdminPort)},
			Labels:  map[string]string{"namespace": "baari", "service": "baari-" + name, "pod": process.Name},
		}}})
	}
	return config
}
