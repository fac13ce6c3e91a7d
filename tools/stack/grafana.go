package stack

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// grafanaHomes lists the folders in which packages install Grafana's web pages.
var grafanaHomes = []string{"/usr/share/grafana", "/usr/local/share/grafana", "/opt/homebrew/share/grafana"}

// startGrafana starts the machine's Grafana, if there is one, with the dashboards of k8s/monitoring and the
// system's Prometheus. It needs no sign-in, since it listens on loopback only. If it does not start, a message is
// printed and the system continues without it.
func (s *Stack) startGrafana(ctx context.Context) error {
	program, _ := exec.LookPath("grafana")
	if program == "" {
		return nil
	}
	ports, err := FreePorts(1)
	if err != nil {
		return err
	}
	dir := filepath.Join(s.folder.Path(), "run", "grafana")
	if err := s.provision(dir); err != nil {
		return err
	}
	err = s.RunBeside(ctx, grafanaSpec(program, dir, ports[0]), httpAddress(ports[0])+"/api/health")
	if err != nil {
		s.progress.Printf("%v", err)
		return ctx.Err()
	}
	s.grafana = httpAddress(ports[0])
	return nil
}

// Grafana returns the address of the system's Grafana, or "" if it has none.
func (s *Stack) Grafana() string { return s.grafana }

func grafanaSpec(program, dir string, port int) Spec {
	env := personal()
	for name, value := range map[string]string{
		"GF_SERVER_HTTP_ADDR": loopback, "GF_SERVER_HTTP_PORT": strconv.Itoa(port),
		"GF_PATHS_DATA": filepath.Join(dir, "data"), "GF_PATHS_LOGS": filepath.Join(dir, "data"),
		"GF_PATHS_PROVISIONING":     filepath.Join(dir, "provisioning"),
		"GF_AUTH_ANONYMOUS_ENABLED": "true", "GF_AUTH_ANONYMOUS_ORG_ROLE": "Admin",
		"GF_ANALYTICS_REPORTING_ENABLED": "false", "GF_ANALYTICS_CHECK_FOR_UPDATES": "false",
	} {
		env.set(name, value)
	}
	spec := Spec{Name: "grafana", Path: program, Args: []string{"server"}, Env: env, Port: port}
	for _, home := range grafanaHomes {
		if _, err := os.Stat(filepath.Join(home, "conf", "defaults.ini")); err == nil {
			spec.Args = append(spec.Args, "--homepath="+home)
			break
		}
	}
	return spec
}

// provision writes Grafana's files for the data source Prometheus and the dashboards, in JSON, which is valid YAML.
func (s *Stack) provision(dir string) error {
	files := map[string]any{
		"datasources/prometheus.yaml": map[string]any{"apiVersion": 1, "datasources": []map[string]any{
			{"name": "Prometheus", "type": "prometheus", "access": "proxy", "url": s.prometheus, "isDefault": true},
		}},
		"dashboards/baari.yaml": map[string]any{"apiVersion": 1, "providers": []map[string]any{
			{
				"name": "baari", "type": "file",
				"options": map[string]any{"path": filepath.Join(s.options.Root, filepath.FromSlash(dashboardsFolder))},
			},
		}},
	}
	for name, content := range files {
		if err := WriteJSON(filepath.Join(dir, "provisioning", filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return nil
}
