package test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestEveryPrefixReachesItsService(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"/api/auth/get-session": "auth", "/api/auth/sign-in/email": "auth", "/api/users": "auth", "/api/users/u1": "auth",
		"/api/users/u1/revoke-sessions": "auth", "/api/users/u1/undo": "auth",
		"/api/users/consultants": "directory", "/api/consultants/u1": "directory", "/api/services": "directory",
		"/api/services/s1": "directory", "/api/office": "directory", "/api/due-dates": "directory",
		"/api/office/settings/hours": "directory", "/api/office/setup": "directory",
		"/api/devices/pair": "auth", "/api/due-dates/d1": "directory", "/api/appointments": "directory",
		"/api/appointments/a1": "directory",
		"/api/visits":          "visits", "/api/visits/today": "visits", "/api/visits/v1/status": "visits",
		"/api/analytics/dashboard": "audit", "/api/analytics/export": "audit",
		"/api/stream/notify": "realtime", "/api/telemetry": "realtime",
		"/api/lobby/visits/v1/link": "lobby", "/q/c0de": "lobby", "/Q/C0DE": "lobby", "/q/c0de/late": "lobby",
		"/q/page.js": "lobby",
	}
	forEach(t, func(t *testing.T, e *edge) {
		for path, service := range want {
			for _, asked := range spellings(path) {
				got := parse(t, e.do(t, call{method: http.MethodPost, path: asked + "?x=1;y=2", body: "{}"}))
				if got.Service != service || got.Path != path || got.Method != http.MethodPost || got.Body != 2 {
					t.Errorf("POST %s reached %+v, want %s at %s", asked, got, service, path)
				}
			}
		}
	})
}

// S7.client.05: each path under /api is also served at the doubled /api/api/….
func TestEveryPathOfEveryContractReachesItsService(t *testing.T) {
	t.Parallel()
	contracts, err := filepath.Glob("../../services/*/api.yaml")
	if err != nil || len(contracts) == 0 {
		t.Fatalf("no contract found: %v", err)
	}
	parameter := regexp.MustCompile(`\{[^}]+\}`)
	forEach(t, func(t *testing.T, e *edge) {
		for _, contract := range contracts {
			service := filepath.Base(filepath.Dir(contract))
			for _, path := range paths(t, contract) {
				path = parameter.ReplaceAllString(path, "0199a1b2c3d4")
				if path == "/api/stream" {
					continue // the stream does not end, so it has a test of its own
				}
				for _, asked := range spellings(path) {
					if got := parse(t, e.get(t, asked)); got.Service != service || got.Path != path {
						t.Errorf("%s reached %s at %s, want %s", asked, got.Service, got.Path, service)
					}
				}
			}
		}
	})
}

// spellings returns the addresses at which a path is served: two for a path under /api, otherwise one.
func spellings(path string) []string {
	if strings.HasPrefix(path, "/api/") {
		return []string{path, "/api" + path}
	}
	return []string{path}
}

func paths(t *testing.T, contract string) []string {
	t.Helper()
	text, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]any `yaml:"paths"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatalf("%s: %v", contract, err)
	}
	var all []string
	for path := range document.Paths {
		if !strings.HasPrefix(path, "/internal/") {
			all = append(all, path)
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no paths", contract)
	}
	return all
}

func TestUnknownPathsReachNoService(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		for _, path := range []string{
			"/api", "/api/", "/api/nothing", "/api/api", "/api/api/api/visits", "/api/visitsx", "/api/users/", "/api/users/a/b",
			"/internal/events", "/api/internal/events", "/api/api/internal/events", "/metrics", "/healthz", "/readyz",
			"/__errors/503",
			"/api/q/c0de", "/api/Q/C0DE", "/q%2fc0de", "/q/c0de%2fstate",
			"/API/visits", "/Api/users", "/INTERNAL/events", "/api/visits;x", "/api/users;x/consultants",
			"/api%2fvisits", "/api/%2Fvisits", "/api/visits%2f..%2f..%2finternal", `/api\visits`, "/api%5cvisits",
			"/api/visits%00",
			"/api/visits%0d%0aX-Injected:1", "/api/visits%3bx", "/api/visits%253f", "/api/visits%23", "/api/users/u1%2fpassword",
			"/api/visits/a%5cb", `/api/visits/a\b`, "/api/visits/a%0ab", "/api/visits/a%0d%0aX-Injected:1", "/api/visits/a%7f",
			"/api/visits/../../internal/events", "/api/visits/%2e%2e/%2e%2e/internal/events",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				t.Run(method+" "+path, func(t *testing.T) {
					// ASVS 1.1.1, 13.4.5
					mustBeFault(t, e.do(t, call{method: method, path: path}), http.StatusNotFound, "not_found")
				})
			}
		}
		if n := e.services.received.Load(); n != 0 {
			t.Errorf("%d requests reached a service", n)
		}
	})
}

func TestAnUncleanPathIsCanonicalized(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		for spelling, want := range map[string]string{
			"//api/visits/today":             "/api/visits/today",
			"/api//visits///today":           "/api/visits/today",
			"/api/./visits/today":            "/api/visits/today",
			"/api/x/../visits/today":         "/api/visits/today",
			"/api/%76isits/today":            "/api/visits/today",
			"/%61pi/%75sers/u1":              "/api/users/u1",
			"/api/users/%2e%2e/visits/today": "/api/visits/today",
			"/api//api/visits/today":         "/api/visits/today",
			"/api/visits/":                   "/api/visits/",
		} {
			if got := parse(t, e.get(t, spelling)); got.Path != want {
				t.Errorf("%s reached %s at %s, want %s", spelling, got.Service, got.Path, want)
			}
		}
	})
}

func TestOtherPathsAreTheWebApplications(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		for _, path := range []string{"/", "/login", "/dashboard/admin", "/apis", "/qr", "/no/such/screen"} {
			got := e.get(t, path)
			if got.status != http.StatusOK || !strings.Contains(got.body, `<div id="root">`) {
				t.Errorf("%s: %d %.80s", path, got.status, got.body)
			}
			// ASVS 3.4.3
			if !strings.Contains(got.header.Get("Content-Security-Policy"), "'nonce-") {
				t.Errorf("%s has no policy with a nonce", path)
			}
			// ASVS 3.4.4, 3.4.5
			mustBeFixed(t, got)
		}
		if got := e.get(t, "/assets/index-1.js"); got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("an asset is cached as %q", got.header.Get("Cache-Control"))
		}
		mustBeFault(t, e.get(t, "/assets/missing.js"), http.StatusNotFound, "not_found")
	})
}
