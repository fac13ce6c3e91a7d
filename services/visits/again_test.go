package visits_test

import (
	"net/http"
	"testing"
)

// If a request is repeated with the same key because its response was lost, the action is not repeated.
func TestAnActionIsMadeOnceByItsKey(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.wait(v.ID, 11)
	recall := func(body string) answer {
		return d.act("consultant", v.ID, "recall", body, "Idempotency-Key", "key-of-a-recall")
	}
	one := d.must("recall", recall(`{}`), "called")
	d.wait(v.ID, 11)
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	again := recall(`{}`)
	if again.status != http.StatusOK || again.text != one.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition answered %d %s, first %s", again.status, again.text, one.text)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_recalled' AND entity_id = $1`, v.ID); n != 1 {
		t.Errorf("%d recalls", n)
	}
	d.rejects("another request with the key", recall(`{"version":1}`), http.StatusUnprocessableEntity, "key_reused")
	hold := d.act("consultant", v.ID, "hold", `{"reason":"papers"}`, "Idempotency-Key", "key-of-a-recall")
	d.must("the key at another action", hold, "held")
}

// If a user repeats a change whose first request had no key, nothing is changed, and the response is stored under the
// second request's key.
func TestARepetitionIsAnsweredByItsKeyAsWell(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	leave := func(headers ...string) answer { return d.act("reception", v.ID, "leave", `{}`, headers...) }
	d.must("leave", leave(), "left")
	one := d.must("leave again", leave("Idempotency-Key", "key-of-a-leave"), "left")
	d.must("reopen", d.act("reception", v.ID, "reopen", `{}`), "waiting")
	again := d.must("the same key", leave("Idempotency-Key", "key-of-a-leave"), "left")
	if again.text != one.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition answered %s, first %s", again.text, one.text)
	}
	if got := d.stage(v.ID); got != "waiting" {
		t.Errorf("the visitor is %s", got)
	}
}
