package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

func TestDatabaseErrorsAndTheirFaults(t *testing.T) {
	for code, want := range map[string]string{
		"55P03": "busy", "57014": "busy", "53300": "busy", "25P03": "busy",
		"57P01": "unavailable", "57P03": "unavailable", "08006": "unavailable",
		"53100": "unavailable", "58030": "unavailable", "25006": "unavailable",
		"22021": "bad_body", "22P05": "bad_body",
		"23505": "internal", "42P01": "internal", "42501": "internal", "22003": "internal",
	} {
		err := fmt.Errorf("read: %w", &pgconn.PgError{Code: code})
		if got := fault.Of(postgres.Classify(err)).Code; got != want {
			t.Errorf("%s is published as %s, want %s", code, got, want)
		}
	}
	for err, want := range map[error]string{
		fmt.Errorf("receive: %w", io.ErrUnexpectedEOF): "unavailable", context.DeadlineExceeded: "unavailable",
		fmt.Errorf("mine: %w", fault.ErrNotFound): "not_found", errors.New("mine"): "internal",
	} {
		if got := fault.Of(postgres.Classify(err)).Code; got != want {
			t.Errorf("%v is published as %s, want %s", err, got, want)
		}
	}
	if postgres.Classify(nil) != nil {
		t.Error("no error became one")
	}
}

// T8: a text that PostgreSQL cannot store is an error of the sender.
func TestNULIsABadBody(t *testing.T) {
	db := shop(t)
	for _, text := range []string{"a\x00b", "a\xffb"} {
		err := postgres.InTx(t.Context(), db.Pool, write(t.Context(), 1, text))
		if !errors.Is(err, fault.ErrBadBody) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAViolationNamesItsConstraint(t *testing.T) {
	db := shop(t)
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO shelf VALUES (1)`)
	if !postgres.Violates(err, "shelf_pkey") || postgres.Violates(err, "other") || postgres.Code(err) != "23505" {
		t.Errorf("%v", err)
	}
	if postgres.Code(errors.New("mine")) != "" || postgres.Violates(nil, "shelf_pkey") {
		t.Error("what PostgreSQL did not say has no code")
	}
}

func TestThePoolExportsItsStatistics(t *testing.T) {
	db := shop(t)
	conn, err := postgres.Acquire(t.Context(), db.Pool)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	registry := prometheus.NewRegistry()
	registry.MustRegister(postgres.NewPoolCollector(map[string]*pgxpool.Pool{"main": db.Pool}))
	if got := testutil.CollectAndCount(postgres.NewPoolCollector(map[string]*pgxpool.Pool{"main": db.Pool})); got != 5 {
		t.Errorf("%d figures", got)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				figures[label.GetValue()] = metric.GetGauge().GetValue()
			}
		}
	}
	if figures["used"] != 1 || figures["max"] != postgres.MaxConns {
		t.Errorf("the pool shows %v", figures)
	}
}

// An acknowledged commit is durable, or the service does not start.
func TestAServerThatCanLoseCommitsIsRejected(t *testing.T) {
	db := shop(t)
	pool, err := postgres.Open(t.Context(), db.URL+"&options=-csynchronous_commit%3Doff", postgres.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if err := postgres.AssertDurable(t.Context(), pool); err == nil {
		t.Error("a server with synchronous_commit=off was accepted")
	}
}
