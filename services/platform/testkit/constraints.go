package testkit

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// selectConstraints omits goose's tables and the tables of the packages in services/platform.
const selectConstraints = `
SELECT c.relname || ': ' || i.relname FROM pg_index x
  JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace AND c.relname !~ $1
UNION ALL
SELECT c.relname || ': ' || k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE k.contype IN ('c', 'x') AND c.relnamespace = 'public'::regnamespace AND c.relname !~ $1`

const ofPlatform = `^(goose_|retention_|outbox$|stream_head$|feed_cursor$|idempotency$)`

// EveryConstraint fails unless known lists each unique index, CHECK and EXCLUDE of the service's own tables once, as
// "table: name, name". The keys of known say why none of the listed constraints causes a 500: which fault a violation
// becomes, or why no request can violate them.
func EveryConstraint(t testing.TB, db *Database, known map[string][]string) {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), selectConstraints, ofPlatform)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, tables := range known {
		for _, one := range tables {
			table, names, _ := strings.Cut(one, ": ")
			for name := range strings.SplitSeq(names, ", ") {
				times[table+": "+name]++
			}
		}
	}
	for _, name := range found {
		if times[name] != 1 {
			t.Errorf("%q stands %d times in the list of constraints, want once", name, times[name])
		}
		delete(times, name)
	}
	for name := range times {
		t.Errorf("%q is in the list, not in the database", name)
	}
}
