//go:build mutant

package visits

import (
	"io/fs"
	"testing/fstest"

	"baari.dev/services/platform/mutant"
)

var (
	nextNumbers = mutant.Choose("M10", // the highest number and one
		`
  INSERT INTO day_counter (day, last) VALUES ((now() AT TIME ZONE @zone)::date, @count)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + @count
  RETURNING day, last`,
		`
  SELECT today.day, (SELECT coalesce(max(token_no), 0) + @count FROM visits WHERE office_day = today.day) AS last
  FROM (SELECT (now() AT TIME ZONE @zone)::date AS day) today`)
	mayChange = mutant.Choose("M3", // a look whether the consultant is free, in the place of the index
		`(@owner::text IS NULL OR consultant_id = @owner)`,
		`(@owner::text IS NULL OR consultant_id = @owner) AND (@to <> 'in-session' OR NOT EXISTS (
      SELECT FROM visits other WHERE other.consultant_id = visits.consultant_id AND other.status = 'in-session'))`)
	oneAfterAnother = mutant.Choose("M3", `pg_advisory_xact_lock(hashtextextended('sessions:' || consultant_id, 0))`, `NULL`)
)

// shape, in M3 and M10, lacks the constraint that would keep the rule all the same.
func shape(migrations fs.FS) fs.FS {
	lacks := map[string]string{
		"M3":  `DROP INDEX one_session_per_consultant;`,
		"M10": `ALTER TABLE visits DROP CONSTRAINT visits_office_day_token_no_key;`,
	}
	for id, statement := range lacks {
		if mutant.Is(id) {
			return without(migrations, "-- +goose Up\n"+statement)
		}
	}
	return migrations
}

// without adds a last migration.
func without(migrations fs.FS, statement string) fs.FS {
	files := fstest.MapFS{"9999_mutant.sql": {Data: []byte(statement)}}
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		panic(err) // the pattern is the one above
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			panic(err) // the files are embedded
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}
