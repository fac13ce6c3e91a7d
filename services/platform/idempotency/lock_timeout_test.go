package idempotency_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/testkit"
)

// The short lock timeout of a reservation does not apply to later statements of its transaction.
func TestTheShortLockTimeoutIsForTheReservationOnly(t *testing.T) {
	db := testkit.NewDatabase(t, idempotency.Migrations())
	key, err := idempotency.Of("actor", "POST /x", "key-of-nine", "body")
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		var usual string
		if err := tx.QueryRow(t.Context(), `SELECT current_setting('lock_timeout')`).Scan(&usual); err != nil {
			return err
		}
		if _, err := idempotency.ReserveAll(t.Context(), tx, []idempotency.Key{key}); err != nil {
			return err
		}
		var after string
		if err := tx.QueryRow(t.Context(), `SELECT current_setting('lock_timeout')`).Scan(&after); err != nil {
			return err
		}
		if after != usual || usual != "2s" {
			t.Errorf("lock_timeout after the reservation is %s, before it %s", after, usual)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
