package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

func (d *desk) officeWith(policy string) {
	d.t.Helper()
	exec(d.t, d.owner, `INSERT INTO office (notice_version, policy) VALUES ('', $1)
		ON CONFLICT (only_row) DO UPDATE SET policy = EXCLUDED.policy`, policy)
}

// A call by mistake is taken back after minutes: the visitor is first in the line again, and the board shows no call.
func TestACallByMistakeIsTakenBack(t *testing.T) {
	d, _ := newDesk(t).midday()
	first, second := d.lined("First"), d.lined("Second")
	d.act("pa", second.ID, "move", fmt.Sprintf(`{"before":%q,"reason":"frail"}`, first.ID))
	d.must("next", d.as("consultant", http.MethodPost, "/api/visits/next", `{"counter":"3"}`), "called")
	d.wait(second.ID, 300)
	if b, text := d.board("reception"); len(b.Calls) != 1 {
		t.Fatalf("the board is %s", text)
	}
	d.rejects("another's", d.act("consultant2", second.ID, "release", `{}`), http.StatusForbidden, "not_assigned")
	released := d.must("release", d.act("consultant", second.ID, "release", `{}`), "waiting")
	if q := released.Visit.Queue; q.Counter != nil || q.CallCount != 0 || q.Call != nil || q.Undo.Action != "release" ||
		released.Visit.AssignedConsultantID != nil {
		t.Errorf("released: %s", released.text)
	}
	if b, text := d.board("reception"); len(b.Calls) != 0 || len(b.Next) != 2 || b.Next[0] != second.Token {
		t.Errorf("the board is %s", text)
	}
	line := d.as("pa", http.MethodGet, "/api/visits/line", "")
	if len(line.Line) != 2 || line.Line[0].VisitID != second.ID || line.Line[0].Reasons[0].Code != "moved" {
		t.Errorf("the line is %s", line.text)
	}
	d.must("a second press", d.act("consultant", second.ID, "release", `{}`), "waiting")
	d.rejects("release of who waits", d.act("pa", second.ID, "release", `{}`), http.StatusConflict, "illegal_action")
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_released' AND before->>'stage' = 'called'
		AND after->>'movedReason' = 'frail'`); n != 1 {
		t.Errorf("%d events", n)
	}
}

// If another consultant has called a visitor, even from a hold, a release returns the visitor to their own consultant.
func TestAReleasedVisitorStaysWithTheOwnConsultant(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	d.must("approve", d.set("pa", v.ID, "approved", to("consultant2")), "waiting")
	call := fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))
	waits := func(what, id string) {
		t.Helper()
		d.must("call", d.act("pa", id, "call", call), "called")
		got := d.must("release", d.act("pa", id, "release", `{}`), "waiting").Visit
		if !got.Queue.Pinned || got.AssignedConsultantID == nil || *got.AssignedConsultantID != testkit.ID("consultant2") {
			t.Errorf("%s: the visitor waits for %v", what, got.AssignedConsultantID)
		}
	}
	waits("assigned", v.ID)
	d.must("undo", d.act("pa", v.ID, "undo", `{}`), "called")
	d.must("release of an undone release", d.act("pa", v.ID, "release", `{}`), "waiting")
	d.must("start", d.act("consultant2", v.ID, "call", `{}`), "called")
	d.must("leave", d.act("consultant2", v.ID, "leave", `{}`), "left")

	interrupted := d.lined("Gopal")
	d.must("next", d.next("consultant2"), "called")
	d.must("start", d.set("consultant2", interrupted.ID, "in-session"), "in-session")
	d.must("hold", d.act("consultant2", interrupted.ID, "hold", `{"reason":"papers"}`), "held")
	waits("held out of a session", interrupted.ID)
}

// If calls are taken back and made again, only one is open at a time, and each counts as one pass of the other visitor.
func TestACallThatIsTakenBackAndMadeAgainIsOneCall(t *testing.T) {
	d := newDesk(t)
	passed, due := d.lined("Passed"), d.lined("Due first")
	d.must("class", d.act("pa", due.ID, "class", `{"class":"priority"}`), "waiting")
	for i, back := range []string{"release", "undo", "release", "undo"} {
		d.must("next", d.next("consultant"), "called")
		if i == 3 { // the cap is reached: the other visitor goes first
			break
		}
		d.must(back, d.act("consultant", due.ID, back, `{}`), "waiting")
	}
	if got := d.stage(passed.ID); got != "called" {
		t.Errorf("the visitor at the cap is %s", got)
	}
	if n := count(t, d, `SELECT bypassed FROM visits WHERE id = $1`, passed.ID); n != 3 {
		t.Errorf("passed %d times", n)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE stage = 'called'`); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// An undone release restores the same call, also on the board. If the release is then sent again with its key, it gets
