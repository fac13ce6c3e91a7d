package visits_test

import "testing"

func TestABadEventStopsNoOther(t *testing.T) {
	d := newDesk(t)
	bad, good := d.lined("Bad"), d.lined("Good")
	exec(t, d.owner, `UPDATE outbox SET after = after || '{"serviceId":"no id"}' WHERE entity_id = $1`, bad.ID)
	d.number()
	if err := d.service.ForecastNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, d, `SELECT count(*) FROM promises WHERE visit_id = $1`, good.ID); n != 2 {
		t.Errorf("%d promises of the visit after it, want 2", n)
	}
	if n := count(t, d, `SELECT count(*) FROM history_cursor c, stream_head h
		WHERE h.stream = 'visits' AND c.seq < h.head`); n != 0 {
		t.Error("events are left")
	}
}
