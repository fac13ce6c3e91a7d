package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"baari.dev/services/platform/testkit"
)

func TestAConsultantIsGivenOnlyWhomTheOwnSkillsServe(t *testing.T) {
	d := newDesk(t)
	gst := d.offering("GST")
	d.serve("consultant", gst.offered)
	itr, own, more := d.lined("ITR"), gst.lined("GST"), d.lined("ITR too")
	got := d.must("next", d.next("consultant"), "called")
	if got.Visit.ID != own.ID || got.Waiting != 0 {
		t.Errorf("next called %s of %d others", got.Visit.Token, got.Waiting)
	}
	d.rejects("a call by hand of whom another serves", d.act("consultant", more.ID, "call", `{}`),
		http.StatusForbidden, "not_assigned")
	if got := d.must("next", d.next("consultant2"), "called"); got.Visit.ID != itr.ID || got.Waiting != 1 {
		t.Errorf("who serves everything calls %s", got.Visit.Token)
	}
}

// An office can forbid calls out of order. No consultant can call a visitor who waits for another consultant.
func TestACallByHandIsTheOfficesRule(t *testing.T) {
	d := newDesk(t)
	free, anothers := d.lined("Free"), d.arrive("Another's")
	d.must("approve", d.set("pa", anothers.ID, "approved", to("consultant2")), "waiting")
	d.rejects("a call of another's visitor", d.act("consultant", anothers.ID, "call", `{}`),
		http.StatusForbidden, "not_assigned")
	exec(t, d.owner, `INSERT INTO office (notice_version, policy) VALUES ('', '{"handPick":false}')`)
	d.rejects("a call out of order", d.act("consultant", free.ID, "call", `{}`), http.StatusForbidden, "not_assigned")
	d.must("a call of the own visitor", d.act("consultant2", anothers.ID, "call", `{}`), "called")
}

func TestNobodyIsSentToALineThatNobodyServes(t *testing.T) {
	d := newDesk(t)
	gst := d.offering("GST")
	d.serve("consultant", d.offered)
	d.serve("consultant2", gst.offered)
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant2"))
	refused := func(what string, got answer) {
		t.Helper()
		d.rejects(what, got, http.StatusUnprocessableEntity, "nobody_serves")
	}
	v := gst.arrive("GST")
	toGST, toITR := fmt.Sprintf(`{"service_id":%q}`, gst.offered), fmt.Sprintf(`{"service_id":%q}`, d.offered)
	refused("approve", d.set("pa", v.ID, "approved", `"line":true`))
	d.must("approve for one", d.set("pa", v.ID, "approved", to("consultant")), "waiting")
	refused("transfer to the line", d.act("pa", v.ID, "transfer", `{"consultant_id":null}`))
	refused("unpin", d.act("pa", v.ID, "pin", `{"consultant_id":null}`))
	d.must("a correction of who waits for one", d.act("pa", v.ID, "correct", toITR), "waiting")
	d.must("and back", d.act("pa", v.ID, "correct", toGST), "waiting")
	d.must("transfer to a service that is served", d.act("pa", v.ID, "transfer",
		fmt.Sprintf(`{"consultant_id":null,"service_id":%q}`, d.offered)), "waiting")
	refused("a correction in the line", d.act("pa", v.ID, "correct", toGST))
	d.must("a correction of the name", d.act("pa", v.ID, "correct", `{"name":"Asha Rao"}`), "waiting")
	undecided := d.arrive("New")
	d.must("a correction before the decision", d.act("pa", undecided.ID, "correct", toGST), "new")
}

// A returning visitor is placed behind two visitors who wait for the same consultants; other visitors do not count.
func TestWhoComesBackStandsBehindRivalsAlone(t *testing.T) {
	d := newDesk(t)
	gst := d.offering("GST")
	d.serve("consultant", d.offered)
	d.serve("consultant2", gst.offered)
	v := d.lined("Missed")
	for range 3 {
		gst.lined("GST")
	}
	first, second, third := d.lined("A"), d.lined("B"), d.lined("C")
	d.must("next", d.next("consultant"), "called")
	d.wait(v.ID, 61)
	d.must("miss", d.act("consultant", v.ID, "miss", `{}`), "missed")
	d.must("back", d.act("reception", v.ID, "back", `{}`), "waiting")
	var own []string
	for _, place := range d.as("consultant", http.MethodGet, "/api/visits/line", "").Line {
		own = append(own, place.VisitID)
	}
	if want := fmt.Sprint([]string{first.ID, second.ID, v.ID, third.ID}); fmt.Sprint(own) != want {
		t.Errorf("the line of the consultant is %v, want %s", own, want)
	}
}
