package visits_test

import (
	"fmt"
	"net/http"
	"testing"
)

// A slip is not merged with a registration of the previous day: its token is for today, and the registered visit may
// already have the same token for its own day.
func TestASlipIsNotMergedWithARegistrationOfTheDayBefore(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	day := d.lease(t, "A", 0).Days[0].Day
	first := noteOf("A", 1)
	body := fmt.Sprintf(`{"name":"A 1","phone":"9876543210","service_id":%q}`, d.offered)
	a := d.as("reception", http.MethodPost, "/api/visits", body, "Idempotency-Key", first.key)
	if a.status != http.StatusCreated {
		t.Fatal(a.text)
	}
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, token_also = 'A-001'`)
	exec(t, d.owner, `UPDATE idempotency SET answer = replace(answer::text, $1, '2020-01-01')::jsonb`, day)
	if done, a := d.send(t, "reception", "A", day, first); len(done) != 1 || done[0].State != "created" {
		t.Errorf("it was answered %s", a.text)
	}
}
