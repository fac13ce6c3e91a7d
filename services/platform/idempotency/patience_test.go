package idempotency_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/testkit"
)

// The hurry is over with the reservation: what follows in the transaction may wait for others as long as ever.
func TestOnlyTheReservationIsInAHurry(t *testing.T) {
	db := testkit.NewDatabase(t, idempotency.Migrations())
	key, err := idempotency.Of("actor", "POST /x", "key-of-nine", "body")
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SET LOCAL lock_timeout = '1234ms'`); err != nil {
			return err
		}
		if _, err := idempotency.ReserveAll(t.Context(), tx, []idempotency.Key{key}); err != nil {
			return err
		}
		var patience string
		if err := tx.QueryRow(t.Context(), `SELECT current_setting('lock_timeout')`).Scan(&patience); err != nil {
			return err
		}
		if patience != "1234ms" {
			t.Errorf("afterwards a lock is waited for %s", patience)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
