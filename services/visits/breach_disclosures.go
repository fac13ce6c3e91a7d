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

// disclosures are the users who have read or handled each visit in the period of a report. The access log is
// aggregated here, row by row: PostgreSQL would sort its millions of ids as text.
type disclosures struct {
	args     postgres.Args
	seen     map[[16]byte]disclosure // by visit
	sets     readerSets
	handlers map[int64][]string // users who have handled a visit, by handledKey
	readers  map[readerCall]*breachReader
}

// disclosure is the set of a visit's readers, and the number of the user and call that was counted last for it.
type disclosure struct{ set, way int32 }

type readerCall struct{ user, call string }

func newDisclosures(args postgres.Args) *disclosures {
	return &disclosures{args: args, seen: map[[16]byte]disclosure{}, sets: newReaderSets(), handlers: map[int64][]string{}, readers: map[readerCall]*breachReader{}}
}

func (s *disclosures) read(ctx context.Context, tx pgx.Tx) error {
	if err := s.readLog(ctx, tx); err != nil {
		return err
	}
	return s.readHandled(ctx, tx)
}

// inOrder returns the readers sorted by user and call.
func (s *disclosures) inOrder() []*breachReader {
	all := make([]*breachReader, 0, len(s.readers))
	for _, reader := range s.readers {
		all = append(all, reader)
	}
	slices.SortFunc(all, func(a, b *breachReader) int {
		return cmp.Or(strings.Compare(a.UserID, b.UserID), strings.Compare(a.Call, b.Call))
	})
	return all
}

// count adds a number of visits that a user has read by one call between two times.
func (s *disclosures) count(user, call string, visits int, first, last time.Time) {
	reader := s.readers[readerCall{user, call}]
	if reader == nil {
		reader = &breachReader{UserID: user, Call: call, First: wire.Time(first), Last: wire.Time(last)}
		s.readers[readerCall{user, call}] = reader
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

// selectLog is ordered by user and call, so that a visit that is read twice is recognized by its last disclosure.
const selectLog = bounds + `
SELECT user_id, call, at, visit_ids FROM bounds, access_log WHERE at >= begins AND at < ends ORDER BY user_id, call`

const selectIDs = `SELECT id FROM visits WHERE phone = @phone`

func (s *disclosures) readLog(ctx context.Context, tx pgx.Tx) error {
	var only map[[16]byte]bool // the visits of the phone in the request; nil: all
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
	var before readerCall
	var at time.Time
	var ids pgtype.FlatArray[pgtype.UUID]
	way := int32(0)
	_, err = pgx.ForEachRow(rows, []any{&user, &call, &at, &ids}, func() error {
		if now := (readerCall{user, call}); now != before || way == 0 {
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
			s.seen[id.Bytes] = disclosure{set: s.sets.with(known.set, user), way: way}
		}
		if any {
			s.count(user, call, fresh, at, at)
		}
		return nil
	})
	return err
}

// Users who handle a visit are not in the access log, but its data is disclosed to them: the users who registered and
// decided it, its consultant from the decision on, and an admin who started or completed it for the consultant.
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

// handledKey is equal for visits that were handled by the same users.
const handledKey = `hash_record_extended(ROW(registered, decided, assigned, started, completed), 0)`

// A million visits are handled by few distinct groups of users: one row for each group.
const selectHandled = handled + `
SELECT ` + handledKey + `, registered, decided, assigned, started, completed, started_instead, completed_instead, count(*),
  min(created_at), max(created_at), min(decided_at), max(decided_at), min(started_at), max(started_at), min(completed_at), max(completed_at)
FROM handled GROUP BY registered, decided, assigned, started, completed, started_instead, completed_instead`

func (s *disclosures) readHandled(ctx context.Context, tx pgx.Tx) error {
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

// readerSets interns sets of users: a million visits have few distinct sets of readers.
type readerSets struct {
	all  [][]string
	at   map[string]int32 // index in all, by members
	grew map[growth]int32
}

type growth struct {
	set  int32
	user string
}

// newReaderSets returns a readerSets with one set: 0, the empty set.
func newReaderSets() readerSets {
	return readerSets{all: [][]string{nil}, at: map[string]int32{"": 0}, grew: map[growth]int32{}}
}

func (r *readerSets) of(set int32) []string { return r.all[set] }

// with returns the set that has the members of set and user.
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