// the same answer and changes nothing.
func TestAReleaseIsUndoneAndRepeatedByItsKey(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.as("consultant", http.MethodPost, "/api/visits/next", `{"counter":"3"}`), "called")
	before, _ := d.board("pa")
	release := func() answer {
		return d.act("consultant", v.ID, "release", `{}`, "Idempotency-Key", "key-of-a-release")
	}
	one := d.must("release", release(), "waiting")
	undone := d.must("undo", d.act("consultant", v.ID, "undo", `{}`), "called")
	if *undone.Visit.Queue.Counter != "3" || undone.Visit.Queue.CallCount != 1 {
		t.Errorf("undone: %s", undone.text)
	}
	if after, text := d.board("pa"); len(after.Calls) != 1 || after.Calls[0].CallID != before.Calls[0].CallID {
		t.Errorf("the board is %s", text)
	}
	if again := release(); again.text != one.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition answered %s", again.text)
	}
	if got := d.stage(v.ID); got != "called" {
		t.Errorf("the visitor is %s", got)
	}
}

func TestACallOfYesterdayIsReleasedIntoTodaysLine(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, rank_at = rank_at - interval '1 day',
		due_at = due_at - interval '1 day', called_at = called_at - interval '1 day' WHERE id = $1`, v.ID)
	d.must("release", d.act("reception", v.ID, "release", `{}`), "waiting")
	if line := d.as("pa", http.MethodGet, "/api/visits/line", ""); len(line.Line) != 1 || line.Line[0].VisitID != v.ID {
		t.Errorf("the line is %s", line.text)
	}
}

// A session that begins from the line counts as a call by hand: it passes earlier visitors by hand and opens the desk.
func TestASessionBeginsOutOfTheLine(t *testing.T) {
	d := newDesk(t)
	d.setDesk("consultant", `{"state":"off","counter":"7"}`)
	first, second, third := d.lined("First"), d.lined("Second"), d.lined("Third")
	got := d.must("start", d.act("consultant", second.ID, "start", `{}`), "in-session")
	if q := got.Visit.Queue; *q.Counter != "7" || q.CallCount != 0 || q.Pinned || q.Sittings != 1 ||
		q.Undo.Action != "start" || *got.Visit.AssignedConsultantID != testkit.ID("consultant") {
		t.Errorf("started: %s", got.text)
	}
	d.hasDesk("after the start", "consultant", `state = 'open' AND counter = '7'`)
	if n := count(t, d, `SELECT passed_by_hand * 10 + bypassed FROM visits WHERE id = $1`, first.ID); n != 10 {
		t.Errorf("passed by hand and by the rule: %02d", n)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox
		WHERE type = 'visit_in_session' AND after->>'byHand' = 'true'`); n != 1 {
		t.Errorf("%d events are by hand", n)
	}
	d.must("a second press", d.act("consultant", second.ID, "start", `{}`), "in-session")
	d.rejects("during a session", d.act("consultant", third.ID, "start", `{}`), http.StatusConflict, "session_active")
	d.must("undo", d.act("consultant", second.ID, "undo", `{}`), "waiting")
	line := d.as("pa", http.MethodGet, "/api/visits/line", "")
	if len(line.Line) != 3 || line.Line[1].VisitID != second.ID {
		t.Errorf("after the undo the line is %s", line.text)
	}
	d.must("next", d.next("consultant"), "called")
	d.rejects("while another is called", d.act("consultant", third.ID, "start", `{}`), http.StatusConflict, "call_open")
	named := fmt.Sprintf(`{"consultant_id":%q,"counter":"9"}`, testkit.ID("consultant2"))
	got = d.must("by an admin", d.act("admin", third.ID, "start", named), "in-session")
	if *got.Visit.Queue.Counter != "9" || *got.Visit.AssignedConsultantID != testkit.ID("consultant2") {
		t.Errorf("by an admin: %s", got.text)
	}
}

func TestWhoseSessionBeginsOutOfTheLine(t *testing.T) {
	d := newDesk(t)
	free, own := d.lined("Free"), d.arrive("Own")
	d.must("approve", d.set("pa", own.ID, "approved", to("consultant")), "waiting")
	d.rejects("an assigned visitor", d.act("consultant", own.ID, "start", `{}`), http.StatusConflict, "illegal_action")
	d.rejects("another's", d.act("consultant2", own.ID, "start", `{}`), http.StatusForbidden, "not_assigned")
	d.rejects("by a PA", d.act("pa", free.ID, "start", `{}`), http.StatusForbidden, "forbidden")
	d.rejects("by an admin for nobody", d.act("admin", free.ID, "start", `{}`), http.StatusBadRequest, "validation")
	d.rejects("by the seed's request", d.set("consultant", free.ID, "in-session"), http.StatusForbidden, "not_assigned")
	gst := d.offering("GST")
	d.serve("consultant", gst.offered)
	d.rejects("whom another serves", d.act("consultant", free.ID, "start", `{}`), http.StatusForbidden, "not_assigned")
	d.officeWith(`{"handPick":false}`)
	d.rejects("out of order", d.act("consultant2", free.ID, "start", `{}`), http.StatusForbidden, "not_assigned")
}

