package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/gateway"
	"baari.dev/services/platform/framing"
	"baari.dev/services/platform/spans"
)

// Program is a program for Run.
type Program struct {
	Name     string
	Handler  http.Handler
	Registry *prometheus.Registry
	Logger   *slog.Logger
	Spans    *spans.Tracing // may be nil
	OnStop   func()         // ends what would keep the server open, such as streams; may be nil
}

// Run serves the program on its port, and health and metrics on the admin port, until SIGTERM or an interrupt. Then
// /readyz fails, and after SHUTDOWN_DELAY it finishes in-flight requests within DRAIN_TIMEOUT. It returns an error if a
// port is in use or if requests did not end in time.
func Run(config Config, program Program) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	var ready atomic.Bool
	public, err := listen(config.Host, config.Port)
	if err != nil {
		return err
	}
	admin, err := listen(config.Host, config.AdminPort)
	if err != nil {
		return errors.Join(err, public.Close())
	}
	server := newServer(program.Handler, program.Logger)
	if program.OnStop != nil {
		server.RegisterOnShutdown(program.OnStop)
	}
	adminServer := newServer(adminHandler(program, bool(config.Profiles), ready.Load), program.Logger)
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(public) }()
	go func() { failed <- adminServer.Serve(admin) }()
	ready.Store(true)
	program.Logger.Info("ready", "address", public.Addr().String(), "admin", admin.Addr().String())

	select {
	case err = <-failed:
	case <-ctx.Done():
		stop() // a second signal ends the process at once
		ready.Store(false)
		program.Logger.Info("stopping")
		time.Sleep(config.ShutdownDelay)
	}
	return errors.Join(err, shutdown(server, config.DrainTimeout), adminServer.Close())
}

func shutdown(server *http.Server, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("in-flight requests did not end in %s: %w", limit, err), server.Close())
	}
	return nil
}

func listen(host string, port Port) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(int(port))))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is in use by another program", port)
	}
	if err != nil {
		return nil, err
	}
	return framing.Listen(listener), nil
}

// newServer returns a server without a WriteTimeout, because streams do not end: handlers set their own write
// deadlines.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: gateway.ReadHeaderTimeout,
		ReadTimeout:       gateway.ReadTimeout,
		IdleTimeout:       gateway.IdleTimeout,
		MaxHeaderBytes:    gateway.MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	framing.Guard(server)
	return server
}
