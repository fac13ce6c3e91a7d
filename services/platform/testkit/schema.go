package testkit

import (
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// Earlier returns the sets, without the newest migration of each set that has more than one.
func Earlier(t testing.TB, sets ...postgres.Set) []postgres.Set {
	t.Helper()
	earlier := make([]postgres.Set, 0, len(sets))
	for _, set := range sets {
		names, err := fs.Glob(set.Files, "*.sql")
		if err != nil || len(names) == 0 {
			t.Fatalf("%s has no migrations: %v", set.Name, err)
		}
		if len(names) > 1 {
			set.Files = without{set.Files, slices.Max(names)}
		}
		earlier = append(earlier, set)
	}
	return earlier
}

type without struct {
	fs.FS
	hidden string
}

// Open implements fs.FS.
func (w without) Open(name string) (fs.File, error) {
	if name == w.hidden {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	file, err := w.FS.Open(name)
	if folder, ok := file.(fs.ReadDirFile); ok {
		return &listing{folder, w.hidden}, err
	}
	return file, err
}

type listing struct {
	fs.ReadDirFile
	hidden string
}

// ReadDir implements fs.ReadDirFile.
func (l *listing) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := l.ReadDirFile.ReadDir(n)
	entries = slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return entry.Name() == l.hidden })
	if n > 0 && len(entries) == 0 && err == nil {
		err = io.EOF
	}
	return entries, err
}

// MigratesToTheSame fails unless the newest migrations change an earlier database, so that it equals a new one (T24).
func MigratesToTheSame(t testing.TB, sets ...postgres.Set) {
	t.Helper()
	grown := NewDatabase(t, Earlier(t, sets...)...)
	before := Catalog(t, grown.Owner(t))
	if err := postgres.Migrate(t.Context(), grown.OwnerURL, appRole, sets...); err != nil {
		t.Fatal(err)
	}
	after := Catalog(t, grown.Owner(t))
	if slices.Equal(before, after) {
		t.Error("the newest migrations change nothing that the comparison sees")
	}
	SameCatalog(t, after, Catalog(t, NewDatabase(t, sets...).Owner(t)))
}

// SameCatalog fails the test for each line that only one of the two catalogs (see Catalog) has.
func SameCatalog(t testing.TB, grown, fresh []string) {
	t.Helper()
	for _, line := range grown {
		if !slices.Contains(fresh, line) {
			t.Errorf("only the migrated database has %s", line)
		}
	}
	for _, line := range fresh {
		if !slices.Contains(grown, line) {
			t.Errorf("only the new database has %s", line)
		}
	}
}

// catalog selects the schema: relations, columns, constraints, indexes, privileges, row policies, triggers, functions.
const catalog = `
SELECT 'relation ' || relname || ' ' || relkind::text || ' ' || relrowsecurity::text || ' ' ||
  relforcerowsecurity::text || ' ' || coalesce(array_to_string(reloptions, ','), '') || ' ' ||
  coalesce(array_to_string(ARRAY(SELECT a::text FROM unnest(relacl) a ORDER BY 1), ','), '')
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v', 'm')
UNION ALL
SELECT 'column ' || c.relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' ||
  attnotnull::text || ' ' || attidentity::text || ' ' || attgenerated::text || ' ' ||
  coalesce(pg_get_expr(adbin, adrelid), '') || ' ' || coalesce(array_to_string(attacl, ','), '')
FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT 'constraint ' || conrelid::regclass::text || '.' || conname || ' ' || pg_get_constraintdef(oid) || ' ' ||
  convalidated::text
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT 'index ' || pg_get_indexdef(indexrelid) || ' ' || indisvalid::text
FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'policy ' || tablename || '.' || policyname || ' ' || permissive || ' ' || roles::text || ' ' || cmd || ' ' ||
  coalesce(qual, '') || ' ' || coalesce(with_check, '')
FROM pg_policies WHERE schemaname = 'public'
UNION ALL
SELECT 'trigger ' || pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
UNION ALL
SELECT 'function ' || pg_get_functiondef(oid) || ' ' || coalesce(array_to_string(proacl, ','), '')
FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
ORDER BY 1`

// Catalog returns the schema of a database, a line for each object.
func Catalog(t testing.TB, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), catalog)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "relation outbox ") }) {
		t.Fatalf("the catalog of %d lines has no table outbox", len(lines))
	}
	return lines
}
