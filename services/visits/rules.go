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

// oneAfterAnother lets one change at a time be made of a consultant's sessions: which of them is to begin waits for the one that ends. The index says
// whether it may; without the wait its time could be one at which the other had not ended.
const oneAfterAnother = `pg_advisory_xact_lock(hashtextextended('sessions:' || consultant_id, 0))`

// shape is the database's: the migrations as they are.
func shape(migrations fs.FS) fs.FS { return migrations }
