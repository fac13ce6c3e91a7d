package process

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"baari.dev/services/platform/endpoint"
)

// server has the timeouts that cut off a client who sends too slowly. Answers have no limit here: each
// statement and call inside has one, and a stream may stay for hours.
func (p *Process) server(port int, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              fmt.Sprintf("%s:%d", p.Config.Host, port),
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// hangUp ends each connection with the answer it carries once the service drains. So callers who keep connections have none left
// when the listener closes, and none of their requests meets a closed one.
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

// internalTable is what other services may call: the feed, and what the service added.
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

// adminMux is for the cluster only: alive, ready, metrics.
func (p *Process) adminMux(draining <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { p.answerReady(w, r, draining) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.Registry, promhttp.HandlerOpts{EnableOpenMetrics: true}))
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
