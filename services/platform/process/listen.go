package process

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// server has the timeouts that cut off a client who sends too slowly. Answers have no limit here: each
// statement and call inside has one, and a stream may stay for hours.
func (p *Process) server(port int, handler http.Handler) *http.Server {
	server := &http.Server{
		Addr:              fmt.Sprintf("%s:%d", p.Config.Host, port),
		Handler:           rejectFaulty(handler),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	framing.Guard(server)
	return server
}

// hangUp closes each connection after its response while the service drains, so that clients have no idle connection
// left when the listener closes.
func hangUp(draining <-chan struct{}, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-draining:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}

// rejectFaulty answers a request whose end can be read in two ways with 400. The gateways never send one; a client that
// reaches the port directly may (reliability.md T11).
func rejectFaulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !framing.Faulty(r) {
			next.ServeHTTP(w, r)
			return
		}
		id := request.Read(r, nil).ID
		w.Header().Set(request.HeaderID, id)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_ = wire.Write(w, http.StatusBadRequest, fault.ErrBadBody.Body(id))
	})
}

// internalTable has the routes of the internal listener: the feed and those that the service added.
func (p *Process) internalTable() (*endpoint.Table, error) {
	feed := p.Outbox.Feed(p.Feeds)
	routes := slices.Concat(p.internal, []endpoint.Route{{
		Method: http.MethodGet, Pattern: "/internal/events", Access: endpoint.Service(),
		Handler: endpoint.Stream(func(w http.ResponseWriter, r *http.Request) error {
			feed(w, r)
			return nil
		}),
	}})
	return endpoint.New(endpoint.Deps{Service: p.Name, Secret: p.Config.ServiceSecret, Log: p.Log}, routes...)
}

// adminMux serves the operations listener: liveness, readiness, metrics, recent spans and, if enabled, profiles.
func (p *Process) adminMux(draining <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { p.answerReady(w, r, draining) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.Registry, promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}))
	mux.Handle("GET /traces", p.spans.Handler())
	if p.Config.Profiles {
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.Handle("GET /debug/pprof/allocs", pprof.Handler("allocs"))
	}
	return mux
}

func (p *Process) answerReady(w http.ResponseWriter, r *http.Request, draining <-chan struct{}) {
	select {
	case <-draining:
		http.Error(w, "draining", http.StatusServiceUnavailable)
		return
	default:
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	for _, check := range p.ready {
		if err := check(ctx); err != nil {
			p.Log.WarnContext(ctx, "not ready", "cause", err)
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
	}
	fmt.Fprintln(w, "ready")
}
