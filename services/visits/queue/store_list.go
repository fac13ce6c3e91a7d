package queue

import (
	"context"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
)

// list has the two statements of a list, for the whole list and for its changes. Both use one selection of visits.
type list struct{ whole, changes string }

var (
	listToday = newList(`SELECT * FROM visits WHERE office_day = (now() AT TIME ZONE @zone)::date`, row.ByToken)

	// listAssigned has a consultant's visits of the day, and visits of earlier days that are open or were completed today.
	listAssigned = newList(`
SELECT * FROM visits WHERE office_day = (now() AT TIME ZONE @zone)::date AND consultant_id = @consultant
UNION
SELECT * FROM visits WHERE status IN ('approved', 'in-session') AND consultant_id = @consultant
UNION
SELECT * FROM visits WHERE consultant_id = @consultant AND completed_at >= `+row.StartOfToday, row.ByToken)

	// listPending has the undecided visits of all days.
	listPending = newList(`SELECT * FROM visits WHERE status = 'new'`, row.OldestFirst)
)

func newList(selection, order string) list {
	return list{whole: wholeList(selection, order), changes: listChanges(selection, order)}
}

// The list and the feed's head are read in one statement, so from one snapshot. The outer join keeps the head's row
// when no visit is found.
func wholeList(selection, order string) string {
	return `
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastColumns + `
FROM stream_head h LEFT JOIN (` + selection + `) v ON true` + row.LastJoin + `
WHERE h.stream = 'visits'
ORDER BY ` + order
}

// maxChanges is the largest number of events for which a response has only the changes, not the whole list.
const maxChanges = 500

// A committed event without a number will get a number above the head, so it is after every position that was sent.
// Events below stream_head.begins may have been deleted. A changed visit that is not in the list has left it. A
// consultant gets only changes of visits that are or were assigned to that consultant.
func listChanges(selection, order string) string {
	return `
WITH since AS (
  SELECT epoch::text = @epoch AND @seq::bigint BETWEEN greatest(begins - 1, head - @most) AND head
    AND (now() AT TIME ZONE @zone)::date::text = @day AS continues
  FROM stream_head WHERE stream = 'visits'
), changed AS MATERIALIZED (
  SELECT DISTINCT o.entity_id::uuid AS id
  FROM since JOIN outbox o ON since.continues
  WHERE o.entity IN ('visit', 'visit_documents') AND (o.seq BETWEEN @seq + 1 AND @seq + @most OR o.seq IS NULL)
    AND (@consultant = '' OR @consultant IN (o.before->>'consultantId', o.after->>'consultantId'))
)
SELECT ` + row.Columns + `,` + row.PointColumns + row.LastColumns + `, since.continues, changed.id::text
FROM since LEFT JOIN changed ON true LEFT JOIN (` + selection + `) v ON v.id = changed.id` + row.LastJoin + `
ORDER BY ` + order
}

// whole reads a list. consultant is the consultant of listAssigned, and "" for the other lists.
func (s *store) whole(ctx context.Context, l list, consultant string) (row.Snapshots, error) {
	rows, err := row.Collect(s.Pool.Query(ctx, l.whole, postgres.Args{"zone": s.Zone, "consultant": consultant}))
	return row.ListRows(rows), err
}

// changes are the changed visits of a list, and the ids of those that left it. continues is false if the whole list is
// needed: the position is of another epoch or day, or the events after it are too many or deleted.
type changes struct {
	row.Snapshots
	removed   []string
	continues bool
}

// changes reads the changes of a list after a position. consultant is as in whole.
func (s *store) changes(ctx context.Context, l list, consultant string, since feed.Since) (found changes, err error) {
	rows, err := s.Pool.Query(ctx, l.changes, postgres.Args{
		"zone": s.Zone, "consultant": consultant,
		"epoch": since.Epoch, "seq": since.Seq, "day": since.Day, "most": maxChanges,
	})
	if err != nil {
		return found, err
	}
	all, err := pgx.CollectRows(rows, func(one pgx.CollectableRow) (row.Snapshot, error) {
		var id *string
		read, err := row.ScanSnapshot(one, &found.continues, &id)
		if id != nil && read.Visit.ID == "" {
			found.removed = append(found.removed, *id)
		}
		return read, err
	})
	found.Snapshots = row.ListRows(all)
	return found, err
}
