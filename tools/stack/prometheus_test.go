package stack

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Rules and dashboards use the labels of a cluster, so the local Prometheus must set the same labels.
func TestPrometheusScrapesEveryProgramWithTheLabelsOfACluster(t *testing.T) {
	options, _, _ := setup(t)
	system := mustStart(t, options)
	system.options.Observe = 5 * time.Second
	config := system.scraping("rules.yaml")
	if config.Global["scrape_interval"] != "5s" || config.Global["evaluation_interval"] != "5s" ||
		config.Rules[0] != "rules.yaml" {
		t.Errorf("intervals %v, rules %v", config.Global, config.Rules)
	}
	asked := map[string]string{}
	for _, job := range config.Scrapes {
		asked[job.Targets[0].Targets[0]] = job.Targets[0].Labels["service"]
	}
	for program, ports := range system.ports {
		want := "baari-" + program
		if program == "audit" {
			want = "baari-audit-analytics"
		}
		if got := asked[address(ports.admin)]; got != want {
			t.Errorf("the metrics of %s have the name %q", program, got)
		}
	}
}

// Prometheus reads rule groups, not the object PrometheusRule around them.
func TestPrometheusGetsTheRuleGroupsOfTheOperatorsObject(t *testing.T) {
	root := t.TempDir()
	source := filepath.Join(root, filepath.FromSlash(rulesFile))
	if err := os.MkdirAll(filepath.Dir(source), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(
		source, []byte("kind: PrometheusRule\nspec:\n  groups:\n    - name: one\n"), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(root, "rules.yaml")
	if err := WriteRules(root, written); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(written)
	if err != nil || string(text) != "groups:\n  - name: one\n" {
		t.Errorf("written: %q (%v)", text, err)
	}
}

func TestAProgramOfAnUnpackedPackageFindsItsLibraries(t *testing.T) {
	unpacked := t.TempDir()
	for path, text := range map[string]string{
		"usr/bin/server": "#!/bin/sh\necho $LD_LIBRARY_PATH $1\n", "usr/lib/x86_64-linux-gnu/liblzf.so.1": "",
	} {
		file := filepath.Join(unpacked, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeScripts(unpacked, unpacked); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command(filepath.Join(unpacked, "bin", "server"), "argument").Output()
	if want := filepath.Join(unpacked, "usr/lib/x86_64-linux-gnu") + " argument\n"; err != nil || string(printed) != want {
		t.Errorf("printed %q (%v), want %q", printed, err, want)
	}
}

func TestGrafanaIsProvisionedWithTheDashboardsAndPrometheus(t *testing.T) {
	options, _, _ := setup(t)
	options.Root = "/srv/baari"
	system := mustStart(t, options)
	system.prometheus = "http://127.0.0.1:9090"
	dir := t.TempDir()
	if err := system.provision(dir); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"datasources/prometheus.yaml": `"url": "http://127.0.0.1:9090"`,
		"dashboards/baari.yaml":       `"path": "/srv/baari/k8s/monitoring/dashboards"`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, "provisioning", file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s (%v)", file, text, err)
		}
	}
	spec := grafanaSpec("/usr/bin/grafana", dir, 3000)
	if spec.Args[0] != "server" || !slices.Contains(
		spec.Env, "GF_PATHS_PROVISIONING="+filepath.Join(dir, "provisioning"),
	) || !slices.Contains(spec.Env, "GF_SERVER_HTTP_ADDR=127.0.0.1") {
		t.Errorf("started as %v with %v", spec.Args, spec.Env)
	}
}
