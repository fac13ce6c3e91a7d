package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"
)

// rulesFile holds the recording and alert rules as a PrometheusRule object.
const rulesFile = "k8s/monitoring/rules.yaml"

// dashboardsFolder holds Grafana's dashboards.
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
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	rules := filepath.Join(dir, "rules.yaml")
	if err := WriteRules(s.options.Root, rules); err != nil {
		return err
	}
	config, err := yaml.Marshal(s.scraping(rules))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "prometheus.yaml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return err
	}
	child, err := s.run(edge, prometheusSpec(programs, file, s.folder.prometheus(), ports[0]))
	if err != nil {
		return err
	}
	if err := await(ctx, readyWithin, func(ctx context.Context) error {
		return get(ctx, httpAddress(ports[0])+"/-/ready")
	}); err != nil {
		return fmt.Errorf("%s is not ready, see %s: %w", child.Name(), child.spec.Log, err)
	}
	s.prometheus = httpAddress(ports[0])
	return nil
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

// WriteRules writes the rules of k8s/monitoring in the format of Prometheus and promtool.
func WriteRules(root, file string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rulesFile)))
	if err != nil {
		return err
	}
	var resource struct{ Spec map[string]any }
	if err := yaml.Unmarshal(text, &resource); err != nil {
		return fmt.Errorf("%s: %w", rulesFile, err)
	}
	if text, err = yaml.Marshal(resource.Spec); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// scrapeConfig is the part of Prometheus' configuration that is used here.
type scrapeConfig struct {
	Global  globalConfig `yaml:"global"`
	Rules   []string     `yaml:"rule_files"`
	Scrapes []scrapeJob  `yaml:"scrape_configs"`
}

type globalConfig struct {
	Scrape   string `yaml:"scrape_interval"`
	Timeout  string `yaml:"scrape_timeout"`
	Evaluate string `yaml:"evaluation_interval"`
}

type scrapeJob struct {
	Name    string         `yaml:"job_name"`
	Targets []scrapeTarget `yaml:"static_configs"`
}

type scrapeTarget struct {
	Targets []string          `yaml:"targets"`
	Labels  map[string]string `yaml:"labels"`
}

// clusterNames maps programs to their names in Kubernetes where those differ.
var clusterNames = map[string]string{"audit": "audit-analytics"}

// scraping returns Prometheus' configuration. It sets the labels that the operator's ServiceMonitor sets in a
// cluster, so that the same rules and dashboards work.
func (s *Stack) scraping(rules string) scrapeConfig {
	every := s.options.Observe.String()
	config := scrapeConfig{
		Global: globalConfig{Scrape: every, Timeout: min(s.options.Observe, 10*time.Second).String(), Evaluate: every},
		Rules:  []string{rules},
	}
	for _, process := range s.Processes() {
		if process.AdminPort == 0 {
			continue
		}
		name := process.Name
		if other, renamed := clusterNames[name]; renamed {
			name = other
		}
		config.Scrapes = append(config.Scrapes, scrapeJob{Name: "baari-" + name, Targets: []scrapeTarget{{
			Targets: []string{address(process.AdminPort)},
			Labels:  map[string]string{"namespace": "baari", "service": "baari-" + name, "pod": process.Name},
		}}})
	}
	return config
}
