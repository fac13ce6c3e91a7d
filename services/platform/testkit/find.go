package testkit

import (
	"context"
	"encoding/hex"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Find returns each table of the database that contains one of the texts, as "table: text". It searches every column of
// every row, bytea columns included.
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
			var contains bool
			query := `SELECT EXISTS (SELECT FROM ` + pgx.Identifier{table}.Sanitize() + ` r
				WHERE strpos(r::text, $1) > 0 OR strpos(r::text, $2) > 0)`
			if err := owner.QueryRow(ctx, query, text, hex.EncodeToString([]byte(text))).Scan(&contains); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
			if contains {
				found = append(found, table+": "+text)
			}
		}
	}
	return found
}
