package visits

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// sights are who has seen or handled which visits in the time of a report. The access log is read row by row and put
// together here: PostgreSQL would sort each of its millions of sights by text.
type sights struct {
	args     postgres.Args
	seen     map[[16]byte]sight // by visit
	sets     readerSets
	handlers map[int64][]string // who has handled a visit, by its key
	readers  map[wayOfReading]*breachReader
}

// sight is who has seen a visit, as one of the sets of readers, and the way in which it was seen last.
type sight struct{ set, way int32 }

type wayOfReading struct{ user, call string }

func newSights(args postgres.Args) *sights {
	return &sights{args: args, seen: map[[16]byte]sight{}, sets: newReaderSets(), handlers: map[int64][]string{}, readers: map[wayOfReading]*breachReader{}}
}

func (s *sights) read(ctx context.Context, tx pgx.Tx) error {
	if err := s.readLog(ctx, tx); err != nil {
		return err
	}
	return s.readHandled(ctx, tx)
}

// inOrder are the readers by person and way.
func (s *sights) inOrder() []*breachReader {
	all := make([]*breachReader, 0, len(s.readers))
	for _, reader := range s.readers {
		all = append(all, reader)
	}
	slices.SortFunc(all, func(a, b *breachReader) int {
		return cmp.Or(strings.Compare(a.UserID, b.UserID), strings.Compare(a.Call, b.Call))
	})
	return all
}

// count notes that a person has had so many visits in one way, between two moments.
func (s *sights) count(user, call string, visits int, first, last time.Time) {
	reader := s.readers[wayOfReading{user, call}]
	if reader == nil {
		reader = &breachReader{UserID: user, Call: call, First: wire.Time(first), Last: wire.Time(last)}
		s.readers[wayOfReading{user, call}] = reader
	}
	reader.Visits += visits
	if first.Before(time.Time(reader.First)) {
		reader.First = wire.Time(first)
	}
	if last.After(time.Time(reader.Last)) {
		reader.Last = wire.Time(last)
	}
}

const bounds = `
WITH bounds AS (
  SELECT @from::date::timestamp AT TIME ZONE @zone AS begins, (@to::date + 1)::timestamp AT TIME ZONE @zone AS ends
)`

// selectLog brings what one person did in one way together, so that a visit seen twice is known by the last.
const selectLog = bounds + `
SELECT user_id, call, at, visit_ids FROM bounds, access_log WHERE at >= begins AND at < ends ORDER BY user_id, call`

const selectIDs = `SELECT id FROM visits WHERE phone = @phone`

func (s *sights) readLog(ctx context.Context, tx pgx.Tx) error {
	var only map[[16]byte]bool // the visits of the one person asked about
	if s.args["phone"] != "" {
		rows, err := tx.Query(ctx, selectIDs, s.args)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[[16]byte])
		if err != nil {
			return err
		}
		only = map[[16]byte]bool{}
		for _, id := range ids {
			only[id] = true
		}
	}
	rows, err := tx.Query(ctx, selectLog, s.args)
	if err != nil {
		return err
	}
	var user, call string
	var before wayOfReading
	var at time.Time
	var ids pgtype.FlatArray[pgtype.UUID]
	way := int32(0)
	_, err = pgx.ForEachRow(rows, []any{&user, &call, &at, &ids}, func() error {
		if now := (wayOfReading{user, call}); now != before || way == 0 {
			before = now
			way++
		}
		fresh, any := 0, false
		for _, id := range ids {
			if only != nil && !only[id.Bytes] {
				continue
			}
			any = true
			known := s.seen[id.Bytes]
			if known.way == way {
				continue
			}
			fresh++
			s.seen[id.Bytes] = sight{set: s.sets.with(known.set, user), way: way}
		}
		if any {
			s.count(user, call, fresh, at, at)
		}
		return nil
	})
	return err
}

// Who has handled a visit is not in the access log, but has seen it all the same: who registered or decided it, its
// consultant from the decision on, and who started or completed it in their place.
const handled = bounds + `, handled AS (
  SELECT id, phone, name, office_day, created_at, decided_at, started_at, completed_at,
    CASE WHEN created_at >= begins AND created_at < ends THEN created_by END AS registered,
    CASE WHEN decided_at >= begins AND decided_at < ends THEN decided_by END AS decided,
    CASE WHEN decided_at >= begins AND decided_at < ends THEN consultant_id END AS assigned,
    CASE WHEN started_at >= begins AND started_at < ends THEN started_by END AS started,
    CASE WHEN completed_at >= begins AND completed_at < ends THEN completed_by END AS completed,
    coalesce(started_by <> consultant_id, false) AS started_instead,
    coalesce(completed_by <> consultant_id AND completed_by <> started_by, false) AS completed_instead
  FROM bounds, visits WHERE @phone = '' OR phone = @phone
)`

// handledKey is the same for visits that the same persons have handled.
const handledKey = `hash_record_extended(ROW(registered, decided, assigned, started, completed), 0)`

// A million visits were handled by few different groups of persons: one row for each.
const selectHandled = handled + `
SELECT ` + handledKey + `, registered, decided, assigned, started, completed, started_instead, completed_instead, count(*),
  min(created_at), max(created_at), min(decided_at), max(decided_at), min(started_at), max(started_at), min(completed_at), max(completed_at)
FROM handled GROUP BY registered, decided, assigned, started, completed, started_instead, completed_instead`

func (s *sights) readHandled(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, selectHandled, s.args)
	if err != nil {
		return err
	}
	var key int64
	var registered, decided, assigned, started, completed *string
	var startedInstead, completedInstead bool
	var visits int
	var times [4]struct{ first, last *time.Time }
	into := []any{&key, &registered, &decided, &assigned, &started, &completed, &startedInstead, &completedInstead, &visits}
	for i := range times {
		into = append(into, &times[i].first, &times[i].last)
	}
	_, err = pgx.ForEachRow(rows, into, func() error {
		var by []string
		for _, one := range []struct {
			who   *string
			call  string
			when  int
			count bool
		}{{registered, "registered", 0, true}, {decided, "decided", 1, true}, {assigned, "attended", 1, true}, {started, "attended", 2, startedInstead}, {completed, "attended", 3, completedInstead}} {
			if one.who == nil {
				continue
			}
			by = append(by, *one.who)
			if one.count {
				s.count(*one.who, one.call, visits, *times[one.when].first, *times[one.when].last)
			}
		}
		s.handlers[key] = by
		return nil
	})
	return err
}

// readerSets are sets of persons, each kept once: a million visits have been seen by few different ones.
type readerSets struct {
	all  [][]string
	at   map[string]int32 // by their members
	grew map[growth]int32
}

type growth struct {
	set  int32
	user string
}

// newReaderSets has one set, the empty one, which is 0.
func newReaderSets() readerSets {
	return readerSets{all: [][]string{nil}, at: map[string]int32{"": 0}, grew: map[growth]int32{}}
}

func (r *readerSets) of(set int32) []string { return r.all[set] }

// with is the set that has user besides.
func (r *readerSets) with(set int32, user string) int32 {
	if known, ok := r.grew[growth{set, user}]; ok {
		return known
	}
	members := append(slices.Clone(r.all[set]), user)
	slices.Sort(members)
	members = slices.Compact(members)
	name := strings.Join(members, "\x00")
	known, ok := r.at[name]
	if !ok {
		known = int32(len(r.all))
		r.all = append(r.all, members)
		r.at[name] = known
	}
	r.grew[growth{set, user}] = known
	return known
}
