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

// erased is the action of the record that must follow a redaction, because only an erasure may remove values.
const erased = "erased"

// Report describes a verified chain.
type Report struct {
	Head     chain.Head
	Redacted int64 // records whose values were erased
}

// Verify checks the chain from its first record to its head. It returns a *chain.BadError with the first record that
// was changed, swapped, added or removed, also at the end. anchors are heads that were stored outside the database,
// for example in the log. Verify reads one snapshot; the service may write at the same time.
func Verify(ctx context.Context, conn *pgx.Conn, key chain.Key, anchors ...chain.Head) (Report, error) {
	var report Report
	err := pgx.BeginTxFunc(ctx, conn, long, func(tx pgx.Tx) (err error) {
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

// fits returns a *chain.BadError unless the earlier heads are on the chain that ends at the given head.
func fits(ctx context.Context, tx pgx.Tx, last chain.Head, earlier []chain.Head) error {
	for _, head := range earlier {
		switch {
		case head.N > last.N:
			return &chain.BadError{N: last.N + 1, Reason: fmt.Sprintf("it is missing: the chain reached %d", head.N)}
		case head.N == 0:
			continue
		}
		digest, found, err := digestOf(ctx, tx, head.N)
		switch {
		case err != nil:
			return err
		case !found:
			return &chain.BadError{N: head.N, Reason: "it is missing, and was anchored"}
		case digest != head.Digest:
			return &chain.BadError{N: head.N, Reason: "it is not the record that was anchored"}
		}
	}
	return nil
}

// walk checks records one after the other.
type walk struct {
	key      chain.Key
	head     chain.Head // head of the checked records
	redacted int64
	open     map[string]int64 // number of the first redacted record of each subject whose erasure has not been read yet
}

func newWalk(key chain.Key, from chain.Head) *walk {
	return &walk{key: key, head: from, open: map[string]int64{}}
}

func (w *walk) run(ctx context.Context, tx pgx.Tx) error {
	return eachRecord(ctx, tx, w.head.N, w.check)
}

// check checks the next record. err is the error that occurred when it was read.
func (w *walk) check(r storedRecord, err error) error {
	if errors.Is(err, errDigest) {
		return &chain.BadError{N: w.head.N + 1, Reason: "it was changed"}
	}
	if err != nil {
		return err
	}
	r.Fields = r.covered.fields()
	if w.head, err = w.key.Follow(w.head, r.Record); err != nil {
		return err
	}
	return w.checkValues(r)
}

// checkValues compares the values with their digests. Redacted values are allowed if the subject's erasure follows.
func (w *walk) checkValues(r storedRecord) error {
	subject := r.covered.Entity + " " + r.covered.EntityID
	gone := false
	for i, values := range [][]byte{r.old, r.new} {
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
	if r.covered.Action == erased {
		delete(w.open, subject)
	}
	return nil
}

// allErased returns a *chain.BadError for the first redacted record whose subject was not erased.
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
	return &chain.BadError{N: first, Reason: "its values were removed without an erasure of their subject"}
}
