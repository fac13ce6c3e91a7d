package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/postgres"
)

// redacted replaces values that were erased at a subject's request or by retention. The digest of the erased values
// remains, so that the chain can be verified.
const redacted = `{"redacted":true}`

// erased is the action of the record that must follow a redaction: values may only go with their subject.
const erased = "erased"

// Report describes a verified chain.
type Report struct {
	Head     chain.Head
	Redacted int64 // records whose values were erased
}

// Verify checks the chain from its first record to its head. It returns a *chain.BadError with the first record that was
// changed, removed, swapped, added or cut off. anchors are heads that were stored elsewhere, as in the log. It reads one
// snapshot; the service may write at the same time.
func Verify(ctx context.Context, conn *pgx.Conn, key chain.Key, anchors ...chain.Head) (Report, error) {
	var report Report
	err := pgx.BeginTxFunc(ctx, conn, beginSnapshot, func(tx pgx.Tx) (err error) {
		report, err = verifyIn(ctx, tx, key, anchors...)
		return err
	})
	return report, postgres.Classify(err)
}

func verifyIn(ctx context.Context, tx pgx.Tx, key chain.Key, anchors ...chain.Head) (Report, error) {
	walk := newWalk(key, chain.Head{})
	if err := walk.run(ctx, tx); err != nil {
		return Report{}, err
	}
	if err := walk.allErased(); err != nil {
		return Report{}, err
	}
	stored, err := storedHead(ctx, tx)
	if err != nil {
		return Report{}, err
	}
	kept, err := storedAnchors(ctx, tx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Head: walk.head, Redacted: walk.redacted}
	return report, fits(ctx, tx, walk.head, append(append(kept, anchors...), stored))
}

// fits returns a *chain.BadError unless the earlier heads in seen are on the chain that ends at last.
func fits(ctx context.Context, tx pgx.Tx, last chain.Head, seen []chain.Head) error {
	for _, head := range seen {
		switch {
		case head.N > last.N:
			return &chain.BadError{N: last.N + 1, Reason: fmt.Sprintf("it is missing: the chain reached %d", head.N)}
		case head.N == 0:
			continue
		}
		var digest digestColumn
		err := tx.QueryRow(ctx, selectDigest, head.N).Scan(&digest)
		if errors.Is(err, pgx.ErrNoRows) {
			return &chain.BadError{N: head.N, Reason: "it is missing, and was anchored"}
		}
		if err != nil {
			return err
		}
		if chain.Digest(digest) != head.Digest {
			return &chain.BadError{N: head.N, Reason: "it is not the record that was anchored"}
		}
	}
	return nil
}

const selectDigest = `SELECT digest FROM audit_records WHERE n = $1`

const selectHead = `SELECT n, digest FROM chain_head`

func storedHead(ctx context.Context, tx pgx.Tx) (chain.Head, error) {
	rows, err := tx.Query(ctx, selectHead)
	if err != nil {
		return chain.Head{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanHead)
}

const selectAnchors = `SELECT n, digest FROM chain_anchors ORDER BY n`

func storedAnchors(ctx context.Context, tx pgx.Tx) ([]chain.Head, error) {
	rows, err := tx.Query(ctx, selectAnchors)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanHead)
}

func scanHead(row pgx.CollectableRow) (chain.Head, error) {
	var head chain.Head
	err := row.Scan(&head.N, (*digestColumn)(&head.Digest))
	return head, err
}

// walk checks record after record.
type walk struct {
	key      chain.Key
	head     chain.Head
	redacted int64
	open     map[string]int64 // redacted subjects whose erasure was not met yet -> their first record
}

func newWalk(key chain.Key, from chain.Head) *walk {
	return &walk{key: key, head: from, open: map[string]int64{}}
}

const selectRecords = `
SELECT n, source, epoch::text, seq, event_id::text, entity, entity_id, action, actor_id, actor_name, actor_email, actor_role, ip, request_id,
  version, created_at, old_values, new_values, old_digest, new_digest, prev, digest
FROM audit_records WHERE n > $1 ORDER BY n`

// run checks all records after the current head. Rows are streamed: the trail may be larger than memory.
func (w *walk) run(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, selectRecords, w.head.N)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := w.check(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (w *walk) check(rows pgx.Rows) error {
	var c covered
	var old, new []byte
	r := chain.Record{Values: make([]chain.Digest, 2)}
	err := rows.Scan(&r.N, &c.Source, &c.Epoch, &c.Seq, &c.EventID, &c.Entity, &c.EntityID, &c.Action, &c.ActorID, &c.ActorName, &c.ActorEmail,
		&c.ActorRole, &c.IP, &c.RequestID, &c.Version, &c.CreatedAt, &old, &new,
		(*digestColumn)(&r.Values[0]), (*digestColumn)(&r.Values[1]), (*digestColumn)(&r.Before), (*digestColumn)(&r.Digest))
	if errors.Is(err, errDigest) {
		return &chain.BadError{N: w.head.N + 1, Reason: "it was changed"}
	}
	if err != nil {
		return err
	}
	r.Fields = c.fields()
	if w.head, err = w.key.Follow(w.head, r); err != nil {
		return err
	}
	return w.checkValues(c, r, old, new)
}

// checkValues holds the values against their digests. Redacted ones are allowed where the subject's erasure follows.
func (w *walk) checkValues(c covered, r chain.Record, old, new []byte) error {
	subject := c.Entity + " " + c.EntityID
	gone := false
	for i, values := range [][]byte{old, new} {
		switch {
		case w.key.Values(values) == r.Values[i]:
		case string(values) == redacted:
			gone = true
		default:
			return &chain.BadError{N: r.N, Reason: "its values were changed"}
		}
	}
	if gone {
		w.redacted++
		if _, known := w.open[subject]; !known {
			w.open[subject] = r.N
		}
	}
	if c.Action == erased {
		delete(w.open, subject)
	}
	return nil
}

// allErased returns an error with the first redaction that has no erasure.
func (w *walk) allErased() error {
	var first int64
	for _, n := range w.open {
		if first == 0 || n < first {
			first = n
		}
	}
	if first == 0 {
		return nil
	}
	return &chain.BadError{N: first, Reason: "its values were removed, and no erasure tells why"}
}
