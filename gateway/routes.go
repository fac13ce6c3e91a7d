// Package gateway is the table of paths (routes.yaml) and the limits that the embedded gateway and Traefik share.
//
// Start with Routes; package embedded serves the table, package traefikconf writes Traefik's configuration from it.
package gateway

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The limits of the embedded gateway and of Traefik.
const (
	// AnswerLimit is the timeout for the header of an ordinary response; the browser's timeout is 10 s, a service's 8 s.
	AnswerLimit = 9 * time.Second
	// Rate is the limit of requests per second of one client address. A whole office shares one address; the services
	// have limits for each user.
	Rate = 200
	// Burst is the number of requests of one client address that are accepted at once.
	Burst = 400
	// ReadHeaderTimeout is the timeout for reading a request's header.
	ReadHeaderTimeout = 5 * time.Second
	// ReadTimeout is the timeout for reading a whole request.
	ReadTimeout = 10 * time.Second
	// IdleTimeout is how long an idle connection is kept.
	IdleTimeout = 75 * time.Second
	// MaxHeaderBytes is the largest header; net/http adds 4 KiB before it answers 431.
	MaxHeaderBytes = 16 << 10
)

// Web is the upstream of the web application's paths: the web server of this module.
const Web = "web"

// Answer is how a response is forwarded and how long it can take.
type Answer string

// The values of Answer; routes.yaml describes them.
const (
	Whole  Answer = "whole"
	Stream Answer = "stream"
	Export Answer = "export"
)

// Place is where the path of a route starts.
type Place string

// The values of Place: API paths are under /api and are also served under /api/api; Root paths are not under /api.
const (
	API  Place = "api"
	Root Place = "root"
)

// Route is one row of the table.
type Route struct {
	Path     string `yaml:"path"`
	Deeper   bool   `yaml:"deeper"`
	Upstream string `yaml:"upstream"`
	At       Place  `yaml:"at"`
	Answer   Answer `yaml:"answer"`
}

// Upstreams names every process behind the gateway, the web server last.
var Upstreams = append(slices.Clone(services), Web)

// begin generated: upstreams (go run ./tools/baari generate)
var services = []string{"auth", "visits", "directory", "audit", "realtime", "lobby"}

// end generated

//go:embed routes.yaml
var table []byte

// UncleanPath matches a path that is answered with 404: it has control characters, or characters that some parsers read
// as separators and others as part of a name. The embedded gateway matches the escaped path, Traefik the partly
// unescaped one.
var UncleanPath = regexp.MustCompile(`(?i)%(2f|5c|3b|25|3f|23|0[0-9a-f]|1[0-9a-f]|7f)|[\\\x00-\x1f\x7f]`)

// Reserved lists the first segments of paths that the web application does not serve, in upper or lower case. Such a
// path without a route is answered with 404.
var Reserved = []string{"api", "internal", "metrics", "healthz", "readyz", "__errors", "q"}

// IsReserved reports whether the first segment of path is in Reserved.
func IsReserved(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return slices.Contains(Reserved, strings.ToLower(first))
}

// Routes returns the table, the most specific paths first. The error names each row with an unknown key, upstream,
// place or answer, with a path that does not fit its place, or with a repeated path.
func Routes() ([]Route, error) {
	return parse(table)
}

func parse(document []byte) ([]Route, error) {
	var file struct {
		Routes []Route `yaml:"routes"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(document)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("routes.yaml: %w", err)
	}
	var faults []error
	seen := map[string]bool{}
	for i := range file.Routes {
		route := &file.Routes[i]
		if route.Answer == "" {
			route.Answer = Whole
		}
		if route.At == "" {
			route.At = API
		}
		if err := route.check(); err != nil {
			faults = append(faults, fmt.Errorf("routes.yaml: %s: %w", route, err))
		}
		if seen[route.String()] {
			faults = append(faults, fmt.Errorf("routes.yaml: %s comes twice", route))
		}
		seen[route.String()] = true
	}
	slices.SortStableFunc(file.Routes, bySpecificity)
	return file.Routes, errors.Join(faults...)
}

func (r Route) check() error {
	switch {
	case r.At != API && r.At != Root:
		return fmt.Errorf("no place is called %q", r.At)
	case r.At == API && !strings.HasPrefix(r.Path, "/api/") || strings.HasSuffix(r.Path, "/"):
		return errors.New("a path starts with /api/ and ends without a slash")
	case r.At == Root && !rootPath.MatchString(r.Path):
		return errors.New("a path at the root is one letter")
	case r.Upstream == Web || !slices.Contains(Upstreams, r.Upstream):
		return fmt.Errorf("no service is called %q", r.Upstream)
	case r.Answer != Whole && r.Answer != Stream && r.Answer != Export:
		return fmt.Errorf("no answer is called %q", r.Answer)
	case r.Deeper && strings.Contains(r.Path, "{"):
		return errors.New("a path with {id} cannot be deeper")
	}
	return nil
}

// rootPath is the form of a path at the root: one letter. The web application does not use such paths.
var rootPath = regexp.MustCompile(`^/[A-Za-z]$`)

// Paths returns the paths at which a route is served.
func (r Route) Paths() []string {
	if r.At == Root {
		return []string{r.Path}
	}
	return []string{r.Path, "/api" + r.Path}
}

// String returns the route's name in logs and metrics: the path of the table, with /* if the route is Deeper.
func (r Route) String() string {
	if r.Deeper {
		return r.Path + "/*"
	}
	return r.Path
}

// bySpecificity orders literal paths before paths with {id}, and paths with {id} before Deeper paths. Within each kind,
// longer paths come first.
func bySpecificity(a, b Route) int {
	if d := a.looseness() - b.looseness(); d != 0 {
		return d
	}
	return len(b.Path) - len(a.Path)
}

func (r Route) looseness() int {
	switch {
	case r.Deeper:
		return 2
	case strings.Contains(r.Path, "{"):
		return 1
	}
	return 0
}
