package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
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

// shutdownLimit is how long open requests may take to end.
const shutdownLimit = 25 * time.Second

// serve listens until ctx ends or background work fails. Then it stops in the order that loses no request: /readyz
// fails, a pause for load balancers, hooks of OnDrain, open requests, background work.
func (p *Process) serve(ctx context.Context) error {
	draining := make(chan struct{})
	internal, err := p.internalTable()
	if err != nil {
		return err
	}
	if p.public == nil {
		return errors.New("the service has no public table")
	}
	admin := p.server(p.Config.AdminPort, p.adminMux(draining))
	servers := []*http.Server{
		p.server(p.Config.Port, hangUp(draining, p.public)),
		p.server(p.Config.InternalPort, hangUp(draining, internal)),
	}

	for _, hook := range p.drain {
		servers[0].RegisterOnShutdown(hook) // called when the listener is closed: no stream can open after a hook
	}

	background, endBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer endBackground()
	group, broken := errgroup.WithContext(background)
	for _, server := range append(servers, admin) {
		group.Go(func() error { return listen(server) })
	}
	for _, work := range p.work {
		group.Go(func() error { return work(broken) })
	}
	p.Log.Info("started", "port", p.Config.Port, "internal_port", p.Config.InternalPort,
		"admin_port", p.Config.AdminPort, "version", telemetry.Version())

	select {
	case <-ctx.Done():
	case <-broken.Done():
	}
	close(draining)
	if broken.Err() == nil {
		time.Sleep(p.Config.ShutdownDelay)
	}
	p.shutdown(servers)
	endBackground()
	_ = admin.Close()
	return group.Wait()
}

func (p *Process) shutdown(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			p.Log.Warn("requests were cut off", "cause", err)
			_ = server.Close()
		}
	}
}

func listen(server *http.Server) error {
	listener, err := net.Listen("tcp", server.Addr)
	if err != nil {
		return err
	}
	if err := server.Serve(framing.Listen(listener)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server returns a server with timeouts for reading a request. It has none for a response: each statement and call
// inside has its own, and a stream stays open for hours.
func (p *Process) server(port int, handler http.Handler) *http.Server {
	server := &http.Server{
		Addr:              fmt.Sprintf("%s:%d", p.Config.Host, port),
		Handler:           rejectFaulty(handler),
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

// rejectFaulty answers 400 to a request whose end can be read in two ways. The gateways send none; a client that
// reaches the port directly can (T11 in docs/gates.md).
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
	routes := slices.Concat(p.internal, []endpoint.Route{{
		Method: http.MethodGet, Pattern: "/internal/events", Access: endpoint.Service(),
		Handler: endpoint.Stream(func(w http.ResponseWriter, r *http.Request) error {
			feed(w, r)
			return nil
		}),
	}})
	return endpoint.New(endpoint.Deps{Service: p.Name, Keys: p.Config.Keys(p.Name), Log: p.Log}, routes...)
}
