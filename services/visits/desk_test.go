package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"baari.dev/services/platform/testkit"
)

func (d *desk) setDesk(consultant, body string) {
	d.t.Helper()
	a := d.as(consultant, http.MethodPut, "/api/visits/desks/"+testkit.ID(consultant), body)
	if a.status != http.StatusOK {
		d.t.Fatalf("the desk of %s answered %d %s", consultant, a.status, a.text)
	}
}

// hasDesk fails unless the desk of a consultant meets an SQL condition.
func (d *desk) hasDesk(what, consultant, condition string) {
	d.t.Helper()
	if n := count(d.t, d, `SELECT count(*) FROM desks WHERE consultant_id = $1
		AND `+condition, testkit.ID(consultant)); n != 1 {
		d.t.Errorf("%s: the desk is not %s", what, condition)
	}
}

func TestADeskOnABreakThatCallsIsOpenAgain(t *testing.T) {
	d := newDesk(t)
	d.setDesk("consultant", `{"state":"break","counter":"3"}`)
	exec(t, d.owner, `UPDATE desks SET since = now() - interval '1 hour', back_at = now() + interval '1 hour',
		until = now() - interval '1 minute'`)
	d.lined("Asha")
	if got := d.must("next", d.next("consultant"), "called"); *got.Visit.Queue.Counter != "3" {
		t.Errorf("the call is to the counter %v", got.Visit.Queue.Counter)
	}
	d.hasDesk("after the call", "consultant", `state = 'open' AND back_at IS NULL AND until IS NULL AND counter = '3'
		AND since > now() - interval '1 minute'`)
}

// A call by hand opens the desk, and so does a session that begins without a call. The desk keeps its counter.
func TestACallByHandAndASessionOpenADesk(t *testing.T) {
	d := newDesk(t)
	d.setDesk("consultant2", `{"state":"off","counter":"7"}`)
	pinned := d.arrive("Pinned")
	d.set("pa", pinned.ID, "approved", to("consultant2"))
	d.must("start", d.set("consultant2", pinned.ID, "in-session"), "in-session")
	d.hasDesk("a session without a call", "consultant2", `state = 'open' AND counter = '7'`)
	chosen := d.lined("Chosen")
	d.must("call", d.act("pa", chosen.ID, "call",
		fmt.Sprintf(`{"consultant_id":%q,"counter":"4"}`, testkit.ID("consultant"))), "called")
	d.hasDesk("a call by hand", "consultant", `state = 'open' AND counter = '4'`)
	d.must("leave", d.act("reception", chosen.ID, "leave", `{}`), "left")
	other := d.lined("Other")
	again := d.must("call", d.act("pa", other.ID, "call",
		fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))), "called")
	if again.Visit.Queue.Counter == nil || *again.Visit.Queue.Counter != "4" {
		t.Errorf("a call without a counter is to %v", again.Visit.Queue.Counter)
	}
}

// A call from an open desk changes neither the time since which the desk is open nor its closing time.
func TestAnOpenDeskStaysAsItIs(t *testing.T) {
	d := newDesk(t)
	d.setDesk("consultant", `{"state":"open","counter":"3"}`)
	exec(t, d.owner, `UPDATE desks SET since = now() - interval '1 hour', until = now() + interval '1 hour'`)
	first := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.hasDesk("after a call", "consultant", `since < now() - interval '59 minutes' AND until > now()`)
	d.must("leave", d.act("consultant", first.ID, "leave", `{}`), "left")
	d.lined("Ravi")
	d.must("next", d.as("consultant", http.MethodPost, "/api/visits/next", `{"counter":"5"}`), "called")
	d.hasDesk("after a call to another counter", "consultant", `since < now() - interval '59 minutes'
		AND until > now() AND counter = '5'`)
	d.setDesk("consultant", `{"state":"open"}`)
	d.hasDesk("saved again", "consultant", `since < now() - interval '59 minutes' AND counter = '5' AND until IS NULL`)
	d.setDesk("consultant", `{"state":"break"}`)
	d.hasDesk("on a break", "consultant", `since > now() - interval '1 minute' AND counter = '5'`)
	d.setDesk("consultant", `{"state":"break","counter":""}`)
	d.hasDesk("without a counter", "consultant", `counter = ''`)
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'desk_changed' AND before IS NULL`); n != 1 {
		t.Errorf("%d events have no desk before", n)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'desk_changed' AND before->>'state' = 'open'
		AND after->>'state' = 'break'`); n != 1 {
		t.Error("the event of the break does not have the desk before")
	}
}
