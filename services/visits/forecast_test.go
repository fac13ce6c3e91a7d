package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// number assigns sequence numbers to the events of the outbox, as the relay does.
func (d *desk) number() {
	d.t.Helper()
	exec(d.t, d.owner, `
WITH n AS (
  SELECT id, row_number() OVER (ORDER BY id) + (SELECT head FROM stream_head WHERE stream = 'visits') AS seq
  FROM outbox WHERE seq IS NULL
)
UPDATE outbox o SET seq = n.seq FROM n WHERE n.id = o.id`)
	exec(d.t, d.owner, `UPDATE stream_head SET head = coalesce((SELECT max(seq) FROM outbox), 0) WHERE stream = 'visits'`)
}

func (d *desk) forecast() {
	d.t.Helper()
	d.number()
	if err := d.service.ForecastNow(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) openDesks(consultants ...string) {
	d.t.Helper()
	for _, name := range consultants {
		a := d.as(name, http.MethodPut, "/api/visits/desks/"+testkit.ID(name), `{"state":"open"}`)
		if a.status != http.StatusOK {
			d.t.Fatalf("opening a desk answered %d %s", a.status, a.text)
		}
	}
}

// queued returns a visit as it is in reception's list of today.
func (d *desk) queued(id string) *visitBody {
	d.t.Helper()
	for _, v := range d.as("reception", http.MethodGet, "/api/visits/today", "").Visits {
		if v.ID == id {
			return v
		}
	}
	d.t.Fatalf("visit %s is not in the list", id)
	return nil
}

// outcome returns the outcome of a visit's promise of the given kind: "owed" before a range is shown, "open" until it
// ends, "none" if there is none.
func (d *desk) outcome(id, kind string) string {
	d.t.Helper()
	rows, err := d.owner.Query(d.t.Context(),
		`SELECT coalesce(outcome, CASE WHEN made_at IS NULL THEN 'owed' ELSE 'open' END) FROM promises
     WHERE visit_id = $1 AND kind = $2`, id, kind)
	if err != nil {
		d.t.Fatal(err)
	}
	outcome := "none"
	for rows.Next() {
		if err := rows.Scan(&outcome); err != nil {
			d.t.Fatal(err)
		}
	}
	return outcome
}

// A waiting visitor has a range in every list, rounded to 5 minutes. It is a first estimate while there is no history.
func TestWaitingVisitorHasRange(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant", "consultant2")
	undecided, waits := d.arrive("Undecided"), d.lined("Waits")
	d.forecast()
	for _, id := range []string{undecided.ID, waits.ID} {
		f := d.queued(id).Queue.Forecast
		if f == nil || f.From == nil || f.To == nil || !f.Early {
			t.Fatalf("the forecast is %+v", f)
		}
		from, to := parse(t, *f.From), parse(t, *f.To)
		onGrid := from.Equal(from.Truncate(5*time.Minute)) && to.Equal(to.Truncate(5*time.Minute))
		if to.Sub(from) < 10*time.Minute || !onGrid {
			t.Errorf("the range is %s to %s", from, to)
		}
	}
	for _, who := range []string{"reception", "pa", "consultant"} {
		a := d.as(who, http.MethodGet, "/api/visits/line", "")
		if len(a.Line) != 1 || a.Line[0].Forecast == nil || a.Line[0].Forecast.From == nil {
			t.Errorf("%s sees the line %s", who, a.text)
		}
	}
	if f := d.as("pa", http.MethodGet, "/api/visits/pending-approval", "").Visits[0].Queue.Forecast; f == nil {
		t.Error("the PA's list has no forecast")
	}
}

// If visitors left the line on earlier days, some are expected to leave it today, and those behind them to be called
// sooner.
func TestDeparturesShortenForecasts(t *testing.T) {
	last := map[bool]time.Duration{}
	for _, leave := range []bool{false, true} {
		d := newDesk(t)
		d.openDesks("consultant")
		if leave {
			exec(t, d.owner, `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  ended_at, outcome)
SELECT gen_random_uuid(), 'join', $1, at, at, 10, 20, 40, at, at + interval '45 minutes', 0.2,
  at + interval '20 minutes', 'left'
FROM generate_series(1, 200), (SELECT now() - interval '1 day' AS at)`, d.offered)
		}
		var v *visitBody
		for i := range 8 {
			v = d.lined(fmt.Sprint("Visitor ", i))
		}
		d.forecast()
		f := d.queued(v.ID).Queue.Forecast
		last[leave] = parse(t, *f.To).Sub(parse(t, f.MadeAt))
	}
	if last[true] > last[false]*2/3 {
		t.Errorf("the last of the line waits %v at most, %v if all stay", last[true], last[false])
	}
}

// Only the head of a long line is forecast, to limit the duration of a forecast.
func TestForecastOfLongLine(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	var first, last *visitBody
	for i := range 201 {
		last = d.arrive(fmt.Sprintf("Visitor %d", i))
		if i == 0 {
			first = last
		}
	}
	d.forecast()
	if d.queued(first.ID).Queue.Forecast == nil {
		t.Error("the first visitor has no forecast")
	}
	if f := d.queued(last.ID).Queue.Forecast; f != nil {
		t.Errorf("the visitor at the end has the forecast %+v", f)
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A visitor whom no open desk can call has no range, only a note that says why.
func TestNobodyAtDeskHasNoRange(t *testing.T) {
	d := newDesk(t)
	pinned := d.arrive("Pinned")
	d.set("pa", pinned.ID, "approved", to("consultant2"))
	d.openDesks("consultant")
	d.forecast()
	f := d.queued(pinned.ID).Queue.Forecast
	if f == nil || f.From != nil || f.To != nil || f.Note == nil || *f.Note != "nobody_at_desk" {
		t.Fatalf("the forecast is %+v", f)
	}
	if got := d.outcome(pinned.ID, "join"); got != "owed" {
		t.Errorf("the promise is %s", got)
	}
}

func TestReplicasShowEqualRanges(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.lined("Waits")
	d.forecast()
	want := *d.queued(v.ID).Queue.Forecast
	d.with(func(*visits.Deps) {})
	ctx, other := t.Context(), d.service
	go func() { _ = other.Forecast(ctx) }()
	testkit.Eventually(t, fmt.Sprintf("the other replica shows %+v", want), func() bool {
		got := d.queued(v.ID).Queue.Forecast
		return got != nil && *got.From == *want.From && *got.To == *want.To && got.MadeAt == want.MadeAt
	})
}

// The first range of a visitor is recorded as a promise, once. The first call ends it, with the actual wait in minutes.
func TestPromiseIsResolvedByFirstCall(t *testing.T) {
	d := newDesk(t)
	d = d.replica(d.zoneWhereMidnightIsIn(12 * time.Hour)) // 12 minutes before the start of the test must also be today
	d.openDesks("consultant")
	first, second := d.lined("First"), d.lined("Second")
	d.forecast()
	exec(t, d.owner, `UPDATE promises SET made_at = made_at - interval '12 minutes'`)
	d.forecast() // a later range is no promise
	if got := count(t, d, `SELECT count(*) FROM promises WHERE made_at > now() - interval '11 minutes'`); got != 0 {
		t.Errorf("%d promises were replaced", got)
	}
	d.next("consultant")
	d.forecast()
	if got := d.outcome(first.ID, "join"); got != "called" {
		t.Errorf("the promise to who was called is %s", got)
	}
	if got := d.outcome(second.ID, "join"); got != "open" {
		t.Errorf("the promise to who waits is %s", got)
	}
	minutes := count(t, d, `SELECT round(actual_minutes)::int FROM promises WHERE outcome = 'called'`)
	if minutes != 12 {
		t.Errorf("the visitor was called after %d minutes", minutes)
	}
	d.act("consultant", first.ID, "recall", `{}`)
	d.set("consultant", first.ID, "in-session")
	d.forecast()
	if n := count(t, d, `SELECT count(*) FROM promises WHERE outcome IS NOT NULL`); n != 1 {
		t.Errorf("%d promises have ended", n)
	}
}

// A promise that cannot be judged ends with the reason as its outcome.
func TestPromiseIsCensored(t *testing.T) {
	for _, c := range []struct {
		action, body, kind, want string
		pinned                   bool
	}{
		{action: "leave", body: `{}`, kind: "join", want: "left"},
		{action: "cancel", body: `{}`, kind: "join", want: "cancelled"},
		{action: "hold", body: `{"reason":"papers"}`, kind: "join", want: "held"},
		{action: "class", body: `{"class":"priority"}`, kind: "join", want: "moved"},
		{action: "pin", body: fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant")), kind: "join", want: "pinned"},
		{action: "transfer", body: fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant2")), kind: "join",
			want: "transferred"},
	} {
		t.Run(c.action, func(t *testing.T) {
			d := newDesk(t)
			d.openDesks("consultant")
			v := d.lined("Visitor")
			d.forecast()
			if a := d.act("pa", v.ID, c.action, c.body); a.status != http.StatusOK {
				t.Fatalf("%s answered %d %s", c.action, a.status, a.text)
			}
			d.forecast()
			if got := d.outcome(v.ID, c.kind); got != c.want {
				t.Errorf("the promise is %s", got)
			}
		})
	}
}

func TestPromiseOfDeniedVisitor(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.arrive("Denied")
	d.forecast()
	if got := d.outcome(v.ID, "new"); got != "open" {
		t.Fatalf("the promise is %s", got)
	}
	d.set("pa", v.ID, "denied")
	d.forecast()
	if got := d.outcome(v.ID, "new"); got != "denied" {
		t.Errorf("the promise is %s", got)
	}
}

// If the first call is undone, the promise is not judged: it has the outcome undone, and the next call does not change
// it.
func TestUndoneCallIsNoResolution(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.lined("Visitor")
	d.forecast()
	d.next("consultant")
	d.forecast()
	d.act("consultant", v.ID, "undo", `{}`)
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "undone" {
		t.Fatalf("the promise is %s", got)
	}
	d.next("consultant")
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "undone" {
		t.Errorf("the promise is %s", got)
	}
}

// If a later call is undone, the promise keeps the outcome of the first call, even if the visit was reopened meanwhile.
func TestUndoneLaterCallLeavesThePromise(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.lined("Visitor")
	d.forecast()
	d.next("consultant")
	d.set("consultant", v.ID, "in-session")
	d.set("consultant", v.ID, "completed")
	d.act("pa", v.ID, "reopen", `{}`)
	d.next("consultant")
	if a := d.act("consultant", v.ID, "undo", `{}`); a.status != http.StatusOK {
		t.Fatalf("the undo answered %d %s", a.status, a.text)
	}
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "called" {
		t.Errorf("the promise is %s", got)
	}
}

// A promise that is open at the end of its day gets the outcome day-over on the next day.
func TestPromiseEndsWithDay(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.lined("Left over")
	d.forecast()
	exec(t, d.owner, `UPDATE promises SET made_at = made_at - interval '1 day'`)
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "day-over" {
		t.Errorf("the promise is %s", got)
	}
}

func TestCallBeforeRangeIsNoPromise(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	v := d.lined("Quick")
	d.next("consultant")
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "none" {
		t.Errorf("the promise is %s", got)
	}
}

// Each part of a session and each unanswered call that events report becomes one sitting.
func TestSittingsFollowEvents(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO office (notice_version, policy) VALUES ('', '{"missAfterSeconds":0}')`)
	v := d.lined("Visitor")
	d.next("consultant")
	d.act("consultant", v.ID, "miss", `{}`)
	d.act("consultant", v.ID, "back", `{}`)
	d.next("consultant")
	d.set("consultant", v.ID, "in-session")
	d.act("consultant", v.ID, "hold", `{"reason":"papers"}`)
	d.set("consultant", v.ID, "in-session")
	d.set("consultant", v.ID, "completed")
	d.act("consultant", v.ID, "undo", `{}`)
	d.forecast()
	d.forecast()
	var ended string
	row := d.owner.QueryRow(t.Context(), `SELECT string_agg(ended_as, ' ' ORDER BY no) FROM sittings`)
	if err := row.Scan(&ended); err != nil || ended != "missed held" {
		t.Errorf("the sittings are %q, %v", ended, err)
	}
	d.set("consultant", v.ID, "completed")
	d.forecast()
	if n := count(t, d, `SELECT count(*) FROM sittings WHERE ended_as = 'completed' AND started_at >= called_at`); n != 1 {
		t.Errorf("%d sittings were completed", n)
	}
}

// A PA sees if a pinned visitor would be called much sooner without the pin.
func TestPinThatCosts(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant", "consultant2")
	exec(t, d.owner, `UPDATE services SET est_minutes = 60`)
	for i := range 3 {
		v := d.arrive("Pinned")
		d.set("pa", v.ID, "approved", to("consultant"))
		if i == 0 {
			d.set("consultant", v.ID, "in-session")
		}
	}
	d.forecast()
	a := d.as("pa", http.MethodGet, "/api/visits/line", "")
	if len(a.Line) != 2 {
		t.Fatalf("the line is %s", a.text)
	}
	for _, place := range a.Line {
		if place.Forecast.Sooner == nil || *place.Forecast.Sooner < 15 {
			t.Errorf("the forecast of a pinned visitor is %+v", place.Forecast)
		}
	}
}
