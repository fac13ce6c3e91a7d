package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// cutter is a proxy of PostgreSQL that breaks each connection at a commit: before the server receives the commit, or
// after the server has answered.
type cutter struct {
	server string
	before bool

	cuts atomic.Int32
}

func (c *cutter) serve(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { c.carry(client) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); open.Wait() })
	return listener.Addr().String()
}

func (c *cutter) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", c.server)
	if err != nil {
		return
	}
	var cut atomic.Bool
	answered := make(chan struct{})
	go func() { defer close(answered); defer client.Close(); pass(server, client, cut.Load) }()
	defer func() { _ = server.Close(); <-answered }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte("commit\x00")) {
			c.cuts.Add(1)
			cut.Store(true)
		}
		if cut.Load() && c.before {
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
		if cut.Load() {
			<-answered // the server has answered; the response is dropped
			return
		}
	}
}

// pass forwards bytes from one connection to the other until stop returns true.
func pass(from, to net.Conn, stop func() bool) {
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil || stop() {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func through(t *testing.T, address, dsn string) *pgxpool.Pool {
	t.Helper()
	parsed, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Host = address
	pool, err := postgres.Open(t.Context(), parsed.String(), postgres.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// The outcome of a commit whose response was lost is unknown; it is never reported as a failure and never retried.
func TestALostCommitResponseIsAnUnknownOutcome(t *testing.T) {
	db := shop(t)
	server := serverOf(t, db.URL)
	for _, before := range []bool{true, false} {
		proxy := &cutter{server: server, before: before}
		pool := through(t, proxy.serve(t), db.URL)
		err := postgres.InTx(t.Context(), pool, write(t.Context(), 1, "committed"))
		// ASVS 2.3.3, 16.5.3
		if !errors.Is(err, fault.ErrUnknownOutcome) || fault.Of(err).Status() != 503 || fault.Of(err).RetryAfter <= 0 {
			t.Errorf("cut before the server received it: %v: %v", before, err)
		}
		if sent := proxy.cuts.Load(); sent != 1 {
			t.Errorf("%d commits were sent", sent)
		}
		pool.Close()
		if kept := note(t, db.Pool, 1) == "committed"; kept == before {
			t.Errorf("cut before the server received it: %v, and yet kept: %v", before, kept)
		}
	}
}

func serverOf(t *testing.T, dsn string) string {
	t.Helper()
	parsed, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Host
}

// N4: a session that is terminated during its work is an outage, not an internal error.
func TestASessionEndedByTheServerIsUnavailable(t *testing.T) {
	db := shop(t)
	owner := db.Owner(t)
	err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
		if _, err := owner.Exec(
			t.Context(), `SELECT pg_terminate_backend($1, 5000)`, int32(tx.Conn().PgConn().PID()),
		); err != nil {
			t.Fatal(err)
		}
		return write(t.Context(), 1, "lost")(tx)
	})
	if !errors.Is(err, fault.ErrUnavailable) || note(t, db.Pool, 1) != "" {
		t.Errorf("%v, the note is %q", err, note(t, db.Pool, 1))
	}
}

// A session that ended before the commit was sent has certainly committed nothing.
func TestASessionEndedBeforeItsCommitIsUnavailable(t *testing.T) {
	db := shop(t)
	err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
		defer func() { _ = tx.Conn().Close(context.Background()) }()
		return write(t.Context(), 1, "lost")(tx)
	})
	if !errors.Is(err, fault.ErrUnavailable) || note(t, db.Pool, 1) != "" {
		t.Errorf("%v, the note is %q", err, note(t, db.Pool, 1))
	}
}

func TestAStoppedServerIsUnavailable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	pool := through(t, listener.Addr().String(), "postgres://a:b@host/db?sslmode=disable")
	err = postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil })
	if !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("published %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := postgres.Await(ctx, pool); err == nil {
		t.Error("Await succeeded without a database")
	}
}
