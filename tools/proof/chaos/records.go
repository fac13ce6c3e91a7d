package chaos

import (
	"context"
	"maps"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

const (
	feedHead = `SELECT epoch::text, head, (SELECT count(*) FROM outbox WHERE seq IS NULL)
FROM stream_head WHERE stream = $1`
	feedRows = `SELECT seq, event_id::text, entity, entity_id, type, version, coalesce(actor->>'id', ''), request_id,
  traceparent, after, created_at
FROM outbox WHERE seq IS NOT NULL ORDER BY seq`
	entitiesSince = `SELECT DISTINCT entity FROM outbox WHERE seq > $1 OR seq IS NULL`
	trailCursors  = `SELECT source, epoch, seq FROM feed_cursor`
	wholeTrail    = `SELECT n, epoch::text, seq, event_id::text, source, entity, entity_id, action, version, actor_id,
  request_id, coalesce(old_values, '{}'), coalesce(new_values, '{}')
FROM audit_records ORDER BY n`
)

// ownedRows select the records of a service as JSON, with the field names of its events.
var ownedRows = []struct{ source, entity, query string }{
	{"auth", "user", `SELECT id, json_build_object('name', name, 'email', email, 'role', role, 'isActive', is_active)
FROM users WHERE deleted_at IS NULL`},
	{"directory", "service", `SELECT id::text, json_build_object('name', name, 'description', description,
  'est_minutes', est_minutes, 'is_active', is_active) FROM services`},
	{"directory", "consultant", `SELECT id, json_build_object('name', name, 'specialization', specialization,
  'serves', serves, 'isActive', is_active) FROM consultants`},
	{"directory", "appointment", `SELECT id::text, json_build_object('name', name, 'phone', phone, 'service', service,
  'status', status, 'message', message, 'preferredDate', preferred_date::text, 'preferredTime', preferred_time)
FROM appointments`},
	{"realtime", "notification", `SELECT id::text, json_build_object('message', message, 'type', type,
  'target_roles', target_roles) FROM notifications`},
}

// Time limits: until the trail has all events of the outboxes, and until no outbox has changed while all were read.
const (
	trailLimit   = 10 * time.Second
	readingLimit = 90 * time.Second
)

// readRecords reads the outboxes and, once the trail has applied them, the trail. A service may write the event of
// denied requests up to a minute after them: if an outbox has changed meanwhile, everything is read again. A row that
// stays without a number does not count as a change; the checker reports it.
func (r *run) readRecords(ctx context.Context, e *checker.Evidence) error {
	for begun := time.Now(); ; {
		if err := r.readFeeds(ctx, e); err != nil {
			return err
		}
		if err := r.awaitTrail(ctx); err != nil {
			return err
		}
		if err := r.readTrail(ctx, e); err != nil {
			return err
		}
		heads, err := r.readHeads(ctx)
		if err != nil || sameHeads(e.Feeds, heads) || time.Since(begun) > readingLimit {
			return err
		}
	}
}

// sameHeads reports whether the outboxes still have the same heads and the same number of rows without a number.
func sameHeads(read, now map[string]checker.Feed) bool {
	return maps.EqualFunc(read, now, func(a, b checker.Feed) bool {
		return a.Epoch == b.Epoch && a.Head == b.Head && a.Unnumbered == b.Unnumbered
	})
}

// awaitTrail waits until the trail has applied every row of the outboxes, or until the time limit.
func (r *run) awaitTrail(ctx context.Context) (err error) {
	poll(ctx, trailLimit, 200*time.Millisecond, func() bool {
		var heads, applied map[string]checker.Feed
		if heads, err = r.readHeads(ctx); err != nil {
			return true
		}
		applied, err = r.readCursors(ctx)
		return err != nil || reaches(applied, heads)
	})
	return err
}

// reaches reports whether the trail has applied every row up to the heads, and none is left without a number.
func reaches(applied, heads map[string]checker.Feed) bool {
	for source, head := range heads {
		at := applied[source]
		if head.Unnumbered > 0 || head.Head > 0 && (at.Epoch != head.Epoch || at.Head < head.Head) {
			return false
		}
	}
	return true
}

func (r *run) readHeads(ctx context.Context) (map[string]checker.Feed, error) {
	heads := map[string]checker.Feed{}
	for _, service := range stack.Services {
		var feed checker.Feed
		err := r.row(ctx, service, feedHead, []any{service}, &feed.Epoch, &feed.Head, &feed.Unnumbered)
		if err != nil {
			return nil, err
		}
		heads[service] = feed
	}
	return heads, nil
}

// changedSince returns the entities of the events that are after the heads or have no number.
func (r *run) changedSince(ctx context.Context, heads map[string]checker.Feed) (entities []string, err error) {
	for service, feed := range heads {
		err := r.each(ctx, service, entitiesSince, []any{feed.Head}, func(row pgx.CollectableRow) error {
			var entity string
			err := row.Scan(&entity)
			entities = append(entities, entity)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return entities, nil
}

// readCursors returns the head up to which the trail has applied each outbox.
func (r *run) readCursors(ctx context.Context) (map[string]checker.Feed, error) {
	applied := map[string]checker.Feed{}
	return applied, r.each(ctx, "audit", trailCursors, nil, func(row pgx.CollectableRow) error {
		var source string
		var at checker.Feed
		err := row.Scan(&source, &at.Epoch, &at.Head)
		applied[source] = at
		return err
	})
}

func (r *run) readFeeds(ctx context.Context, e *checker.Evidence) error {
	e.Outbox, e.Consents = nil, nil
	heads, err := r.readHeads(ctx)
	if err != nil {
		return err
	}
	e.Feeds = heads
	for service, feed := range heads {
		err := r.each(ctx, service, feedRows, nil, func(row pgx.CollectableRow) error {
			is, traceparent := checker.Row{Subject: checker.Subject{Source: service}}, ""
			err := row.Scan(&is.Seq, &is.EventID, &is.Subject.Entity, &is.Subject.ID, &is.Type, &is.Version,
				&is.Actor, &is.RequestID, &traceparent, &is.After, &is.At)
			is.RequestID = r.history.nameOf(is.RequestID, traceparent)
			feed.Rows = append(feed.Rows, is)
			return err
		})
		if err != nil {
			return err
		}
		e.Feeds[service] = feed
	}
	visits := e.Feeds["visits"]
	e.Head, e.Epoch = visits.Head, visits.Epoch
	for _, row := range visits.Rows {
		event := checker.Event{
			Seq: row.Seq, Type: row.Type, Version: row.Version, RequestID: row.RequestID, At: row.At,
			ByHand: row.After["byHand"] == true,
		}
		switch row.Subject.Entity {
		case "visit":
			event.Visit, event.After = row.Subject.ID, checker.StateOf(row.After)
		case "desk":
			event.Desk = row.Subject.ID
			event.DeskState, _ = row.After["state"].(string) // every event of a desk has a state
		case "consent":
			event.Consent = row.Subject.ID
			if row.After["purpose"] == "messages" {
				given := checker.Consent{Visit: row.Subject.ID, Seq: row.Seq, Given: row.Type == "consent_given", At: row.At}
				e.Consents = append(e.Consents, given)
			}
		}
		e.Outbox = append(e.Outbox, event)
	}
	return nil
}

func (r *run) readOwners(ctx context.Context, e *checker.Evidence) error {
	e.Rows, e.Serves = map[checker.Subject]map[string]any{}, map[string][]string{}
	for _, owned := range ownedRows {
		err := r.each(ctx, owned.source, owned.query, nil, func(row pgx.CollectableRow) error {
			subject := checker.Subject{Source: owned.source, Entity: owned.entity}
			var values map[string]any
			err := row.Scan(&subject.ID, &values)
			e.Rows[subject] = values
			if owned.entity == "consultant" {
				e.Serves[subject.ID] = texts(values["serves"])
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func texts(list any) (texts []string) {
	all, _ := list.([]any)
	for _, one := range all {
		if text, is := one.(string); is {
			texts = append(texts, text)
		}
	}
	return texts
}

// projections has queries for the pairs of status and stage in the projections of two services, each with one visit.
var projections = []struct{ service, query string }{
	{"audit", `SELECT DISTINCT ON (1, 2) status,
  coalesce(stage, CASE status WHEN 'approved' THEN 'waiting' ELSE status END), id::text FROM visits`},
	{"directory", `SELECT DISTINCT ON (1, 2) status,
  coalesce(stage, CASE status WHEN 'approved' THEN 'waiting' ELSE status END), id::text FROM assigned_visits`},
}

// readProjections reads the pairs of status and stage in the projections, and which desks call pinned visitors only.
func (r *run) readProjections(ctx context.Context, e *checker.Evidence) error {
	if e.Pairs == nil {
		e.Pairs = map[checker.Pair]string{}
	}
	for _, projection := range projections {
		err := r.each(ctx, projection.service, projection.query, nil, func(row pgx.CollectableRow) error {
			pair, id := checker.Pair{Where: projection.service}, ""
			err := row.Scan(&pair.Status, &pair.Stage, &id)
			e.Pairs[pair] = id
			return err
		})
		if err != nil {
			return err
		}
	}
	e.PinsOnly = map[string]bool{}
	desks := `SELECT consultant_id, state = 'last' FROM desks`
	return r.each(ctx, "visits", desks, nil, func(row pgx.CollectableRow) error {
		var id string
		var last bool
		err := row.Scan(&id, &last)
		e.PinsOnly[id] = last
		return err
	})
}

// readTrail reads the audit trail without the records of events that a restore undid.
func (r *run) readTrail(ctx context.Context, e *checker.Evidence) error {
	e.Entries, e.Records = nil, nil
	kept := map[string]map[string]int64{}
	for source, feed := range e.Feeds {
		kept[source] = seqByEvent(feed)
	}
	return r.each(ctx, "audit", wholeTrail, nil, func(row pgx.CollectableRow) error {
		var is checker.Entry
		var was, now map[string]any
		err := row.Scan(&is.N, &is.Epoch, &is.Seq, &is.EventID, &is.Subject.Source, &is.Subject.Entity, &is.Subject.ID,
			&is.Action, &is.Version, &is.Actor, &is.RequestID, &was, &now)
		if err != nil {
			return err
		}
		is.RequestID = r.history.nameOf(is.RequestID, "")
		undone := checker.TakenBack(e.Restores, is.Subject.Source, is.Epoch, is.Seq)
		seq, again := kept[is.Subject.Source][is.EventID]
		if undone && !again {
			return nil
		}
		if count, counts := now["count"].(float64); counts && is.Subject.Entity == "access" {
			is.Count = int(count)
		}
		e.Entries = append(e.Entries, is)
		if is.Subject.Source != "visits" || is.Subject.Entity != "visit" {
			return nil
		}
		if !undone {
			seq = is.Seq
		}
		e.Records = append(e.Records, checker.Record{
			N: is.N, Visit: is.Subject.ID, Action: is.Action, RequestID: is.RequestID, Version: is.Version, Seq: seq,
			Old: was, New: now,
		})
		return nil
	})
}

// seqByEvent returns the numbers of a feed's events, keyed by event id. An event that had no number in the copied
// database gets a new one after the restore, and keeps its record.
func seqByEvent(feed checker.Feed) map[string]int64 {
	seqs := make(map[string]int64, len(feed.Rows))
	for _, row := range feed.Rows {
		seqs[row.EventID] = row.Seq
	}
	return seqs
}

func (c *crew) readTotals(ctx context.Context, e *checker.Evidence) error {
	var services struct{ Services []struct{} }
	if err := c.admin.Call(ctx, http.MethodGet, "/api/services", nil, &services); err != nil {
		return err
	}
	var consultants struct{ Consultants []struct{} }
	if err := c.admin.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &consultants); err != nil {
		return err
	}
	e.Totals = map[string]int{"service": len(services.Services), "consultant": len(consultants.Consultants)}
	for entity, path := range map[string]string{
		"user": "/api/users?page=1&limit=1", "appointment": "/api/appointments?page=1&limit=1",
	} {
		var page struct{ Pagination struct{ Total int } }
		if err := c.admin.Call(ctx, http.MethodGet, path, nil, &page); err != nil {
			return err
		}
		e.Totals[entity] = page.Pagination.Total
	}
	return nil
}
