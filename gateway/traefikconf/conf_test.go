package traefikconf

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"baari.dev/gateway"
)

func example(t *testing.T) Config {
	t.Helper()
	routes, err := gateway.Routes()
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Routes: routes, Port: 8080, AdminPort: 9090, Upstreams: map[string]*url.URL{},
		AnswerLimit: gateway.AnswerLimit, Rate: gateway.Rate, Burst: gateway.Burst, LogLevel: "info"}
	for _, name := range gateway.Upstreams {
		c.Upstreams[name] = &url.URL{Scheme: "http", Host: name + ":8080"}
	}
	return c
}

func TestEveryRouterHasAPriority(t *testing.T) {
	c := example(t)
	seen := map[int]string{}
	for name, r := range Dynamic(c).HTTP.Routers {
		if r.EntryPoints[0] == admin {
			continue
		}
		if r.Priority == 0 || seen[r.Priority] != "" {
			t.Errorf("%s and %s share priority %d", name, seen[r.Priority], r.Priority)
		}
		seen[r.Priority] = name
	}
	if lowest := tablePriority - len(c.Routes); lowest <= reservedPriority {
		t.Errorf("the table has outgrown its priorities: %d", lowest)
	}
}

func TestEveryNameThatIsUsedExists(t *testing.T) {
	for name, c := range map[string]Config{"limits": example(t), "no limits": func() Config {
		c := example(t)
		c.Rate = 0
		return c
	}()} {
		d := Dynamic(c).HTTP
		for at, r := range d.Routers {
			if _, ok := d.Services[r.Service]; !ok && !strings.HasSuffix(r.Service, "@internal") {
				t.Errorf("%s: %s leads to %s", name, at, r.Service)
			}
			for _, m := range r.Middlewares {
				if _, ok := d.Middlewares[m]; !ok {
					t.Errorf("%s: %s passes %s", name, at, m)
				}
			}
		}
		for _, m := range Static(c, "").EntryPoints[public].HTTP.Middlewares {
			if _, ok := d.Middlewares[strings.TrimSuffix(m, "@file")]; !ok {
				t.Errorf("%s: the entry point passes %s", name, m)
			}
		}
	}
}

// A middleware that buffers responses would block the live stream. Only request bodies may be buffered.
func TestResponsesAreNotBuffered(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	c := example(t)
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	if err := Write(folder, c); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{StaticFile, DynamicFile} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := yaml.Unmarshal(text, &document); err != nil || len(document) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Count(string(text), "buffering:") != strings.Count(string(text), "disableResponseBuffer: true") {
			t.Errorf("%s buffers answers", name)
		}
	}
}

func TestAMissingUpstreamIsNamed(t *testing.T) {
	c := example(t)
	delete(c.Upstreams, "audit")
	if err := Write(t.TempDir(), c); err == nil || !strings.Contains(err.Error(), "audit") {
		t.Errorf("got %v", err)
	}
}
