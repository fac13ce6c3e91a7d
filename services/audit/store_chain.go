package audit

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// digestColumn reads a digest from a bytea column.
type digestColumn chain.Digest

// errDigest is returned for a column whose value is not a digest, which only a manual edit can cause.
var errDigest = errors.New("the column holds no digest")

// ScanBytes implements pgtype.BytesScanner.
func (d *digestColumn) ScanBytes(data []byte) error {
	if len(data) != chain.Size {
		return errDigest
	}
	copy(d[:], data)
	return nil
}

func scanHead(row pgx.CollectableRow) (chain.Head, error) {
	var head chain.Head
	err := row.Scan(&head.N, (*digestColumn)(&head.Digest))
	return head, err
}

const selectHead = `SELECT n, digest FROM chain_head`

// storedHead returns the head that the service wrote last.
func storedHead(ctx context.Context, tx pgx.Tx) (chain.Head, error) {
	rows, err := tx.Query(ctx, selectHead)
	if err != nil {
		return chain.Head{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanHead)
}

// lockHead returns the head like storedHead and locks its row until the transaction ends, so that only one writer at a
// time extends the chain and n has no gaps.
func (s *store) lockHead(ctx context.Context, tx pgx.Tx) (chain.Head, error) {
	rows, err := tx.Query(ctx, selectHead+` FOR UPDATE`)
	if err != nil {
		return chain.Head{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanHead)
}

// Events are compared by id, because a restored source publishes its history again in a new epoch with the same ids.
const selectKnown = `SELECT event_id::text FROM audit_records WHERE event_id = ANY($1::uuid[])`

func (s *store) knownEvents(ctx context.Context, tx pgx.Tx, events []outbox.Event) (map[string]bool, error) {
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

var recordColumns = []string{
	"n", "source", "epoch", "seq", "event_id", "entity", "entity_id", "action",
	"actor_id", "actor_name", "actor_email", "actor_role", "ip", "request_id", "version", "created_at",
	"old_values", "new_values", "old_digest", "new_digest", "prev", "digest",
}

const moveHead = `UPDATE chain_head SET n = $1, digest = $2`

// addRecords inserts rows with the columns of recordColumns and updates the head of the chain.
func (s *store) addRecords(ctx context.Context, tx pgx.Tx, rows [][]any, head chain.Head) error {
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"audit_records"}, recordColumns, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, moveHead, head.N, head.Digest[:])
	return err
}

// selectRecords selects the columns of recordColumns, in their order.
const selectRecords = `
SELECT n, source, epoch::text, seq, event_id::text, entity, entity_id, action,
  actor_id, actor_name, actor_email, actor_role, ip, request_id, version, created_at,
  old_values, new_values, old_digest, new_digest, prev, digest
FROM audit_records WHERE n > $1 ORDER BY n`

// storedRecord has the values of a record that its verification needs.
type storedRecord struct {
	chain.Record
	covered  covered
	old, new []byte // JSON, nil for none
}

// eachRecord calls check with each record after n, in order. For a column that is not a digest it passes errDigest.
// Rows are streamed, because the trail may be larger than memory.
func eachRecord(ctx context.Context, tx pgx.Tx, n int64, check func(storedRecord, error) error) error {
	rows, err := tx.Query(ctx, selectRecords, n)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		r := storedRecord{Record: chain.Record{Values: make([]chain.Digest, 2)}}
		c := &r.covered
		err := rows.Scan(&r.N, &c.Source, &c.Epoch, &c.Seq, &c.EventID, &c.Entity, &c.EntityID, &c.Action,
			&c.ActorID, &c.ActorName, &c.ActorEmail, &c.ActorRole, &c.IP, &c.RequestID, &c.Version, &c.CreatedAt,
			&r.old, &r.new, (*digestColumn)(&r.Values[0]), (*digestColumn)(&r.Values[1]),
			(*digestColumn)(&r.Before), (*digestColumn)(&r.Digest))
		if err := check(r, err); err != nil {
			return err
		}
	}
	return rows.Err()
}

const selectDigest = `SELECT digest FROM audit_records WHERE n = $1`

// digestOf returns the stored digest of record n. found is false if there is no such record.
func digestOf(ctx context.Context, tx pgx.Tx, n int64) (digest chain.Digest, found bool, err error) {
	err = tx.QueryRow(ctx, selectDigest, n).Scan((*digestColumn)(&digest))
	if errors.Is(err, pgx.ErrNoRows) {
		return digest, false, nil
	}
	return digest, err == nil, err
}

const selectAnchors = `SELECT n, digest FROM chain_anchors ORDER BY n`

func storedAnchors(ctx context.Context, tx pgx.Tx) ([]chain.Head, error) {
	rows, err := tx.Query(ctx, selectAnchors)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanHead)
}

const selectLastAnchor = `SELECT n, digest FROM chain_anchors ORDER BY n DESC LIMIT 1`

// lastAnchor returns the newest anchor, or the zero Head if there is none.
func lastAnchor(ctx context.Context, tx pgx.Tx) (chain.Head, error) {
	rows, err := tx.Query(ctx, selectLastAnchor)
	if err != nil {
		return chain.Head{}, err
	}
	found, err := pgx.CollectRows(rows, scanHead)
	if err != nil || len(found) == 0 {
		return chain.Head{}, err
	}
	return found[0], nil
}

// Two replicas may anchor the same head.
const insertAnchor = `INSERT INTO chain_anchors (n, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`

func (s *store) addAnchor(ctx context.Context, head chain.Head) error {
	_, err := s.pool.Exec(ctx, insertAnchor, head.N, head.Digest[:])
	return postgres.Classify(err)
}
