package endpoint

import (
	"net/http"
	"slices"
	"strings"
)

// router matches requests to routes with net/http's patterns. A ServeMux rejects two patterns of which neither is more
// specific, such as /visits/{id}/status and /visits/desks/{id}; the later of the two is registered in the next mux. A
// request is served by the first mux that has a route for it.
type router []*http.ServeMux

func (r *router) handle(pattern string, handler http.Handler) {
	for _, mux := range *r {
		if accepts(mux, pattern, handler) {
			return
		}
	}
	mux := http.NewServeMux()
	mux.Handle(pattern, handler)
	*r = append(*r, mux)
}

// accepts registers a pattern in mux, unless that panics because of a conflict with another pattern.
func accepts(mux *http.ServeMux, pattern string, handler http.Handler) (accepted bool) {
	defer func() {
		if conflict := recover(); conflict != nil {
			accepted = false
		}
	}()
	mux.Handle(pattern, handler)
	return true
}

// match returns the mux that has a route for the request, and the pattern of the route; "" if none has.
func (r *router) match(req *http.Request) (mux *http.ServeMux, pattern string) {
	for _, mux := range *r {
		if _, pattern := mux.Handler(req); pattern != "" {
			return mux, pattern
		}
	}
	return nil, ""
}

// allow returns the methods that have a route for the path of the request, as the header Allow lists them.
func (r *router) allow(req *http.Request) string {
	var methods []string
	for _, mux := range *r {
		probe := &headerProbe{header: http.Header{}}
		mux.ServeHTTP(probe, req)
		if allow := probe.header.Get("Allow"); allow != "" {
			methods = append(methods, strings.Split(allow, ", ")...)
		}
	}
	slices.Sort(methods)
	return strings.Join(slices.Compact(methods), ", ")
}

// headerProbe records the headers of a mux's own response; only Allow is used.
type headerProbe struct{ header http.Header }

func (p *headerProbe) Header() http.Header         { return p.header }
func (p *headerProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *headerProbe) WriteHeader(int)             {}
