package stack

import (
	"testing"
)

// Servers for tests keep their addresses, because Go caches a test result only for an unchanged environment.
func TestServersOfTestsKeepTheirAddresses(t *testing.T) {
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REDIS_URL", "")
	data := initialised(t)
	open := func() Servers {
		t.Helper()
		servers, err := StartDependencies(t.Context(), data, false, NewProgress(&output{}))
		if err != nil {
			t.Fatal(err)
		}
		return servers
	}
	first := open()
	other := open() // The first servers still run.
	other.Stop()
	if other.Postgres != first.Postgres || other.Redis != first.Redis {
		t.Errorf("another launcher has %s, %s, not %s, %s", other.Postgres, other.Redis, first.Postgres, first.Redis)
	}
	first.Stop()
	again := open()
	defer again.Stop()
	if again.Postgres != first.Postgres || again.Redis != first.Redis {
		t.Errorf("after a restart they are at %s, %s, not %s, %s", again.Postgres, again.Redis, first.Postgres, first.Redis)
	}
}
