package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/testkit"
)

type attentionList struct {
	Attention []attentionEntry `json:"attention"`
	NextAt    *time.Time       `json:"nextAt"`
}

type attentionEntry struct {
	ID         string
	Kind       string
	Since      time.Time
	Visit      *struct{ ID, Token, Name, Service, Stage string }
	Consultant *struct{ ID, Name string }
	Counter    string
	Values     struct {
		Calls, More   int
		BySystem      bool
		Paper         *struct{ Label string }
		Service, Desk string
	}
	Actions []string
}

// attention returns the list of a person. It first moves the feed's head, so that the list is computed again.
func (d *desk) attention(person string) (list attentionList) {
	d.t.Helper()
	exec(d.t, d.owner, `UPDATE stream_head SET head = head + 1 WHERE stream = 'visits'`)
	a := d.as(person, http.MethodGet, "/api/visits/attention", "")
	if a.status != http.StatusOK || strings.Contains(a.text, "9876543210") {
		d.t.Fatalf("the list answered %d %s", a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &list, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	return list
}

// only returns the entry of a person's list. It fails unless the list has exactly one entry, of the given kind.
func (d *desk) only(what, person, kind string) attentionEntry {
	d.t.Helper()
	list := d.attention(person)
	if len(list.Attention) != 1 || list.Attention[0].Kind != kind {
		d.t.Fatalf("%s: %s sees %+v, want one %s", what, person, list.Attention, kind)
	}
	return list.Attention[0]
}

func (d *desk) nothing(what string) attentionList {
	d.t.Helper()
	list := d.attention("pa")
	if len(list.Attention) != 0 {
		d.t.Errorf("%s: %+v", what, list.Attention)
	}
	return list
}

// counters gives the desks of both consultants a number, so that no list has entries about missing numbers.
func (d *desk) counters() {
	d.t.Helper()
	d.setDesk("consultant", `{"state":"open","counter":"3"}`)
	d.setDesk("consultant2", `{"state":"open","counter":"4"}`)
}

// A call is in the list from the policy's NudgeAfter on, with the time of the first call, until the visitor comes.
func TestACallWithoutAnAnswerNeedsAttention(t *testing.T) {
	d := newDesk(t)
	d.counters()
	v := d.lined("Joseph Pinto")
	d.must("next", d.next("consultant"), "called")
	if list := d.nothing("a fresh call"); list.NextAt == nil || time.Until(*list.NextAt) > 2*time.Minute {
		t.Errorf("the list of a fresh call changes at %v", list.NextAt)
	}
	d.ages(v.ID, 125)
	got := d.only("after two minutes", "reception", "call_unanswered")
	if got.Visit.ID != v.ID || got.Visit.Token != v.Token || got.Visit.Name != "Joseph Pinto" || got.Counter != "3" ||
		got.Visit.Service != "ITR Filing" || got.Visit.Stage != "called" || got.Consultant.Name != "The consultant" ||
		got.Values.Calls != 1 || got.Values.BySystem || !slices.Equal(got.Actions, []string{"recall", "miss"}) {
		t.Errorf("%+v", got)
	}
	d.followCalls()
	again := d.only("repeated by the service", "admin", "call_unanswered")
	if !again.Since.Equal(got.Since) || again.ID != got.ID || !again.Values.BySystem || again.Values.Calls != 2 ||
		!slices.Equal(again.Actions, []string{"miss"}) {
		t.Errorf("after the repetition %+v, before it %+v", again, got)
	}
	if list := d.attention("pa"); list.NextAt == nil || time.Until(*list.NextAt) > 10*time.Second {
		t.Errorf("a repetition is possible at %v", list.NextAt)
	}
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	d.nothing("in session")
}

func TestADeskWithoutANumberNeedsAttention(t *testing.T) {
	d := newDesk(t)
	d.setDesk("consultant", `{"state":"open"}`)
	if got := d.only("open", "pa", "desk_without_number"); got.Consultant.ID != testkit.ID("consultant") ||
		!slices.Equal(got.Actions, []string{"number"}) || got.Visit != nil {
		t.Errorf("%+v", got)
	}
	if got := d.only("open", "reception", "desk_without_number"); len(got.Actions) != 0 {
		t.Errorf("reception may %v", got.Actions)
	}
	d.setDesk("consultant", `{"state":"off"}`)
	d.nothing("closed")
	d.setDesk("consultant", `{"state":"last"}`)
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant2"))
	d.nothing("the only consultant")
	d.policy(`{"requireCounter":true}`)
	d.only("by the office's choice", "admin", "desk_without_number")
}

func TestMissingPapersNeedAttention(t *testing.T) {
	d := newDesk(t)
	d.counters()
	a := d.arriveWith(`[{"key":"form-16","label":"Form 16","required":true,"state":"missing"},` + panMissing + `,
		{"key":"photo","label":"Photo","required":false,"state":"missing"}]`)
	if a.status != http.StatusCreated {
		t.Fatal(a.text)
	}
	d.set("pa", a.Visit.ID, "approved", `"line":true`)
	d.nothing("waiting")
	d.must("next", d.next("consultant"), "called")
	got := d.only("called", "reception", "papers_missing")
	if got.Values.Paper.Label != "Form 16" || got.Values.More != 1 || !slices.Equal(got.Actions, []string{"papers"}) {
		t.Errorf("%+v", got)
	}
	d.ages(a.Visit.ID, 11)
	d.must("recall", d.act("reception", a.Visit.ID, "recall", `{}`), "called")
	again := d.only("called again", "reception", "papers_missing")
	d.must("start", d.set("consultant", a.Visit.ID, "in-session"), "in-session")
	if in := d.only("in session", "reception", "papers_missing"); again.ID != got.ID || in.ID != got.ID {
		t.Errorf("one entry has the ids %s, %s and %s", got.ID, again.ID, in.ID)
	}
}

func TestAWaitLongerThanPromisedNeedsAttention(t *testing.T) {
	d := newDesk(t)
	d.counters()
	v := d.lined("Thomas Mathew")
	exec(t, d.owner, `INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from,
			shown_to, level)
		SELECT id, 'join', service_id, now(), now(), 1, 2, 3, now() - interval '1 hour',
			now() - interval '4 minutes', 0.2 FROM visits
		ON CONFLICT (visit_id, kind) DO UPDATE SET made_at = EXCLUDED.made_at, q10 = 1, q50 = 2, q90 = 3,
			shown_from = EXCLUDED.shown_from, shown_to = EXCLUDED.shown_to, level = EXCLUDED.level`)
	if list := d.nothing("four minutes over"); list.NextAt == nil || time.Until(*list.NextAt) > time.Minute {
		t.Errorf("it changes at %v", list.NextAt)
	}
	exec(t, d.owner, `UPDATE promises SET shown_to = shown_to - interval '2 minutes'`)
	if got := d.only("six minutes over", "pa", "waiting_long"); got.Visit.ID != v.ID || got.Consultant != nil ||
		!slices.Equal(got.Actions, []string{"show", "call"}) || time.Since(got.Since) < 6*time.Minute {
		t.Errorf("%+v", got)
	}
	if got := d.only("six minutes over", "reception", "waiting_long"); !slices.Equal(got.Actions, []string{"show"}) {
		t.Errorf("reception may %v", got.Actions)
	}
	exec(t, d.owner, `UPDATE promises SET ended_at = now(), outcome = 'moved'`)
	d.nothing("the promise has ended")
}

// No event reports that a visitor has got a range, so clients reread the list within 30 seconds.
func TestAListWithAVisitorWithoutARangeIsReadAgainSoon(t *testing.T) {
	d := newDesk(t)
	d.counters()
	v := d.lined("Thomas Mathew")
	soon := func(what string, want bool) {
		t.Helper()
		list := d.nothing(what)
		if got := list.NextAt != nil && time.Until(*list.NextAt) <= 30*time.Second; got != want {
			t.Errorf("%s: the list changes at %v", what, list.NextAt)
		}
	}
	exec(t, d.owner, `DELETE FROM promises`)
	soon("just approved", true)
	exec(t, d.owner, `UPDATE visits SET updated_at = updated_at - interval '2 minutes' WHERE id = $1`, v.ID)
	soon("approved long ago", false)
	exec(t, d.owner, `INSERT INTO promises (visit_id, kind, service_id, owed_at) SELECT id, 'join', service_id, now()
		FROM visits`)
	soon("no desk is open", true)
	exec(t, d.owner, `UPDATE promises SET made_at = now(), q10 = 1, q50 = 2, q90 = 3, shown_from = now(),
		shown_to = now() + interval '9 minutes', level = 0.2`)
	soon("the range is shown", false)
}

func TestALateAppointmentNeedsAttention(t *testing.T) {
	d, zone := newDesk(t).midday()
	d.counters()
	d.appointment(zone, -16, "pending")
	d.appointment(zone, 10, "confirmed")
	late := d.appointment(zone, -16, "confirmed")
	if got := d.only("late", "reception", "appointment_late"); got.Values.Service != "ITR Filing" || got.Visit != nil ||
		!slices.Equal(got.Actions, []string{"show"}) {
		t.Errorf("%+v", got)
	}
	if got := d.only("late", "pa", "appointment_late"); len(got.Actions) != 0 {
		t.Errorf("a PA may %v", got.Actions)
	}
	if a := d.comes(late); a.status != http.StatusCreated {
		t.Fatal(a.text)
	}
	if list := d.nothing("come"); list.NextAt == nil || time.Until(*list.NextAt) > 26*time.Minute {
		t.Errorf("the other appointment is late at %v", list.NextAt)
	}
}

func TestAVisitorWhoWaitsForAClosedDeskNeedsAttention(t *testing.T) {
	d := newDesk(t)
	d.counters()
	v := d.arrive("Meena Sharma")
	d.set("pa", v.ID, "approved", to("consultant"))
	d.nothing("the desk is open")
	d.setDesk("consultant", `{"state":"off"}`)
	got := d.only("the desk is closed", "pa", "pin_away")
	if got.Values.Desk != "off" || got.Consultant.Name != "The consultant" ||
		!slices.Equal(got.Actions, []string{"line"}) {
		t.Errorf("%+v", got)
	}
	d.must("class", d.act("pa", v.ID, "class", `{"class":"priority"}`), "waiting")
	if changed := d.only("with another class", "pa", "pin_away"); changed.ID != got.ID {
		t.Errorf("one entry has the ids %s and %s", got.ID, changed.ID)
	}
	d.setDesk("consultant", `{"state":"break"}`)
	if list := d.nothing("a break"); list.NextAt == nil || time.Until(*list.NextAt) > 20*time.Minute {
		t.Errorf("the break is long at %v", list.NextAt)
	}
	exec(t, d.owner, `UPDATE desks SET since = since - interval '21 minutes'`)
	if got := d.only("a long break", "reception", "pin_away"); got.Values.Desk != "break" || len(got.Actions) != 0 {
		t.Errorf("%+v", got)
	}
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant"))
	d.only("the consultant is not active", "pa", "pin_away")
}

// busyOffice has 200 visits of one day, nine desks, and twelve entries of five kinds.
func busyOffice(t testing.TB) *desk {
	d, zone := newDesk(t).midday()
	d.unchecked = true
	exec(t, d.owner, `INSERT INTO consultants SELECT lpad(n::text, 32, 'c'), 'CA Colleague ' || n, true
		FROM generate_series(1, 7) n`)
	exec(t, d.owner, `INSERT INTO desks (consultant_id, state, counter, since, changed_by)
		SELECT id, 'open', (row_number() OVER (ORDER BY id))::text, now(), '' FROM consultants`)
	exec(t, d.owner, `UPDATE desks SET counter = '' WHERE counter IN ('6', '7')`)
	exec(t, d.owner, `UPDATE desks SET state = 'off' WHERE counter = '5'`)
	for i := range 200 {
		d.arrive(fmt.Sprint("Visitor Number ", i))
	}
	exec(t, d.owner, `UPDATE visits SET status = 'approved', stage = 'waiting', decided_at = now(), due_at = now(),
		version = 2 WHERE token_no <= 120`)
	exec(t, d.owner, `UPDATE visits SET stage = 'called', called_at = now() - interval '3 minutes', called_by = 'x',
			call_count = 1, consultant_id = c.id, consultant_name = c.name, counter = n::text
		FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM consultants) c WHERE token_no = c.n AND c.n <= 4`)
	exec(t, d.owner, `UPDATE visits SET pinned = true, consultant_id = c.id, consultant_name = c.name
		FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM consultants) c WHERE token_no = 11 AND c.n = 5`)
	exec(t, d.owner, `INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from,
			shown_to, level)
		SELECT id, 'join', service_id, now(), now(), 1, 2, 3, now() - interval '1 hour',
			now() + CASE WHEN token_no < 24 THEN interval '-9 minutes' ELSE interval '9 minutes' END, 0.2
		FROM visits WHERE token_no BETWEEN 20 AND 120
		ON CONFLICT (visit_id, kind) DO UPDATE SET made_at = EXCLUDED.made_at, q10 = 1, q50 = 2, q90 = 3,
			shown_from = EXCLUDED.shown_from, shown_to = EXCLUDED.shown_to, level = EXCLUDED.level`)
	d.appointment(zone, -16, "confirmed")
	exec(t, d.owner, `ANALYZE`)
	return d
}

func TestTheListOfABusyOfficeIsSmall(t *testing.T) {
	d := busyOffice(t)
	list := d.attention("admin")
	var kinds []string
	for _, e := range list.Attention {
		kinds = append(kinds, e.Kind)
	}
	want := []string{"call_unanswered", "call_unanswered", "call_unanswered", "call_unanswered", "desk_without_number",
		"desk_without_number", "waiting_long", "waiting_long", "waiting_long", "waiting_long", "appointment_late", "pin_away"}
	if !slices.Equal(kinds, want) {
		t.Errorf("the list has %v, want %v", kinds, want)
	}
	if text := d.as("admin", http.MethodGet, "/api/visits/attention", "").text; len(text) > 4096 {
		t.Errorf("%d entries take %d bytes", len(kinds), len(text))
	}
	exec(t, d.owner, `UPDATE promises SET shown_to = now() - interval '9 minutes'`)
	if list = d.attention("admin"); len(list.Attention) != 50 || list.Attention[0].Kind != "call_unanswered" {
		t.Errorf("%d entries", len(list.Attention))
	}
}

// BenchmarkAttention reports the 95th percentile of the time to compute the list.
func BenchmarkAttention(b *testing.B) {
	d := busyOffice(b)
	var took []time.Duration
	for b.Loop() {
		exec(b, d.owner, `UPDATE stream_head SET head = head + 1 WHERE stream = 'visits'`)
		begun := time.Now()
		d.as("admin", http.MethodGet, "/api/visits/attention", "")
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
