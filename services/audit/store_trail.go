package audit

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// A statement is the concatenation of head, condition, middle, condition and tail. It reads position, total and page
// from one snapshot. The outer joins return a row with position and total even if the page is empty. The counted rows
// are ordered like the page, so that PostgreSQL uses an index.
const (
	pageHead = `
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), t.total, r.n, r.entity, r.entity_id, r.action,
  r.actor_id, r.actor_name, r.actor_email, r.actor_role, r.ip, r.old_values, r.new_values, r.created_at,
  v.token, v.name
FROM (SELECT 1) one
LEFT JOIN feed_cursor p ON p.source = 'visits'
CROSS JOIN LATERAL (
  SELECT count(*) AS total FROM (SELECT FROM audit_records WHERE `
	pageMiddle = `
    ORDER BY created_at DESC, n DESC LIMIT @counted + 1) c
) t
LEFT JOIN LATERAL (
  SELECT * FROM audit_records WHERE `
	pageTail = `
  ORDER BY created_at DESC, n DESC LIMIT @limit OFFSET @skip
) r ON @skip < @counted` + visitOfRecord + `
ORDER BY r.created_at DESC, r.n DESC`

	// The pattern is necessary, because the trail accepts every text as an id, and only a UUID can be cast.
	visitOfRecord = `
LEFT JOIN visits v ON v.id = CASE
  WHEN r.entity IN ('visit', 'visit_documents', 'consent', 'message', 'link')
    AND r.entity_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN r.entity_id::uuid END`

	onDays = `created_at >= coalesce(@start::date::timestamp AT TIME ZONE @zone, '-infinity')
  AND created_at < coalesce((@end::date + 1)::timestamp AT TIME ZONE @zone, 'infinity')`
	ofEntity   = `entity = @entity AND ` + onDays
	ofEntityID = `entity_id = @entity_id AND (@entity = '' OR entity = @entity) AND ` + onDays

	// Only the newest matching visits until @end are read, @counted at most. If @entity is empty, they suffice for
	// @counted records: each visit has a record, and none of the visit's records is older than its day.
	foundHead = `entity IN ('visit', 'visit_documents', 'consent', 'message', 'link') AND entity_id = ANY (ARRAY(
    SELECT id::text FROM visits WHERE `
	foundTail = ` AND day <= coalesce(@end::date, 'infinity') ORDER BY day DESC LIMIT @counted))
  AND (@entity = '' OR entity = @entity) AND (@entity_id = '' OR entity_id = @entity_id) AND ` + onDays
	ofToken = foundHead + `(token = @token OR token_also = @token)` + foundTail
	ofName  = foundHead + nameWords + ` @@ to_tsquery('simple', @words)` + foundTail
	// The expression of the index visits_name_words. Without translate, PostgreSQL reads S.Kumar as one word.
	nameWords = `to_tsvector('simple', translate(name, './:@_-', '      '))`

	selectOnDays     = pageHead + onDays + pageMiddle + onDays + pageTail
	selectOfEntity   = pageHead + ofEntity + pageMiddle + ofEntity + pageTail
	selectOfEntityID = pageHead + ofEntityID + pageMiddle + ofEntityID + pageTail
	selectOfToken    = pageHead + ofToken + pageMiddle + ofToken + pageTail
	selectOfName     = pageHead + ofName + pageMiddle + ofName + pageTail
)

// Records' numbers have no gaps, so any page of the whole trail is found by number. The head's number is the total.
const selectAll = `
SELECT coalesce(p.epoch, ''), coalesce(p.seq, 0), h.n, r.n, r.entity, r.entity_id, r.action,
  r.actor_id, r.actor_name, r.actor_email, r.actor_role, r.ip, r.old_values, r.new_values, r.created_at,
  v.token, v.name
FROM chain_head h
LEFT JOIN feed_cursor p ON p.source = 'visits'
LEFT JOIN LATERAL (
  SELECT * FROM audit_records WHERE n <= h.n - @skip ORDER BY n DESC LIMIT @limit
) r ON true` + visitOfRecord + `
ORDER BY r.n DESC`

// statement returns the statement that reads the filter's page by an index.
func (f Filter) statement() string {
	switch {
	case f.none():
		return selectAll
	case f.Query != "" && searchOf(f.Query).token != "":
		return selectOfToken
	case f.Query != "":
		return selectOfName
	case f.EntityID != "":
		return selectOfEntityID
	case f.Entity != "":
		return selectOfEntity
	}
	return selectOnDays
}

func (s *store) page(ctx context.Context, f Filter, page, limit int) (Trail, error) {
	var trail Trail
	find := searchOf(f.Query)
	rows, err := s.pool.Query(ctx, f.statement(), postgres.Args{
		"entity": f.Entity, "entity_id": f.EntityID, "start": wire.TextOf(f.StartDate), "end": wire.TextOf(f.EndDate),
		"zone": s.zone, "skip": (page - 1) * limit, "limit": limit, "counted": counted,
		"token": find.token, "words": find.words,
	})
	if err != nil {
		return trail, postgres.Classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		e, err := trail.scan(rows)
		if err != nil {
			return trail, postgres.Classify(err)
		}
		if e.N > 0 {
			trail.Entries = append(trail.Entries, e)
		}
	}
	if !f.none() && trail.Total > counted {
		trail.Total, trail.Capped = counted, true
	}
	return trail, postgres.Classify(rows.Err())
}

// scan reads one row. N is 0 when the page is empty and the row only has position and total.
func (t *Trail) scan(rows pgx.Rows) (Entry, error) {
	var e Entry
	text := func(s *string) *zeronull.Text { return (*zeronull.Text)(s) }
	err := rows.Scan(&t.At.Epoch, &t.At.Seq, &t.Total,
		(*zeronull.Int8)(&e.N), text(&e.Entity), text(&e.EntityID), text(&e.Action),
		text(&e.ActorID), text(&e.ActorName), text(&e.ActorEmail), text(&e.ActorRole), text(&e.IP),
		(*[]byte)(&e.Old), (*[]byte)(&e.New), (*zeronull.Timestamptz)(&e.CreatedAt), text(&e.Token), text(&e.Visitor))
	return e, err
}
