package outbox

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
)

// Who was not signed in left nothing but an address, and that is personal, too.
const redactEvents = `
UPDATE outbox SET before = before || $3, after = after || $3,
  actor = CASE WHEN actor->>'id' <> '' THEN actor END
WHERE entity = $1 AND entity_id = ANY($2)`

// Redact puts the members of over, an object, in the place of those that the things' events tell, and forgets from
// where somebody who was not signed in came. Numbers, kinds and times of the events stay.
func Redact(ctx context.Context, tx pgx.Tx, entity string, ids []string, over any) error {
	members, err := json.Marshal(over)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, redactEvents, entity, ids, members)
	return err
}

// The first event that is young enough is where the stream begins from now on; without one it is the next to come.
const moveBegin = `
UPDATE stream_head SET begins = coalesce(
  (SELECT seq FROM outbox WHERE seq >= begins AND created_at >= $2 ORDER BY seq LIMIT 1), head + 1)
WHERE stream = $1`

// What a rebuilt projection needs of the past is how things stand: the newest event of each.
const pruneEvents = `
DELETE FROM outbox WHERE id IN (
  SELECT o.id FROM outbox o
  WHERE o.seq < (SELECT begins FROM stream_head WHERE stream = $1)
    AND (o.entity <> ALL($2) OR EXISTS (
      SELECT FROM outbox newer WHERE newer.entity = o.entity AND newer.entity_id = o.entity_id AND newer.seq > o.seq))
  LIMIT $3)`

// Of the events that stay, what was before and who did it is past its time.
const stripEvents = `
UPDATE outbox SET before = NULL, actor = NULL WHERE id IN (
  SELECT id FROM outbox
  WHERE seq < (SELECT begins FROM stream_head WHERE stream = $1) AND (before IS NOT NULL OR actor IS NOT NULL)
  LIMIT $2)`

// pruneBatch is the most rows that one statement takes.
const pruneBatch = 2000

// Prune deletes some of the events older than before and reports how many; 0: all are gone. Of things of the entities
// in keep the newest event stays, without what was before and without its actor. The feed says where the stream
// begins from then on.
func (o *Outbox) Prune(ctx context.Context, before time.Time, keep ...string) (int64, error) {
	if keep == nil {
		keep = []string{}
	}
	// The relay waits for this row, so it is let go before anything is deleted.
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
