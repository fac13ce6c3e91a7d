package idempotency_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/testkit"
)

// The hurry is over with the reservation: what follows in the transaction may wait for others as long as ever.
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
		var patience string
		if err := tx.QueryRow(t.Context(), `SELECT current_setting('lock_timeout')`).Scan(&patience); err != nil {
			return err
		}
		if patience != usual || usual != "2s" {
			t.Errorf("afterwards a lock is waited for %s, as usual for %s", patience, usual)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
