// Package outbox publishes a service's committed changes (transactional outbox). It owns the tables outbox and
// stream_head: a change's event is inserted in the transaction of the change, one relay numbers the committed rows
// without gaps and publishes them on Redis, and the feed serves them by number to followers that missed a message.
//
// Start with Append in this file, which writes; then read relay.go, which numbers and publishes, and feed.go, which
// serves. event.go has what consumers read, epoch.go and retention.go change the stream. The reading side is package
// feed.
package outbox

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/propagation"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of the tables outbox and stream_head.
func Migrations() postgres.Set {
	return postgres.Embedded("outbox", migrations)
}

// Change has the parts of an event that its writer supplies; the rest comes from the request's context.
type Change struct {
	Type     string
	Entity   string
	EntityID string
	Version  int64 // 0 when the entity has no versions
	Before   any   // nil for a new entity
	After    any
	Actor    *Actor     // nil: the signed-in caller of the context
	At       *time.Time // time of the change, for imported history; nil: now
}

// Outbox writes the events of one service.
type Outbox struct {
	source string
	pool   *pgxpool.Pool
	wake   chan struct{}
}

// New returns the outbox of the service that source names, in the database of pool.
func New(source string, pool *pgxpool.Pool) *Outbox {
	return &Outbox{source: source, pool: pool, wake: make(chan struct{}, 1)}
}

// InTx runs work in one transaction and wakes the relay after commit. Errors are those of postgres.InTx.
func (o *Outbox) InTx(ctx context.Context, work func(pgx.Tx) error) error {
	if err := postgres.InTx(ctx, o.pool, work); err != nil {
		return err
	}
	o.Wake()
	return nil
}

// Wake wakes this replica's relay. Call it after a commit that InTx did not make.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// One statement inserts all rows, because round trips would cost more than the rows if many requests share a
// transaction.
const insertChanges = `
INSERT INTO outbox (type, entity, entity_id, version, actor, before, after, request_id, traceparent, created_at)
SELECT type, entity, entity_id, version, actor, before, after, request_id, traceparent, coalesce(at, clock_timestamp())
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::jsonb[], $6::jsonb[], $7::jsonb[],
            $8::text[], $9::text[], $10::timestamptz[])
  AS entry(type, entity, entity_id, version, actor, before, after, request_id, traceparent, at)`

// Entry is one request's change in a transaction that several requests share.
type Entry struct {
	Context context.Context // has the request's caller, id and trace
	Change  Change
}

// Append inserts the events of one request's changes. Call it in the transaction that makes the changes.
func Append(ctx context.Context, tx pgx.Tx, changes ...Change) error {
	all := make([]Entry, len(changes))
	for i, change := range changes {
		all[i] = Entry{ctx, change}
	}
	batch := &pgx.Batch{}
	if err := Queue(batch, all...); err != nil || batch.Len() == 0 {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("append to the outbox: %w", err)
	}
	return nil
}

// Queue adds to a batch the statement that inserts the events of several requests. Send the batch in the transaction
// that makes their changes. Each event has the actor, request id and trace of its own request.
func Queue(batch *pgx.Batch, all ...Entry) error {
	if len(all) == 0 {
		return nil
	}
	var rows columns
	for _, entry := range all {
		if err := rows.add(entry.Context, entry.Change); err != nil {
			return err
		}
	}
	batch.Queue(insertChanges, rows.arguments()...)
	return nil
}

// columns has the rows of changes in the form that insertChanges takes.
type columns struct {
	types, entities, ids []string
	versions             []int64
	json                 [3][][]byte // actor, before and after; nil is NULL
	requests, traces     []string
	times                []*time.Time
}

func (r *columns) arguments() []any {
	return []any{
		r.types, r.entities, r.ids, r.versions,
		r.json[0], r.json[1], r.json[2],
		r.requests, r.traces, r.times,
	}
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
	r.types = append(r.types, c.Type)
	r.entities = append(r.entities, c.Entity)
	r.ids = append(r.ids, c.EntityID)
	r.versions = append(r.versions, c.Version)
	r.requests = append(r.requests, info.ID)
	r.traces = append(r.traces, carrier["traceparent"])
	r.times = append(r.times, c.At)
	return nil
}
