package visits

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// keyed is one request under an idempotency key; the zero keyed has no key and is never replayed.
type keyed struct {
	actor, route, key string
	body              [sha256.Size]byte
}

// keyOf makes a keyed of a request; body is what the request means, so that two texts of one meaning agree.
func keyOf(actor, route, key string, body any) (keyed, error) {
	if key == "" {
		return keyed{}, nil
	}
	if len(key) < 8 || len(key) > 128 || !visibleASCII(key) {
		return keyed{}, fault.Field("Idempotency-Key", "A key has 8 to 128 visible characters.")
	}
	text, err := json.Marshal(body)
	return keyed{actor: actor, route: route, key: key, body: sha256.Sum256(text)}, err
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// A key older than a day is free again.
const reserveKey = `
INSERT INTO idempotency (actor_id, route, idem_key, body_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (actor_id, route, idem_key) DO UPDATE SET body_hash = EXCLUDED.body_hash, answer = NULL, created_at = now()
WHERE idempotency.created_at < now() - interval '24 hours'`

const readKey = `SELECT body_hash, answer FROM idempotency WHERE actor_id = $1 AND route = $2 AND idem_key = $3`

// reserve is the first statement of the transaction: whoever comes second with the same key waits here for the
// first. It reports the stored answer of an earlier request in into.
func (k keyed) reserve(ctx context.Context, tx pgx.Tx, into any) (replayed bool, err error) {
	if k.key == "" {
		return false, nil
	}
	tag, err := tx.Exec(ctx, reserveKey, k.actor, k.route, k.key, k.body[:])
	if postgres.Code(err) == "55P03" {
		return false, errBusyKey
	}
	if err != nil || tag.RowsAffected() == 1 {
		return false, err
	}
	var hash, answer []byte
	if err := tx.QueryRow(ctx, readKey, k.actor, k.route, k.key).Scan(&hash, &answer); err != nil {
		return false, err
	}
	if [sha256.Size]byte(hash) != k.body {
		return false, errKeyReused
	}
	return true, json.Unmarshal(answer, into)
}

const storeAnswer = `UPDATE idempotency SET answer = $4 WHERE actor_id = $1 AND route = $2 AND idem_key = $3`

// store keeps the answer for whoever comes with the same key again.
func (k keyed) store(ctx context.Context, tx pgx.Tx, answer any) error {
	if k.key == "" {
		return nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, storeAnswer, k.actor, k.route, k.key, text)
	return err
}

const forgetKeys = `DELETE FROM idempotency WHERE created_at < now() - interval '24 hours'`

// ForgetOldKeys deletes keys older than a day, every hour, until ctx ends.
func (s *Service) ForgetOldKeys(ctx context.Context) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if _, err := s.store.pool.Exec(ctx, forgetKeys); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "old idempotency keys stay another hour", "cause", err)
			}
		}
	}
}
