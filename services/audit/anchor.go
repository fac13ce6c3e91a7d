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

// anchorEvery is the interval between anchors. An anchor reveals a deletion of records at the end of the trail, unless
// all of the deleted records were added since the last anchor.
const anchorEvery = time.Minute

// KeepAnchors checks and anchors the chain every minute until ctx ends.
func (s *Service) KeepAnchors(ctx context.Context) error {
	ticker := time.NewTicker(anchorEvery)
	defer ticker.Stop()
	for {
		if err := s.Anchor(ctx); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "the audit trail was not anchored", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// Anchor checks the records since the last anchor and writes a new head to the log, the table of anchors and another
// service's database. If a record breaks the chain, Anchor returns a *chain.BadError and sets baari_audit_chain_ok to
// 0. It writes no anchor while the chain is broken.
func (s *Service) Anchor(ctx context.Context) error {
	last, head, err := s.checkSinceAnchor(ctx)
	if err := s.updateMetric(err); err != nil {
		return err
	}
	if head != last {
		s.log.InfoContext(ctx, "audit trail anchored", "n", head.N, "digest", head.Digest.String())
		if err := s.store.addAnchor(ctx, head); err != nil {
			return err
		}
	}
	return s.keepElsewhere(ctx, head)
}

func (s *Service) checkSinceAnchor(ctx context.Context) (last, head chain.Head, err error) {
	conn, err := s.store.feeds.Acquire(ctx)
	if err != nil {
		return last, head, err
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, long, func(tx pgx.Tx) error {
		if last, err = lastAnchor(ctx, tx); err != nil {
			return err
		}
		walk := newWalk(s.options.Key, last)
		if err := walk.run(ctx, tx); err != nil {
			return err
		}
		if head, err = storedHead(ctx, tx); err != nil {
			return err
		}
		return fits(ctx, tx, walk.head, []chain.Head{head, last})
	})
	return last, head, err
}

// keepElsewhere stores the head in another service, unless it has just stored the same head or the trail is empty. If
// the request fails, the next call of Anchor repeats it.
func (s *Service) keepElsewhere(ctx context.Context, head chain.Head) error {
	if s.options.Keep == nil || head == s.kept {
		return nil
	}
	if err := s.options.Keep(ctx, head); err != nil {
		return fmt.Errorf("keep the anchor elsewhere: %w", err)
	}
	s.kept = head
	return nil
}

// KeepIn returns a function that stores a head in the service that client calls.
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

// updateMetric sets the metric of the chain and returns err. A BadError means that the chain is broken; other errors,
// such as an unavailable database, do not change the metric.
func (s *Service) updateMetric(err error) error {
	var bad *chain.BadError
	switch {
	case errors.As(err, &bad):
		s.metrics.chainOK.Set(0)
	case err == nil:
		s.metrics.chainOK.Set(1)
	}
	return err
}
