package testkit

import (
	"context"
	"encoding/hex"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Find answers in which tables of the database, as "table: text", any of the texts stands: in any column of any row,
// as a dump would show it, bytes included.
func (d *Database) Find(t testing.TB, texts ...string) (found []string) {
	t.Helper()
	ctx := context.Background()
	owner := d.Owner(t)
	rows, err := owner.Query(ctx, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	for _, table := range tables {
		for _, text := range texts {
			var stands bool
			query := `SELECT EXISTS (SELECT FROM ` + pgx.Identifier{table}.Sanitize() + ` r WHERE strpos(r::text, $1) > 0 OR strpos(r::text, $2) > 0)`
			if err := owner.QueryRow(ctx, query, text, hex.EncodeToString([]byte(text))).Scan(&stands); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
			if stands {
				found = append(found, table+": "+text)
			}
		}
	}
	return found
}
