package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

// anchorEvery is how often the head is kept elsewhere: what was cut off later than a minute ago is found.
const anchorEvery = time.Minute

// KeepAnchors checks and anchors the chain every minute until ctx ends.
func (a *Audit) KeepAnchors(ctx context.Context) error {
	ticker := time.NewTicker(anchorEvery)
	defer ticker.Stop()
	for {
		if err := a.Anchor(ctx); err != nil && ctx.Err() == nil {
			a.log.ErrorContext(ctx, "the audit trail was not anchored", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

const selectLastAnchor = `SELECT n, digest FROM chain_anchors ORDER BY n DESC LIMIT 1`

// Two replicas may anchor the same head.
const insertAnchor = `INSERT INTO chain_anchors (n, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`

// Anchor checks the records since the last anchor and writes the head to the log, the table of anchors and another service's database. A record
// that does not fit is a *chain.BadError; from then on nothing more is anchored, and baari_audit_chain_ok is 0.
func (a *Audit) Anchor(ctx context.Context) error {
	conn, err := a.feeds.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var last, head chain.Head
	err = pgx.BeginTxFunc(ctx, conn, beginSnapshot, func(tx pgx.Tx) error {
		anchors, err := tx.Query(ctx, selectLastAnchor)
		if err != nil {
			return err
		}
		found, err := pgx.CollectRows(anchors, scanHead)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			last = found[0]
		}
		walk := newWalk(a.options.Key, last)
		if err := walk.run(ctx, tx); err != nil {
			return err
		}
		if head, err = storedHead(ctx, tx); err != nil {
			return err
		}
		return fits(ctx, tx, walk.head, []chain.Head{head, last})
	})
	if err := a.judge(err); err != nil {
		return err
	}
	if head != last {
		a.log.InfoContext(ctx, "audit trail anchored", "n", head.N, "digest", head.Digest.String())
		if _, err = a.pool.Exec(ctx, insertAnchor, head.N, head.Digest[:]); err != nil {
			return err
		}
	}
	return a.keepElsewhere(ctx, head)
}

// keepElsewhere stores the head in another service, unless it was stored before. A failed request is repeated after a
// minute.
func (a *Audit) keepElsewhere(ctx context.Context, head chain.Head) error {
	if a.options.Keep == nil || head.N == 0 || head == a.kept {
		return nil
	}
	if err := a.options.Keep(ctx, head); err != nil {
		return fmt.Errorf("keep the anchor elsewhere: %w", err)
	}
	a.kept = head
	return nil
}

// KeepIn returns a function that stores heads in the service of client.
func KeepIn(client *identity.Client) func(context.Context, chain.Head) error {
	return func(ctx context.Context, head chain.Head) error {
		anchor := contract.AuditAnchor{N: head.N, Digest: head.Digest.String()}
		status, err := client.Call(ctx, http.MethodPost, "/internal/audit-anchors", anchor, &struct{}{})
		if err == nil && status >= http.StatusBadRequest {
			err = fmt.Errorf("it answered %d", status)
		}
		return err
	}
}

// judge sets the metric of the chain: a record that does not fit breaks the chain, an unavailable database does not.
func (a *Audit) judge(err error) error {
	var bad *chain.BadError
	switch {
	case errors.As(err, &bad):
		a.metrics.chainOK.Set(0)
	case err == nil:
		a.metrics.chainOK.Set(1)
	}
	return err
}
