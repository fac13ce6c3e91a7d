package auth

import (
	"testing"
	"time"
)

// Retention erases the name and address of a deleted account, but not its id.
func TestADeletedAccountIsErasedAfterItsRetention(t *testing.T) {
	o := open(t)
	gone, here := o.join("asha"), o.join("ravi")
	o.exec(`UPDATE users SET deleted_at = now() - interval '401 days' WHERE id = $1`, gone.ID)
	erase := func(days int) int64 {
		t.Helper()
		n, err := o.Retention()[0].Erase(t.Context(), time.Now().AddDate(0, 0, -days))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if young, old, again := erase(500), erase(400), erase(400); young != 0 || old != 1 || again != 0 {
		t.Errorf("erased %d, %d and %d", young, old, again)
	}
	if n := o.count(`SELECT count(*) FROM users
		WHERE id = $1 AND name = 'Erased' AND email = lower(id) || '@erased.invalid'`, gone.ID); n != 1 {
		// ASVS 14.2.7
		t.Error("the account was not erased, or its row was deleted")
	}
	if n := o.count(`SELECT count(*) FROM users WHERE id = $1 AND name = 'ravi'`, here.ID); n != 1 {
		t.Error("an account that is in use was erased")
	}
}
