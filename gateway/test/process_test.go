package test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTheProgramOfTheGatewayListensOnThePort(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		// The launcher builds Traefik under a name that ends in a hash, so only the prefix is compared.
		if got := filepath.Base(holder(t, e.port)); !strings.HasPrefix(got, e.kind.program) {
			t.Errorf("port %d is held by %s, want %s", e.port, got, e.kind.program)
		}
	})
}

// holder returns the executable that listens on a port of this machine.
func holder(t *testing.T, port int) string {
	t.Helper()
	socket := fmt.Sprintf("socket:[%s]", listeningInode(t, port))
	descriptors, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, descriptor := range descriptors {
		if target, err := os.Readlink(descriptor); err != nil || target != socket {
			continue
		}
		program, err := os.Readlink(filepath.Join(filepath.Dir(filepath.Dir(descriptor)), "exe"))
		if err != nil {
			t.Fatal(err)
		}
		return program
	}
	t.Fatalf("no program holds port %d", port)
	return ""
}

// listeningInode returns the inode of the socket that listens on port. In the kernel's table the local address is
// hexadecimal and the state 0A means listening.
func listeningInode(t *testing.T, port int) string {
	t.Helper()
	suffix := fmt.Sprintf(":%04X", port)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) > 9 && strings.HasSuffix(fields[1], suffix) && fields[3] == "0A" {
				return fields[9]
			}
		}
	}
	t.Fatalf("no program listens on port %d", port)
	return ""
}

// The log has the route, but neither the path nor the query.
func TestTheLogHasTheRouteAndNoPersonalData(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		e.get(t, "/api/users/canary-id?phone=9876543210")
		e.get(t, "/api/auth/reset-password/canary-token?email=canary@mail.example")
		e.stop(t)
		text := e.logText(t)
		for _, secret := range []string{"canary", "9876543210"} {
			// ASVS 14.2.4, 16.2.5
			if strings.Contains(text, secret) {
				t.Errorf("the log holds %q:\n%s", secret, text)
			}
		}
		routes := 0
		lines := bufio.NewScanner(strings.NewReader(text))
		for lines.Scan() {
			var line map[string]any
			// ASVS 16.2.4
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Errorf("no JSON line: %s", lines.Text())
			}
			if line["route"] != nil || line["RouterName"] != nil {
				routes++
			}
		}
		if routes != 2 {
			t.Errorf("%d lines name a route, want one for each request:\n%s", routes, text)
		}
	})
}

func TestTheAdminPortServesHealthAndMetrics(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		e.get(t, "/api/visits/today")
		admin := *e
		admin.base = e.admin
		for _, path := range []string{"/healthz", "/readyz"} {
			if got := admin.get(t, path); got.status != 200 {
				t.Errorf("%s: %d", path, got.status)
			}
		}
		figure := map[string]string{
			"embedded": `http_server_request_duration_seconds_count{http_request_method="GET",` +
				`http_response_status_code="200",http_route="/api/visits/*",upstream="visits"} 1`,
			"traefik": `router="api-visits-deeper@file",service="visits@file"} 1`,
		}[e.kind.name]
		if got := admin.get(t, "/metrics"); !strings.Contains(got.body, figure) {
			t.Errorf("no figure %s in\n%s", figure, got.body)
		}
	})
}

// Rules and dashboards query Traefik's metrics by Traefik's own names, which a new version may change.
func TestTraefikExportsEachMetricThatTheMonitoringQueries(t *testing.T) {
	t.Parallel()
	queried := map[string]bool{}
	for _, pattern := range []string{"rules.yaml", "dashboards/*.json"} {
		files, err := filepath.Glob("../../k8s/monitoring/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range regexp.MustCompile(`\btraefik_[a-z_]+`).FindAllString(string(text), -1) {
				queried[name] = true
			}
		}
	}
	if len(queried) < 5 {
		t.Fatalf("the monitoring queries %v only", queried)
	}
	forEach(t, func(t *testing.T, e *edge) {
		if e.kind.name != "traefik" {
			return
		}
		e.get(t, "/api/visits/today")
		exported := e.metrics(t)
		for name := range queried {
			if !strings.Contains(exported, "\n"+name+"{") {
				t.Errorf("Traefik does not export %s", name)
			}
		}
		for _, label := range []string{`entrypoint="public"`, `method="GET"`, `service="visits@file"`, `code="200"`} {
			if !strings.Contains(exported, label) {
				t.Errorf("Traefik's metrics have no %s", label)
			}
		}
	})
}
