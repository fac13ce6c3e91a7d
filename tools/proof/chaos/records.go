package chaos

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
	"baari.dev/tools/stack"
)

const (
	feedHead = `SELECT epoch::text, head, (SELECT count(*) FROM outbox WHERE seq IS NULL) FROM stream_head WHERE stream = $1`
	feedRows = `SELECT seq, event_id::text, entity, entity_id, type, version, coalesce(actor->>'id', ''), request_id, after
FROM outbox WHERE seq IS NOT NULL ORDER BY seq`
	wholeTrail = `SELECT n, epoch::text, seq, event_id::text, source, entity, entity_id, action, version, actor_id, request_id,
  CASE WHEN entity = 'access' THEN (new_values->>'count')::integer ELSE 0 END
FROM audit_records ORDER BY n`
)

// ownedRows select the records of a service as JSON, with the field names of its events.
var ownedRows = []struct{ source, entity, query string }{
	{"auth", "user", `SELECT id, json_build_object('name', name, 'email', email, 'role', role, 'isActive', is_active)
FROM users WHERE deleted_at IS NULL`},
	{"directory", "service", `SELECT id::text, json_build_object('name', name, 'description', description, 'est_minutes', est_minutes, 'is_active', is_active)
FROM services`},
	{"directory", "consultant", `SELECT id, json_build_object('name', name, 'specialization', specialization, 'isActive', is_active) FROM consultants`},
	{"directory", "appointment", `SELECT id::text, json_build_object('name', name, 'phone', phone, 'service', service, 'status', status, 'message', message)
FROM appointments`},
	{"realtime", "notification", `SELECT id::text, json_build_object('message', message, 'type', type, 'target_roles', target_roles) FROM notifications`},
}

// readRecords collects the evidence about the records of every service: feeds, trail, owners' tables and the totals
// of lists.
func (r *run) readRecords(ctx context.Context, e *checker.Evidence) error {
	e.Feeds, e.Rows = map[string]checker.Feed{}, map[checker.Subject]map[string]any{}
	for _, service := range stack.Services {
		err := r.database(ctx, service, func(connection *pgx.Conn) error {
			feed, err := readFeed(ctx, connection, service)
			e.Feeds[service] = feed
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, owned := range ownedRows {
		if err := r.database(ctx, owned.source, func(connection *pgx.Conn) error {
			return readOwned(ctx, connection, checker.Subject{Source: owned.source, Entity: owned.entity}, owned.query, e.Rows)
		}); err != nil {
			return err
		}
	}
	return r.database(ctx, "audit", func(connection *pgx.Conn) error { return readEntries(ctx, connection, e) })
}

func readFeed(ctx context.Context, connection *pgx.Conn, source string) (feed checker.Feed, err error) {
	if err := connection.QueryRow(ctx, feedHead, source).Scan(&feed.Epoch, &feed.Head, &feed.Unnumbered); err != nil {
		return feed, err
	}
	rows, err := connection.Query(ctx, feedRows)
	if err != nil {
		return feed, err
	}
	feed.Rows, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (is checker.Row, err error) {
		is.Subject.Source = source
		return is, row.Scan(&is.Seq, &is.EventID, &is.Subject.Entity, &is.Subject.ID, &is.Type, &is.Version, &is.Actor, &is.RequestID, &is.After)
	})
	return feed, err
}

func readOwned(ctx context.Context, connection *pgx.Conn, kind checker.Subject, query string, into map[checker.Subject]map[string]any) error {
	rows, err := connection.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var values map[string]any
		if err := rows.Scan(&kind.ID, &values); err != nil {
			return err
		}
		into[kind] = values
	}
	return rows.Err()
}

func readEntries(ctx context.Context, connection *pgx.Conn, e *checker.Evidence) error {
	rows, err := connection.Query(ctx, wholeTrail)
	if err != nil {
		return err
	}
	defer rows.Close()
	kept := map[string]map[string]int64{}
	for source, feed := range e.Feeds {
		kept[source] = seqByEvent(feed)
	}
	for rows.Next() {
		var is checker.Entry
		err := rows.Scan(&is.N, &is.Epoch, &is.Seq, &is.EventID, &is.Subject.Source, &is.Subject.Entity, &is.Subject.ID, &is.Action, &is.Version,
			&is.Actor, &is.RequestID, &is.Count)
		if err != nil {
			return err
		}
		_, again := kept[is.Subject.Source][is.EventID]
		if again || !checker.TakenBack(e.Restores, is.Subject.Source, is.Epoch, is.Seq) {
			e.Entries = append(e.Entries, is)
		}
	}
	return rows.Err()
}

// seqByEvent returns the numbers of a feed's events by event id. An event without a number in the copied database
// gets a new one after the restore, and keeps its record.
func seqByEvent(feed checker.Feed) map[string]int64 {
	seqs := make(map[string]int64, len(feed.Rows))
	for _, row := range feed.Rows {
		seqs[row.EventID] = row.Seq
	}
	return seqs
}

// readTotals reads the totals of the product's lists.
func (o *office) readTotals(ctx context.Context, e *checker.Evidence) error {
	var services struct{ Services []struct{} }
	if err := o.admin.Call(ctx, http.MethodGet, "/api/services", nil, &services); err != nil {
		return err
	}
	var consultants struct{ Consultants []struct{} }
	if err := o.admin.Call(ctx, http.MethodGet, "/api/users/consultants", nil, &consultants); err != nil {
		return err
	}
	e.Totals = map[string]int{"service": len(services.Services), "consultant": len(consultants.Consultants)}
	for entity, path := range map[string]string{"user": "/api/users?page=1&limit=1", "appointment": "/api/appointments?page=1&limit=1"} {
		var page struct{ Pagination struct{ Total int } }
		if err := o.admin.Call(ctx, http.MethodGet, path, nil, &page); err != nil {
			return err
		}
		e.Totals[entity] = page.Pagination.Total
	}
	return nil
}
