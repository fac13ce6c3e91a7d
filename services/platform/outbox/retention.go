package outbox

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
)

// An actor without a user id is removed, because its address is personal data.
const redactEvents = `
UPDATE outbox SET before = before || $3, after = after || $3,
  actor = CASE WHEN actor->>'id' <> '' THEN actor END
WHERE entity = $1 AND entity_id = ANY($2)`

// Redact overwrites fields in the stored events of the entities. values is encoded as a JSON object, and its members
// are merged into "before" and "after" of each event. Redact also removes actors that were not signed in. Sequence
// numbers, types and times are unchanged.
func Redact(ctx context.Context, tx pgx.Tx, entity string, ids []string, values any) error {
	members, err := json.Marshal(values)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, redactEvents, entity, ids, members)
	return err
}

// moveBegin lets the stream begin at the first event that is not older than $2, or else after its last event.
const moveBegin = `
UPDATE stream_head SET begins = coalesce(
  (SELECT seq FROM outbox WHERE seq >= begins AND created_at >= $2 ORDER BY seq LIMIT 1), head + 1)
WHERE stream = $1`

// A rebuilt projection needs only the current state, which is the newest event of each subject.
const pruneEvents = `
DELETE FROM outbox WHERE id IN (
  SELECT o.id FROM outbox o
  WHERE o.seq < (SELECT begins FROM stream_head WHERE stream = $1)
    AND (o.entity <> ALL($2) OR EXISTS (
      SELECT FROM outbox newer WHERE newer.entity = o.entity AND newer.entity_id = o.entity_id AND newer.seq > o.seq))
  LIMIT $3)`

// The kept events lose their fields "before" and "actor".
const stripEvents = `
UPDATE outbox SET before = NULL, actor = NULL WHERE id IN (
  SELECT id FROM outbox
  WHERE seq < (SELECT begins FROM stream_head WHERE stream = $1) AND (before IS NOT NULL OR actor IS NOT NULL)
  LIMIT $2)`

const pruneBatch = 2000

// Prune deletes some of the events older than the time in before. For the entities in keep, the newest event of each
// subject is kept, without its fields "before" and "actor". The beginning of the feed moves forward. Prune returns the
// number of rows that it deleted or changed; 0: none are left.
func (o *Outbox) Prune(ctx context.Context, before time.Time, keep ...string) (int64, error) {
	if keep == nil {
		keep = []string{}
	}
	// This statement has its own transaction, so that the relay does not wait for the row of stream_head while events
	// are deleted.
	if _, err := o.pool.Exec(ctx, moveBegin, o.source, before); err != nil {
		return 0, err
	}
	pruned, err := o.pool.Exec(ctx, pruneEvents, o.source, keep, pruneBatch)
	if err != nil {
		return 0, err
	}
	stripped, err := o.pool.Exec(ctx, stripEvents, o.source, pruneBatch)
	return pruned.RowsAffected() + stripped.RowsAffected(), err
}
