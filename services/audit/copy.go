package audit

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/outbox"
)

const lockHead = `SELECT n, digest FROM chain_head FOR UPDATE`

// A restored source publishes its history again in a new epoch; events keep their ids.
const selectKnown = `SELECT event_id::text FROM audit_records WHERE event_id = ANY($1::uuid[])`

const moveHead = `UPDATE chain_head SET n = $1, digest = $2`

var recordColumns = []string{
	"n", "source", "epoch", "seq", "event_id", "entity", "entity_id", "action", "actor_id", "actor_name", "actor_email", "actor_role",
	"ip", "request_id", "version", "created_at", "old_values", "new_values", "old_digest", "new_digest", "prev", "digest",
}

// copyEvents adds a record for each event that has none yet. The head's row lock makes writers take turns, so that
// n has no gap.
func (a *Audit) copyEvents(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	var head chain.Head
	if err := tx.QueryRow(ctx, lockHead).Scan(&head.N, (*digestColumn)(&head.Digest)); err != nil {
		return err
	}
	known, err := knownEvents(ctx, tx, events)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, event := range events {
		if known[event.ID] {
			continue
		}
		r, err := recordOf(event)
		if err != nil {
			return err
		}
		row, next := a.link(head, r)
		rows, head = append(rows, row), next
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"audit_records"}, recordColumns, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, moveHead, head.N, head.Digest[:]); err != nil {
		return err
	}
	return redactErased(ctx, tx, events)
}

func knownEvents(ctx context.Context, tx pgx.Tx, events []outbox.Event) (map[string]bool, error) {
	ids := make([]string, len(events))
	for i, event := range events {
		ids[i] = event.ID
	}
	rows, err := tx.Query(ctx, selectKnown, ids)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	known := make(map[string]bool, len(found))
	for _, id := range found {
		known[id] = true
	}
	return known, err
}

// link is the row of a record that follows head, in the order of recordColumns, and the head after it.
func (a *Audit) link(head chain.Head, r record) ([]any, chain.Head) {
	e, actor := r.event, actorOf(r.event)
	covered := covered{
		Source: e.Source, Epoch: e.Epoch, Seq: e.Seq, EventID: e.ID, Entity: e.Subject.Entity, EntityID: e.Subject.ID, Action: r.action,
		ActorID: actor.ID, ActorName: actor.Name, ActorEmail: actor.Email, ActorRole: actor.Role, IP: actor.IP,
		RequestID: e.RequestID, Version: e.Version, CreatedAt: time.Time(e.Time),
	}
	old, new := a.options.Key.Values(r.old), a.options.Key.Values(r.new)
	next := a.options.Key.Next(head, covered.fields(), old, new)
	return []any{
		next.N, covered.Source, covered.Epoch, covered.Seq, covered.EventID, covered.Entity, covered.EntityID, covered.Action,
		covered.ActorID, covered.ActorName, covered.ActorEmail, covered.ActorRole, covered.IP, covered.RequestID, covered.Version, covered.CreatedAt,
		r.old, r.new, old[:], new[:], head.Digest[:], next.Digest[:],
	}, next
}

// covered is the part of a record that the chain covers directly, without its values.
type covered struct {
	Source, Epoch                             string
	Seq                                       int64
	EventID, Entity, EntityID, Action         string
	ActorID, ActorName, ActorEmail, ActorRole string
	IP, RequestID                             string
	Version                                   int64
	CreatedAt                                 time.Time
}

// fields are the texts the digest is made of. Their order is part of the chain: it never changes.
func (c covered) fields() []string {
	return []string{
		c.Source, c.Epoch, strconv.FormatInt(c.Seq, 10), c.EventID, c.Entity, c.EntityID, c.Action,
		c.ActorID, c.ActorName, c.ActorEmail, c.ActorRole, c.IP, c.RequestID, strconv.FormatInt(c.Version, 10),
		strconv.FormatInt(c.CreatedAt.UnixMicro(), 10),
	}
}
