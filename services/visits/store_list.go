package visits

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// list has the statements of a list: whole, and its changes. Both use one selection of the visits that belong to it.
type list struct{ whole, changes string }

var (
	// listToday has the visits of the office's day.
	listToday = newList(`SELECT * FROM visits WHERE office_day = (now() AT TIME ZONE @zone)::date`)

	// listAssigned has a consultant's visits of the day and those that earlier days left open.
	listAssigned = newList(`
SELECT * FROM visits WHERE office_day = (now() AT TIME ZONE @zone)::date AND consultant_id = @consultant
UNION
SELECT * FROM visits WHERE status IN ('approved', 'in-session') AND consultant_id = @consultant`)

	// listPending has the visits of all days without a decision.
	listPending = newList(`SELECT * FROM visits WHERE status = 'new'`)
)

func newList(selection string) list {
	return list{whole: wholeList(selection), changes: listChanges(selection)}
}

// The list and the feed's head are read in one statement: one snapshot. The outer join keeps the head's row when
// no visit is found.
func wholeList(selection string) string {
	return `
SELECT ` + columns + `,` + readPointColumns + lastColumns + `
FROM stream_head h LEFT JOIN (` + selection + `) v ON true` + lastJoin + `
WHERE h.stream = 'visits'
ORDER BY v.office_day, v.token_no`
}

// maxDifference is the largest number of events after which a list is answered as changes.
const maxDifference = 500

// An event that is committed and not numbered yet will have a number above the head, so it is after every position
// that has been answered. Before begins, events are deleted. A changed visit that is not in the list has left it; for a
// consultant only the visits count that were, or are, the consultant's own.
func listChanges(selection string) string {
	return `
WITH since AS (
  SELECT epoch::text = @epoch AND @seq::bigint BETWEEN greatest(begins - 1, head - @most) AND head
    AND (now() AT TIME ZONE @zone)::date::text = @day AS follows
  FROM stream_head WHERE stream = 'visits'
), changed AS MATERIALIZED (
  SELECT DISTINCT o.entity_id::uuid AS id
  FROM since JOIN outbox o ON since.follows
  WHERE o.entity = 'visit' AND (o.seq > @seq OR o.seq IS NULL)
    AND (@consultant = '' OR @consultant IN (o.before->>'consultantId', o.after->>'consultantId'))
)
SELECT ` + columns + `,` + readPointColumns + lastColumns + `, since.follows, changed.id::text
FROM since LEFT JOIN changed ON true LEFT JOIN (` + selection + `) v ON v.id = changed.id` + lastJoin + `
ORDER BY v.office_day, v.token_no`
}

// whole reads a list. consultant is the owner of listAssigned, and empty otherwise.
func (s *store) whole(ctx context.Context, l list, consultant string) (snapshots, error) {
	rows, err := collect(s.pool.Query(ctx, l.whole, postgres.Args{"zone": s.zone, "consultant": consultant}))
	return listRows(rows), err
}

// changes reads the visits of a list that changed after a position, and the ids of those that left it. follows is false
// when only the whole list is right: the position is of another epoch or day, or the events after it are too many or
// deleted.
func (s *store) changes(
	ctx context.Context, l list, consultant string, since position,
) (rows snapshots, removed []string, follows bool, err error) {
	found, err := s.pool.Query(ctx, l.changes, postgres.Args{
		"zone": s.zone, "consultant": consultant,
		"epoch": since.feed.Epoch, "seq": since.feed.Seq, "day": since.day, "most": maxDifference,
	})
	if err != nil {
		return rows, nil, false, err
	}
	all, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (snapshot, error) {
		var id *string
		read, err := scanSnapshotAnd(row, &follows, &id)
		if id != nil && read.Visit.ID == "" {
			removed = append(removed, *id)
		}
		return read, err
	})
	return listRows(all), removed, follows, err
}

// listRows removes the rows of NULLs that an outer join has.
func listRows(rows []snapshot) (list snapshots) {
	for _, row := range rows {
		list.At = row.At
		if row.Visit.ID != "" {
			list.Rows = append(list.Rows, row)
		}
	}
	return list
}
