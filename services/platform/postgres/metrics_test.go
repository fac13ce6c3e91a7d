package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
)

// An open transaction is measured whether the service or, in a migration, the owner has begun it. Neither role can see
// the other's sessions by itself.
func TestTheLongestTransactionIncludesTheOwners(t *testing.T) {
	t.Parallel()
	admin, as := unmade(t)
	owner, app := as("owner", "one"), as("app", "two")
	if err := postgres.Provision(t.Context(), admin, owner, app); err != nil {
		t.Fatal(err)
	}
	role, err := postgres.RoleOf(app)
	if err != nil {
		t.Fatal(err)
	}
	if err := postgres.Migrate(t.Context(), owner, role); err != nil {
		t.Fatal(err)
	}
	pool, err := postgres.Open(t.Context(), app, postgres.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if age := longest(t, pool); age != 0 {
		t.Errorf("nothing is open, and the longest is %v s", age)
	}
	for _, who := range []string{owner, app} {
		conn := connect(t, who)
		if _, err := conn.Exec(t.Context(), `BEGIN; SELECT pg_sleep(0.2)`); err != nil {
			t.Fatal(err)
		}
		if age := longest(t, pool); age < 0.2 || age > 60 {
			t.Errorf("the longest is %v s", age)
		}
		if _, err := conn.Exec(t.Context(), `ROLLBACK`); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := connect(t, app).Exec(
		t.Context(),
		`CREATE OR REPLACE FUNCTION longest_owner_xact_seconds() RETURNS double precision LANGUAGE sql AS 'SELECT 0::float8'`,
	); postgres.Code(err) != "42501" {
		t.Errorf("the application's role may change the function: %v", err)
	}
}

func longest(t *testing.T, pool *pgxpool.Pool) float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(postgres.NewDatabaseCollector(pool))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "baari_pg_longest_xact_seconds" {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatal("the collector says nothing of it")
	return 0
}
