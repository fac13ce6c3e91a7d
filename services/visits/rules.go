//go:build !mutant

package visits

import "io/fs"

// The lines on which the promises rest. rules_mutant.go breaks them one by one, to show that the proof finds it.

// nextNumbers counts the day's tokens. The row's lock orders all who create.
const nextNumbers = `
  INSERT INTO day_counter (day, last) VALUES ((now() AT TIME ZONE @zone)::date, @count)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + @count
  RETURNING day, last`

// mayChange is whose visit may be changed. Whether its consultant is free, the index one_session_per_consultant decides.
const mayChange = `(@owner::text IS NULL OR consultant_id = @owner)`

// shape is the database's: the migrations as they are.
func shape(migrations fs.FS) fs.FS { return migrations }
