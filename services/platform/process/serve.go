package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/telemetry"
	"baari.dev/services/platform/wire"
)

// serve serves requests until ctx ends or background work fails. Then it stops in the order that loses no request: it
// lets /readyz fail, waits for load balancers, and stops the gateway, the public listeners, the internal listeners, and
// background work. DRAIN_TIMEOUT limits the time that open requests may take.
func (r *running) serve(ctx context.Context) error {
	draining := make(chan struct{})
	stages, err := r.servers(draining)
	if err != nil {
		return err
	}
	background, endBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer endBackground()
	group, broken := errgroup.WithContext(background)
	admin := newServer(rejectFaulty(r.adminMux(draining)))
	group.Go(func() error { return serve(server{admin, r.admin}) })
	for _, stage := range stages {
		for _, s := range stage {
			group.Go(func() error { return serve(s) })
		}
	}
	for _, p := range r.processes {
		for _, work := range p.work {
			group.Go(func() error { return r.named(p, work(broken)) })
		}
		p.Log.Info("started", "port", portOf(p.public), "internal_port", portOf(p.internal),
			"admin_port", portOf(r.admin), "version", telemetry.Version())
	}

	select {
	case <-ctx.Done():
	case <-broken.Done():
	}
	close(draining)
	if broken.Err() == nil {
		r.sleep(r.ShutdownDelay)
	}
	r.shutdown(stages)
	endBackground()
	_ = admin.Close()
	return group.Wait()
}

type server struct {
	*http.Server
	listener net.Listener
}

// stages are the servers in the order in which they stop; those of one stage stop together.
type stages [3][]server

// servers returns the servers of all targets: the gateway's, the public ones, the internal ones.
func (r *running) servers(draining <-chan struct{}) (all stages, err error) {
	for _, p := range r.processes {
		if p.handler == nil {
			return all, fmt.Errorf("%s has no public handler", p.Name)
		}
		if p.target.Edge { // the gateway rejects faulty requests itself
			edge := newServer(hangUp(draining, p.handler))
			edge.ErrorLog = slog.NewLogLogger(p.Log.Handler(), slog.LevelDebug)
			all[0] = append(all[0], server{p.draining(edge), p.public})
			continue
		}
		public := newServer(rejectFaulty(hangUp(draining, p.handler)))
		all[1] = append(all[1], server{p.draining(public), p.public})
		if p.internal == nil {
			continue
		}
		table, err := p.internalTable()
		if err != nil {
			return all, err
		}
		all[2] = append(all[2], server{newServer(rejectFaulty(hangUp(draining, table))), p.internal})
	}
	return all, nil
}

// draining adds the hooks of OnDrain to a server. The hooks are called when the listener is closed, so no stream can
// open after a hook was called.
func (p *Process) draining(server *http.Server) *http.Server {
	for _, hook := range p.drain {
		server.RegisterOnShutdown(hook)
	}
	return server
}

func (r *running) shutdown(all stages) {
	ctx, cancel := context.WithTimeout(context.Background(), r.DrainTimeout)
	defer cancel()
	for _, stage := range all {
		var stopping sync.WaitGroup
		for _, s := range stage {
			stopping.Go(func() {
				if err := s.Shutdown(ctx); err != nil {
					r.log.Warn("requests were cut off", "address", s.listener.Addr().String(), "cause", err)
					_ = s.Close()
				}
			})
		}
		stopping.Wait()
	}
}

func serve(s server) error {
	if err := s.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newServer returns a server with timeouts for reading a request. It has no timeout for writing a response, because
// each statement and call has its own timeout, and a stream stays open for hours.
func newServer(handler http.Handler) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       identity.IdleTimeout,
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

// rejectFaulty responds with 400 to a request whose end can be read in two ways. The gateways forward none, but a
// client that reaches the port directly can send one (T11 in services/docs/gates.md).
func rejectFaulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !framing.Faulty(r) {
			next.ServeHTTP(w, r)
			return
		}
		id := request.Read(r, 0).ID
		w.Header().Set(request.HeaderID, id)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_ = wire.Write(w, http.StatusBadRequest, fault.ErrBadBody.Body(id))
	})
}

// internalTable has the routes of the internal listener: the feed and those that the service added.
func (p *Process) internalTable() (*endpoint.Table, error) {
	feed := p.Outbox.Feed(p.Feeds)
	routes := slices.Concat(p.routes, []endpoint.Route{{
		Method: http.MethodGet, Pattern: "/internal/events", Access: endpoint.Service(),
		Handler: endpoint.Stream(func(w http.ResponseWriter, r *http.Request) error {
			feed(w, r)
			return nil
		}),
	}})
	return endpoint.New(endpoint.Deps{Service: p.Name, Keys: p.Config.Keys(p.Name), Log: p.Log}, routes...)
}
