package visits_test

import (
	"fmt"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// After a hold the session continues without a new call. The record of its second stretch must not repeat the call of
// the first, because the time from call to start would then include the first stretch.
func TestTheSecondStretchOfASessionIsNotCalledBeforeTheFirstHasEnded(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Visitor")
	d.must("next", d.next("consultant"), "called")
	d.must("start", d.set("consultant", v.ID, "in-session"), "in-session")
	exec(t, d.owner, `UPDATE visits SET called_at = called_at - interval '20 minutes',
		sat_since = sat_since - interval '19 minutes', started_at = started_at - interval '19 minutes' WHERE id = $1`, v.ID)
	d.must("hold", d.act("consultant", v.ID, "hold", `{"reason":"papers"}`), "held")
	d.must("start again", d.set("consultant", v.ID, "in-session"), "in-session")
	d.must("complete", d.set("consultant", v.ID, "completed"), "completed")
	d.forecast()
	if n := count(t, d, `SELECT count(*) FROM sittings a, sittings b WHERE a.no = 1 AND a.ended_as = 'held' AND b.no = 2
		AND b.ended_as = 'completed' AND b.called_at >= a.ended_at
		AND a.called_at < a.ended_at - interval '15 minutes'`); n != 1 {
		t.Error("the second stretch has the call of the first")
	}
}

// A visitor whose class changes before a forecast was shown gets a promise later; a visitor who leaves does not.
func TestAMoveBeforeTheFirstRangeKeepsWhatIsOwed(t *testing.T) {
	d := newDesk(t)
	moved, gone := d.lined("Moved"), d.lined("Gone")
	d.forecast() // No desk is open, so there is no forecast
	if a, b := d.outcome(moved.ID, "join"), d.outcome(gone.ID, "join"); a != "owed" || b != "owed" {
		t.Fatalf("the promises are %s and %s", a, b)
	}
	d.act("pa", moved.ID, "class", `{"class":"priority"}`)
	d.must("leave", d.act("pa", gone.ID, "leave", `{}`), "left")
	d.openDesks("consultant")
	d.forecast()
	if a, b := d.outcome(moved.ID, "join"), d.outcome(gone.ID, "join"); a != "open" || b != "none" {
		t.Errorf("the promises are %s and %s", a, b)
	}
}

// The undo of an approval ends the promise for the line; the undo of a registration ends all promises.
func TestUndoneApprovalsAndRegistrations(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	approved, mistake := d.arrive("Approved"), d.arrive("Mistake")
	d.forecast()
	d.must("approve", d.set("pa", approved.ID, "approved", `"line":true`), "waiting")
	d.forecast()
	d.must("undo", d.act("pa", approved.ID, "undo", `{}`), "new")
	d.must("undo", d.act("reception", mistake.ID, "undo", `{}`), "cancelled")
	d.forecast()
	for _, c := range [][3]string{
		{approved.ID, "join", "undone"}, {approved.ID, "new", "open"}, {mistake.ID, "new", "undone"},
	} {
		if got := d.outcome(c[0], c[1]); got != c[2] {
			t.Errorf("the promise %s is %s, want %s", c[1], got, c[2])
		}
	}
}

// A correction of the name keeps a promise. A correction of the service ends it as transferred.
func TestACorrectionOfTheServiceEndsThePromise(t *testing.T) {
	d := newDesk(t)
	gst := d.offering("GST")
	d.openDesks("consultant")
	named, served := d.lined("Asah"), d.lined("Ravi")
	d.forecast()
	d.must("correct", d.act("pa", named.ID, "correct", `{"name":"Asha"}`), "waiting")
	d.must("correct", d.act("pa", served.ID, "correct", fmt.Sprintf(`{"service_id":%q}`, gst.offered)), "waiting")
	d.forecast()
	if a, b := d.outcome(named.ID, "join"), d.outcome(served.ID, "join"); a != "open" || b != "transferred" {
		t.Errorf("the promises are %s and %s", a, b)
	}
}

// A promise of yesterday ends, but only after all events have been applied.
func TestWhatWasOwedYesterdayIsForgotten(t *testing.T) {
	d := newDesk(t)
	owed := d.lined("Without a desk")
	d.forecast()
	exec(t, d.owner, `UPDATE promises SET owed_at = owed_at - interval '1 day'`)
	d.forecast()
	if got := d.outcome(owed.ID, "join"); got != "none" {
		t.Errorf("the promise is %s", got)
	}
	d.openDesks("consultant")
	v := d.lined("Called at midnight")
	d.forecast()
	exec(t, d.owner, `UPDATE promises SET made_at = made_at - interval '1 day', owed_at = owed_at - interval '1 day'`)
	d.must("next", d.next("consultant"), "called") // Calls `owed`; the call's event has no number yet
	if err := d.service.ForecastNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.outcome(v.ID, "join"); got != "open" {
		t.Errorf("while an event is not applied the promise is %s", got)
	}
	d.forecast()
	if got := d.outcome(v.ID, "join"); got != "day-over" {
		t.Errorf("the promise is %s", got)
	}
}

// Sittings and promises that have ended are deleted after the retention period; open ones stay.
func TestForecastsAreForgotten(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	done, waits := d.lined("Done"), d.lined("Waits")
	d.forecast()
	d.must("next", d.next("consultant"), "called")
	d.must("start", d.set("consultant", done.ID, "in-session"), "in-session")
	d.must("complete", d.set("consultant", done.ID, "completed"), "completed")
	d.forecast()
	for _, c := range []struct {
		before          time.Time
		sittings, ended int
	}{{time.Now().Add(-time.Hour), 1, 1}, {time.Now().Add(time.Hour), 0, 0}} {
		for _, task := range d.service.Retention() {
			if task.Name == "forecasts" {
				if _, err := task.Erase(t.Context(), c.before); err != nil {
					t.Fatal(err)
				}
			}
		}
		ended := count(t, d, `SELECT count(*) FROM promises WHERE outcome = 'called' AND kind = 'join'`)
		if n := count(t, d, `SELECT count(*) FROM sittings`); n != c.sittings || ended != c.ended {
			t.Errorf("before %v there are %d sittings and %d promises", c.before, n, ended)
		}
	}
	if got := d.outcome(waits.ID, "join"); got != "open" {
		t.Errorf("the open promise is %s", got)
	}
}

// The forecast uses the state of a desk: away until a time, closing earlier, or calling only its own visitors.
func TestAForecastKnowsWhatTheDeskIsDoing(t *testing.T) {
	for what, c := range map[string]struct {
		desk string // SQL that sets the desk's columns
		far  bool   // the forecast begins in more than an hour
		note string
	}{
		"open":                   {desk: `state = 'open'`},
		"on a break":             {desk: `state = 'break', back_at = now() + interval '2 hours'`, far: true},
		"closed before it calls": {desk: `state = 'open', until = now() - interval '1 second'`, note: "may_not_be_today"},
		"its last visitors":      {desk: `state = 'last'`, note: "may_not_be_today"},
		"off":                    {desk: `state = 'off'`, note: "nobody_at_desk"},
	} {
		t.Run(what, func(t *testing.T) {
			d, _ := newDesk(t).midday()
			d.openDesks("consultant")
			exec(t, d.owner, `UPDATE desks SET `+c.desk+` WHERE consultant_id = $1`, testkit.ID("consultant"))
			v := d.lined("Waits")
			d.forecast()
			f := d.queued(v.ID).Queue.Forecast
			note := ""
			if f != nil && f.Note != nil {
				note = *f.Note
			}
			if f == nil || note != c.note || note == "" && f.From == nil {
				t.Fatalf("the forecast is %+v, note %q", f, note)
			}
			if note == "" && (parse(t, *f.From).Sub(parse(t, f.MadeAt)) > time.Hour) != c.far {
				t.Errorf("made at %s, the range begins at %s", f.MadeAt, *f.From)
			}
		})
	}
}

// If a desk closes earlier than the office, it calls visitors until its own closing time.
func TestADeskMayCloseBeforeTheOffice(t *testing.T) {
	d, _ := newDesk(t).midday()
	d.openDesks("consultant")
	exec(t, d.owner, `INSERT INTO office (notice_version, hours)
		VALUES ('', '[{"days":"Monday-Sunday","open":"12:00 AM","close":"11:00 PM"}]')
		ON CONFLICT (only_row) DO UPDATE SET hours = EXCLUDED.hours`)
	for until, note := range map[string]string{"- interval '1 second'": "may_not_be_today", "+ interval '10 hours'": ""} {
		exec(t, d.owner, `UPDATE desks SET until = now() `+until+` WHERE consultant_id = $1`, testkit.ID("consultant"))
		v := d.lined("Waits " + note)
		d.forecast()
		f := d.queued(v.ID).Queue.Forecast
		if f == nil || (f.Note != nil) != (note != "") || f.Note != nil && *f.Note != note {
			t.Errorf("until now %s: the forecast is %+v, want the note %q", until, f, note)
		}
	}
}

func TestTheForecastOfWhoHasLeftIsDropped(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant")
	left, waits := d.lined("Left"), d.lined("Waits")
	d.forecast()
	d.must("leave", d.act("pa", left.ID, "leave", `{}`), "left")
	d.forecast()
	if n := count(t, d, `SELECT count(*) FROM forecasts WHERE visit_id = $1`, waits.ID); n != 1 ||
		count(t, d, `SELECT count(*) FROM forecasts`) != 1 {
		t.Error("the forecasts are not those of who waits")
	}
}
