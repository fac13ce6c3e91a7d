// Package outbox makes sure that a committed change is told: the event is a row in the change's own
// transaction, one relay numbers the rows without gaps and publishes them, and the feed answers
// whoever missed one.
package outbox

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/propagation"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations makes the tables outbox and stream_head.
func Migrations() postgres.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return postgres.Set{Name: "outbox", Files: files}
}

// Actor is who made a change.
type Actor struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Role  string `json:"role"`
	IP    string `json:"ip"`
}

// Subject is what was changed.
type Subject struct {
	Entity string `json:"entity"`
	ID     string `json:"id"`
}

// Event is a committed change as every consumer reads it.
type Event struct {
	ID          string         `json:"id"`
	Source      string         `json:"source"`
	Epoch       string         `json:"epoch"`
	Seq         int64          `json:"seq"`
	Type        string         `json:"type"`
	Time        wire.Time      `json:"time"`
	RequestID   string         `json:"request_id"`
	Actor       *Actor         `json:"actor"`
	Subject     Subject        `json:"subject"`
	Version     int64          `json:"version"`
	Before      jsontext.Value `json:"before"`
	After       jsontext.Value `json:"after"`
	Traceparent string         `json:"traceparent"`
}

// Channel is the Redis channel on which a source's events are published.
func Channel(source string) string { return "baari:events:" + source }

// wakeChannel tells the relay of another replica that there is work.
func wakeChannel(source string) string { return "baari:wake:" + source }

// Change is what a writer tells of its change; the rest of the event comes from the context.
type Change struct {
	Type     string
	Entity   string
	EntityID string
	Version  int64 // 0 when the entity has no versions
	Before   any   // nil for something new
	After    any
	Actor    *Actor     // nil: the signed-in caller of the context
	At       *time.Time // when it happened, for history that is imported; nil: now
}

// Outbox is the writing side of one service.
type Outbox struct {
	source string
	pool   *pgxpool.Pool
	wake   chan struct{}
}

// New makes the outbox of the service source over pool.
func New(source string, pool *pgxpool.Pool) *Outbox {
	return &Outbox{source: source, pool: pool, wake: make(chan struct{}, 1)}
}

// InTx runs work in one transaction and wakes the relay once it is committed, never before.
func (o *Outbox) InTx(ctx context.Context, work func(pgx.Tx) error) error {
	if err := o.transact(ctx, work); err != nil {
		return err
	}
	o.Wake()
	return nil
}

// Wake tells the relay that rows were committed.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// All rows go in one statement: where many requests share a transaction, one for each would cost more than the rows.
const insertChanges = `
INSERT INTO outbox (type, entity, entity_id, version, actor, before, after, request_id, traceparent, created_at)
SELECT type, entity, entity_id, version, actor, before, after, request_id, traceparent, coalesce(at, clock_timestamp())
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::jsonb[], $6::jsonb[], $7::jsonb[], $8::text[], $9::text[], $10::timestamptz[])
  AS told(type, entity, entity_id, version, actor, before, after, request_id, traceparent, at)`

// Told is a change of one request among several that share a transaction.
type Told struct {
	Context context.Context // of the request: its caller, id and trace
	Change  Change
}

// Append writes changes of one request into the transaction that makes them.
func Append(ctx context.Context, tx pgx.Tx, changes ...Change) error {
	all := make([]Told, len(changes))
	for i, change := range changes {
		all[i] = Told{ctx, change}
	}
	return AppendAll(ctx, tx, all...)
}

// AppendAll writes changes of several requests into the transaction that makes them all; each is told as its own request's.
func AppendAll(ctx context.Context, tx pgx.Tx, all ...Told) error {
	if len(all) == 0 {
		return nil
	}
	var rows columns
	for _, told := range all {
		if err := rows.add(told.Context, told.Change); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(insertChanges, rows.types, rows.entities, rows.ids, rows.versions, rows.json[0], rows.json[1], rows.json[2], rows.requests, rows.traces, rows.times)
	return write(ctx, tx, batch)
}

// columns are the rows of changes as insertChanges takes them.
type columns struct {
	types, entities, ids []string
	versions             []int64
	json                 [3][][]byte // actor, before and after; nil is NULL
	requests, traces     []string
	times                []*time.Time
}

func (r *columns) add(ctx context.Context, c Change) error {
	info := request.From(ctx)
	actor := c.Actor
	if caller, ok := identity.From(ctx); ok && actor == nil {
		actor = &Actor{ID: caller.ID, Name: caller.Name, Email: caller.Email, Role: caller.Role, IP: info.Address}
	}
	for i, value := range []any{actor, c.Before, c.After} {
		var data []byte
		if value != nil && (i > 0 || actor != nil) {
			var err error
			if data, err = json.Marshal(value); err != nil {
				return fmt.Errorf("encode %s: %w", c.Type, err)
			}
		}
		r.json[i] = append(r.json[i], data)
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	r.types, r.entities, r.ids, r.versions = append(r.types, c.Type), append(r.entities, c.Entity), append(r.ids, c.EntityID), append(r.versions, c.Version)
	r.requests, r.traces, r.times = append(r.requests, info.ID), append(r.traces, carrier["traceparent"]), append(r.times, c.At)
	return nil
}
