package privacy

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
)

// The exclusive lock waits while visits of paired desks or lobby are being registered, so that the erasure finds them.
// Later registrations find the mark.
const (
	lockErasures      = `SELECT pg_advisory_xact_lock(hashtextextended('erasures', 0))`
	lockErasuresShare = `SELECT pg_advisory_xact_lock_shared(hashtextextended('erasures', 0))`

	insertErased = `
INSERT INTO erased_phones (salt, mark)
SELECT salt, sha256(salt || convert_to(@phone, 'UTF8')) FROM (SELECT uuid_send(gen_random_uuid())) AS s (salt)`

	selectErasedSince = `
SELECT EXISTS (SELECT FROM erased_phones
  WHERE erased_at >= @since AND mark = sha256(salt || convert_to(@phone, 'UTF8')))`

	forgetErasedPhones = `DELETE FROM erased_phones WHERE erased_at < now() - interval '31 days'`
)

// markErased stores a mark for the phone of an erased person, whose visit a paired desk or lobby may still send.
func (s *store) markErased(ctx context.Context, phone string) error {
	return postgres.InTx(ctx, s.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockErasures); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, insertErased, postgres.Args{"phone": phone})
		return err
	})
}

// erasedSince reports whether the person with a phone number was erased at or after the given time.
func (*store) erasedSince(ctx context.Context, tx pgx.Tx, phone string, since time.Time) (is bool, err error) {
	if _, err := tx.Exec(ctx, lockErasuresShare); err != nil {
		return false, err
	}
	err = tx.QueryRow(ctx, selectErasedSince, postgres.Args{"phone": phone, "since": since}).Scan(&is)
	return is, err
}

// forgetErasedPhones deletes the marks older than the oldest visit that a paired desk may send, independent of the
// retention period.
func (s *store) forgetErasedPhones(ctx context.Context, _ time.Time) (int64, error) {
	tag, err := s.Pool.Exec(ctx, forgetErasedPhones)
	return tag.RowsAffected(), postgres.Classify(err)
}