func TestNextCallsNobodyButTheExpectedVisitor(t *testing.T) {
	d := newDesk(t)
	first, second := d.lined("First"), d.lined("Second")
	expect := func(person, id string, headers ...string) answer {
		return d.as(person, http.MethodPost, "/api/visits/next", fmt.Sprintf(`{"expect":%q}`, id), headers...)
	}
	changed := expect("consultant", second.ID, "Idempotency-Key", "key-of-next-1")
	d.rejects("another is next", changed, http.StatusConflict, "next_changed")
	if changed.Error != first.Token+" is next now." || changed.Params["token"] != first.Token {
		t.Errorf("answered %s", changed.text)
	}
	if n := count(t, d, `SELECT count(*) FROM visits WHERE stage = 'called' OR bypassed + passed_by_hand > 0`); n != 0 {
		t.Errorf("%d visits were changed", n)
	}
	got := d.must("the first", expect("consultant", first.ID, "Idempotency-Key", "key-of-next-1b"), "called")
	if got.Visit.ID != first.ID {
		t.Errorf("called %s", got.text)
	}
	again := expect("consultant", second.ID)
	if again.status != http.StatusOK || !again.Again || again.Visit.ID != first.ID {
		t.Errorf("an open call answered %s", again.text)
	}
	d.must("the second", expect("consultant2", second.ID, "Idempotency-Key", "key-of-next-2"), "called")
	d.must("leave", d.act("pa", first.ID, "leave", `{}`), "left")
	if none := expect("consultant", second.ID); none.status != http.StatusOK || none.Visit != nil {
		t.Errorf("with nobody waiting: %s", none.text)
	}
	d.rejects("no id", d.as("consultant", http.MethodPost, "/api/visits/next", `{"expect":"T-001"}`),
		http.StatusBadRequest, "validation")
}

func TestConsultantsWhoPressAtOnceGetWhomTheySaw(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	var line []string
	for range 4 {
		line = append(line, d.lined("Visitor").ID)
	}
	for i := range line {
		name := fmt.Sprintf("caller%c", 'a'+i)
		exec(t, d.owner, `INSERT INTO consultants (id, name, is_active) VALUES ($1, $1, true)`, testkit.ID(name))
		d.people.SignIn(name, "consultant")
	}
	called := map[string]bool{}
	for range line {
		first := d.as("pa", http.MethodGet, "/api/visits/line", "").Line[0].VisitID
		won := 0
		for i, got := range together(len(line), func(i int) answer {
			return d.as(fmt.Sprintf("caller%c", 'a'+i), http.MethodPost, "/api/visits/next", fmt.Sprintf(`{"expect":%q}`, first))
		}) {
			switch {
			case got.status == http.StatusOK && !got.Again:
				won++
				called[got.Visit.ID] = true
				if got.Visit.ID != first {
					t.Errorf("caller %d expected %s and called %s", i, first, got.Visit.ID)
				}
			case got.status == http.StatusOK && (got.Visit == nil || got.Again):
			case got.Code != "next_changed":
				t.Errorf("caller %d: %s", i, got.text)
			}
		}
		if won != 1 {
			t.Errorf("%d consultants called one visitor", won)
		}
	}
	if len(called) != len(line) {
		t.Errorf("%d visitors were called", len(called))
	}
}

// The times that follow from a call are counted from the last call. All except RecallAt follow the office's policy.
func TestACalledVisitSaysWhatFollows(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	got := d.must("next", d.next("consultant"), "called")
	since := func(got answer, at string) int {
		called, err := time.Parse(time.RFC3339Nano, *got.Visit.Queue.CalledAt)
		if err != nil {
			t.Fatal(err)
		}
		then, err := time.Parse(time.RFC3339Nano, at)
		if err != nil {
			t.Fatal(err)
		}
		return int(then.Sub(called).Seconds())
	}
	call := got.Visit.Queue.Call
	if since(got, call.RecallAt) != 10 || since(got, call.MissAt) != 60 || since(got, call.NudgeAt) != 120 ||
		call.AutoRecallAt == nil || *call.AutoRecallAt != call.NudgeAt || call.AutoMissAt != nil || call.BySystem {
		t.Errorf("by the defaults: %s", got.text)
	}
	d.wait(v.ID, 11)
	d.officeWith(`{"missAfterSeconds":30,"nudgeAfterSeconds":45,"autoRecall":3,"autoMissAfterSeconds":600}`)
	got = d.must("recall", d.act("reception", v.ID, "recall", `{}`), "called")
	call = got.Visit.Queue.Call
	if since(got, call.MissAt) != 0 || since(got, call.NudgeAt) != 45 || call.AutoRecallAt != nil ||
		since(got, *call.AutoMissAt) != 600 {
		t.Errorf("after a call by a person: %s", got.text)
	}
	listed := d.as("consultant", http.MethodGet, "/api/visits/today", "").Visits[0]
	if *listed.Queue.Call.AutoMissAt != *call.AutoMissAt || listed.Queue.Call.NudgeAt != call.NudgeAt {
		t.Errorf("the list has %+v", listed.Queue.Call)
	}
}
