package endpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"

	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
)

// Route is one row of a service's table.
type Route struct {
	Method  string
	Pattern string // net/http.ServeMux's syntax, such as "/api/visits/{id}/status"
	Access  Access
	Limit   limit.Rule
	Handler Handler
}

// Deps are the dependencies of a table.
type Deps struct {
	Service  string
	Verifier identity.Verifier // nil in internal tables
	Keys     identity.Keys     // verifies service tokens; internal tables only
	Limiter  *limit.Limiter
	Proxies  int                   // proxies that a request has passed, the gateway included; 0: direct connections
	Registry prometheus.Registerer // nil: no metrics, as in internal tables
	Log      *slog.Logger
	// Conflicts are the codes of 409 and 412 that the routes can answer. Their counters start at 0.
	Conflicts []string
	// Denied is called for each denial, after the response was decided.
	Denied func(ctx context.Context, caller identity.Caller, route string)
	// Await blocks until projections reach the position in the request's headers, or until its own timeout.
	Await func(ctx context.Context, header http.Header)
	// CheckOrigin checks requests that change something by cookie; nil if no route accepts such requests.
	CheckOrigin func(*http.Request) error
	// Convention is the external contract of some of the paths; nil if all paths have the API's own contract.
	Convention *Convention
}

// Table is the handler of its routes.
type Table struct {
	routes  []Route
	handler http.Handler
}

// Routes returns the rows, for tests that compare them with the API documents.
func (t *Table) Routes() []Route { return t.routes }

// ServeHTTP implements http.Handler.
func (t *Table) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.handler.ServeHTTP(w, r) }

// New returns a table, or an error that names the first invalid route: one without a method, a path, a handler or an
// access rule, with an incomplete limit, or with a dependency that is missing in deps.
func New(deps Deps, routes ...Route) (*Table, error) {
	for _, route := range routes {
		if err := route.validate(deps); err != nil {
			return nil, fmt.Errorf("route %s %s: %w", route.Method, route.Pattern, err)
		}
	}
	g := &guard{
		deps: deps, tokens: identity.NewServiceTokens(deps.Keys), metrics: newMetrics(deps.Registry, routes, deps.Conflicts),
	}
	all, starts := &router{}, map[string]spanStart{}
	for _, route := range routes {
		pattern := route.Method + " " + route.Pattern
		all.handle(pattern, g.wrap(route))
		starts[pattern] = spanStartOf(pattern)
	}
	return &Table{routes: routes, handler: g.edge(all, starts)}, nil
}

func (r Route) validate(deps Deps) error {
	switch {
	case r.Method == "" || r.Pattern == "":
		return errors.New("it names no method or no path")
	case r.Handler.make == nil:
		return errors.New("it has no handler")
	case !r.Access.stated():
		return errors.New("it has no access rule: say Public, Roles or Service")
	case r.Access.service && deps.Keys.Name == "":
		return errors.New("a service route needs the public keys of the services")
	case len(r.Access.roles) > 0 && deps.Verifier == nil:
		return errors.New("a route for people needs a verifier")
	case r.Access.cookie && changes(r.Method) && deps.CheckOrigin == nil && !deps.Convention.covers(r.Pattern):
		return errors.New("a change by cookie needs a check of the origin")
	}
	return r.Limit.Check()
}

func changes(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// edge handles a request before the route: request id, client address, trace, 404 and 405 as JSON.
func (g *guard) edge(all *router, starts map[string]spanStart) http.Handler {
	return http.HandlerFunc(func(plain http.ResponseWriter, r *http.Request) {
		info := request.Read(r, g.deps.Proxies)
		w := &statusWriter{ResponseWriter: plain}
		mux, pattern := all.match(r)
		routed := pattern != "" && !unclean(r.URL.Path) && !g.deps.Convention.rejectsHead(r)
		start := starts[pattern]
		if !routed {
			start = spanStartOf(methodOf(r) + " unknown")
		}
		ctx, span := startSpan(r, start)
		w.span = span
		defer endSpan(w)
		r = r.WithContext(request.With(ctx, info))
		w.Header().Set(request.HeaderID, info.ID)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !routed {
			g.unrouted(w, r, all)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// unclean reports whether the mux would redirect the path. The API responds with 404 instead.
func unclean(name string) bool {
	clean := path.Clean(name)
	return name != clean && name != clean+"/"
}

func (g *guard) wrap(route Route) http.Handler {
	writeError := g.errorWriter(route)
	inner := route.Handler.make(kithttp.ErrorEncoder(func(ctx context.Context, err error, w http.ResponseWriter) {
		g.note(ctx, route, err)
		writeError(ctx, err, w)
	}))
	times := &timed{metrics: g.metrics, route: route}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		counted := w.(*statusWriter) // the edge's
		defer times.end(counted, times.begin())
		defer g.recover(counted, r)
		ctx, err := g.enter(r, route)
		if err == nil {
			err = checkQuery(r)
		}
		if err != nil {
			writeError(ctx, err, counted)
			return
		}
		if g.deps.Await != nil {
			g.deps.Await(ctx, r.Header)
		}
		inner.ServeHTTP(counted, r.WithContext(ctx))
	})
}
