package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

func (d *desk) sweep(afterClosing bool) {
	d.t.Helper()
	if err := d.service.SweepOnce(d.t.Context(), afterClosing); err != nil {
		d.t.Fatal(err)
	}
}

// closed sets opening hours by which the office has already closed, so that the sweep ends the day.
func (d *desk) closed() {
	d.t.Helper()
	exec(d.t, d.owner, `INSERT INTO office (notice_version, hours, policy)
		VALUES ('', $1, '{"sweepMinutesAfterClosing":0}')
		ON CONFLICT (only_row) DO UPDATE SET hours = EXCLUDED.hours, policy = EXCLUDED.policy`,
		`[{"days":"Monday-Sunday","open":"12:00 AM","close":"12:00 AM"}]`)
}

func (d *desk) deskState(consultant string) (state string) {
	d.t.Helper()
	if err := d.owner.QueryRow(d.t.Context(), `SELECT coalesce(max(state), 'none') FROM desks WHERE consultant_id = $1`,
		testkit.ID(consultant)).Scan(&state); err != nil {
		d.t.Fatal(err)
	}
	return state
}

func TestTheSweepEndsNothingWhileTheOfficeIsOpen(t *testing.T) {
	d, _ := newDesk(t).midday()
	called := d.lined("Called")
	d.must("next", d.next("consultant"), "called")
	d.openDesks("consultant2")
	d.wait(called.ID, 3700)
	d.sweep(true)
	if stage, state := d.stage(called.ID), d.deskState("consultant2"); stage != "called" || state != "open" {
		t.Errorf("during the day the visitor is %s and a desk %s", stage, state)
	}
}

// After closing, a visitor who was missed an hour ago becomes a no-show by the system. A visitor who was just called
// stays, and so does the desk of the call.
func TestTheSweepLeavesWhoWorksLateAlone(t *testing.T) {
	d := newDesk(t)
	missed, late := d.lined("Missed"), d.lined("Late")
	d.must("next", d.next("consultant2"), "called")
	d.wait(missed.ID, 61)
	d.must("miss", d.act("consultant2", missed.ID, "miss", `{}`), "missed")
	d.wait(missed.ID, 3700)
	d.must("next", d.next("consultant"), "called")
	d.closed()
	d.sweep(true)
	if a, b := d.stage(missed.ID), d.stage(late.ID); a != "no-show" || b != "called" {
		t.Errorf("who was missed is %s, who was just called %s", a, b)
	}
	if a, b := d.deskState("consultant2"), d.deskState("consultant"); a != "off" || b != "open" {
		t.Errorf("the free desk is %s, the one with a visitor %s", a, b)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_no_show' AND entity_id = $1
		AND actor->>'role' = 'system' AND actor->>'name' = 'System'`, missed.ID); n != 1 {
		t.Errorf("%d events of the no-show by the service", n)
	}
}

func TestTheSweepClosesTheDesksOfWhoIsNotActive(t *testing.T) {
	d := newDesk(t)
	d.openDesks("consultant", "consultant2")
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant2"))
	exec(t, d.owner, `UPDATE desks SET until = now() + interval '1 hour', back_at = now() + interval '1 hour'`)
	d.closed()
	d.sweep(true)
	if n := count(t, d, `SELECT count(*) FROM desks WHERE consultant_id = $1 AND state = 'off' AND until IS NULL
		AND back_at IS NULL`, testkit.ID("consultant2")); n != 1 {
		t.Error("the desk of a deactivated consultant is open")
	}
}

// Only a hold for being late ends by time, and only once the time has come.
func TestOnlyWhoIsLateComesBackByTheClock(t *testing.T) {
	d, _ := newDesk(t).midday()
	early, papers, due := d.lined("Early"), d.lined("Papers"), d.lined("Due")
	until := time.Now().Add(30 * time.Minute).UTC().Format(time.RFC3339)
	for id, reason := range map[string]string{early.ID: "late", papers.ID: "papers", due.ID: "late"} {
		d.must("hold", d.act("pa", id, "hold", fmt.Sprintf(`{"reason":%q,"until":%q}`, reason, until)), "held")
	}
	for _, id := range []string{papers.ID, due.ID} {
		exec(t, d.owner, `UPDATE visits SET held_until = now() - interval '1 s' WHERE id = $1`, id)
	}
	d.sweep(false)
	for id, want := range map[string]string{early.ID: "held", papers.ID: "held", due.ID: "waiting"} {
		if got := d.stage(id); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}

// The system resumes a late visitor. After closing, a called visitor who did not come is a no-show, and desks close.
func TestTheSweepEndsTheDay(t *testing.T) {
	d, _ := newDesk(t).midday()
	late, missed := d.lined("Late"), d.lined("Missed")
	until := time.Now().Add(time.Minute).UTC().Format(time.RFC3339)
	d.must("hold", d.act("pa", late.ID, "hold", fmt.Sprintf(`{"reason":"late","until":%q}`, until)), "held")
	d.must("next", d.next("consultant"), "called")
	d.wait(missed.ID, 3700)
	exec(t, d.owner, `UPDATE visits SET held_until = now() - interval '1 s' WHERE id = $1`, late.ID)
	d.sweep(false)
	if got := d.stage(late.ID); got != "waiting" {
		t.Errorf("who was late is %s", got)
	}
	d.closed()
	d.sweep(true)
	if got := d.stage(missed.ID); got != "no-show" {
		t.Errorf("who did not come is %s", got)
	}
	if n := count(t, d, `SELECT count(*) FROM desks WHERE state = 'off'`); n != 1 {
		t.Errorf("%d desks are closed", n)
	}
	// The screens learn of the closed desk by this event.
	if n := count(t, d, `SELECT count(*) FROM outbox o JOIN desks d ON d.consultant_id = o.entity_id
		WHERE o.type = 'desk_changed' AND o.actor IS NULL AND o.after->>'state' = 'off' AND o.version = d.version`); n != 1 {
		t.Errorf("%d events of closed desks", n)
	}
	d.sweep(true)
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'desk_changed'`); n != 1 {
		t.Errorf("after a second sweep there are %d events of desks", n)
	}
}

func TestAHoldOfAVisitorOfYesterdayEnds(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Late")
	d.taps(v.ID, "late", `,"minutes":20`, "held")
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1, held_until = now() - interval '1 s'
		WHERE id = $1`, v.ID)
	d.sweep(false)
	if n := count(t, d, `SELECT count(*) FROM visits WHERE stage = 'waiting'`); n != 1 {
		t.Error("the visitor of yesterday is still on hold")
	}
}

// The sweep deletes the drafts of visits that ended an hour ago or earlier. The draft of a visitor on hold stays.
func TestTheSweepDeletesDraftsOfVisitsThatHaveEnded(t *testing.T) {
	d := newDesk(t)
	for _, action := range []string{"leave", "cancel"} {
		v := d.inSession("Asha " + action)
		d.draftOf("consultant", v.ID, "Form 26AS matches")
		d.must("hold", d.act("consultant", v.ID, "hold", `{"reason":"papers"}`), "held")
		if a := d.act("reception", v.ID, action, `{}`); a.status != http.StatusOK {
			t.Fatalf("%s answered %d %s", action, a.status, a.text)
		}
	}
	for stage, status := range map[string]string{"no-show": "denied", "denied": "denied"} {
		v := d.inSession("Asha " + stage)
		d.draftOf("consultant", v.ID, "Form 26AS matches")
		exec(t, d.owner, `UPDATE visits SET stage = $2, status = $3, sat_since = NULL WHERE id = $1`, v.ID, stage, status)
	}
	held := d.inSession("Held")
	d.draftOf("consultant", held.ID, "waits for papers")
	d.must("hold", d.act("consultant", held.ID, "hold", `{"reason":"papers"}`), "held")
	d.closed()
	d.sweep(true)
	if n := count(t, d, `SELECT count(*) FROM session_drafts`); n != 5 {
		t.Errorf("%d drafts are left while the end can be undone", n)
	}
	exec(t, d.owner, `UPDATE visits SET updated_at = now() - interval '61 minutes' WHERE id <> $1`, held.ID)
	d.sweep(true)
	if n := count(t, d, `SELECT count(*) FROM session_drafts WHERE visit_id <> $1`, held.ID); n != 0 {
		t.Errorf("%d drafts outlived their visits", n)
	}
	if n := count(t, d, `SELECT count(*) FROM session_drafts`); n != 1 {
		t.Error("the draft of a visitor on hold is gone")
	}
}

// If two replicas sweep the same visit, the second one changes and counts nothing.
func TestASweepThatChangesNothingIsNotCounted(t *testing.T) {
	d, _ := newDesk(t).midday()
	registry := d.registry
	missed, late := d.lined("Missed"), d.lined("Late")
	d.must("next", d.next("consultant"), "called")
	d.wait(missed.ID, 3700)
	until := time.Now().Add(time.Minute).UTC().Format(time.RFC3339)
	d.must("hold", d.act("pa", late.ID, "hold", fmt.Sprintf(`{"reason":"late","until":%q}`, until)), "held")
	for _, c := range []struct {
		id, ends string
		action   visit.Action
	}{{missed.ID, "no-show", visit.Sweep}, {late.ID, "waiting", visit.Resume}} {
		done := func() float64 { return figures(t, registry)["baari_visit_actions_total "+string(c.action)] }
		before := done()
		for range 2 {
			if err := d.service.SweepVisit(t.Context(), c.id, c.action); err != nil {
				t.Fatal(err)
			}
			if got := done() - before; d.stage(c.id) != c.ends || got != 1 {
				t.Errorf("after %s the visitor is %s, counted %v times", c.action, d.stage(c.id), got)
			}
		}
	}
}

func TestDesksCloseAlthoughAnotherIsLocked(t *testing.T) {
	d, _ := newDesk(t).midday()
	late := d.lined("Late")
	until := time.Now().Add(time.Minute).UTC().Format(time.RFC3339)
	d.must("hold", d.act("pa", late.ID, "hold", fmt.Sprintf(`{"reason":"late","until":%q}`, until)), "held")
	d.openDesks("consultant", "consultant2")
	exec(t, d.owner, `UPDATE visits SET held_until = now() - interval '1 s'`)
	d.closed()
	exec(t, d.owner, `BEGIN`)
	exec(t, d.owner, `SELECT FROM visits FOR UPDATE`)
	exec(t, d.owner, `SELECT FROM desks ORDER BY consultant_id LIMIT 1 FOR UPDATE`)
	if err := d.service.SweepOnce(t.Context(), true); err == nil {
		t.Error("a visit that cannot be changed is no error")
	}
	exec(t, d.owner, `ROLLBACK`)
	if n := count(t, d, `SELECT count(*) FROM desks WHERE state = 'off'`); n != 1 {
		t.Errorf("%d desks are closed while one is locked", n)
	}
	d.sweep(true)
	if n := count(t, d, `SELECT count(*) FROM desks WHERE state = 'off'`); n != 2 || d.stage(late.ID) != "waiting" {
		t.Errorf("%d desks are closed, and the visitor is %s", n, d.stage(late.ID))
	}
}

// A replica that hangs loses the lock after the time limit of the lock, even if its pool has no statement timeout.
func TestAReplicaThatHangsLosesTheLock(t *testing.T) {
	d := newDesk(t)
	pool, err := postgres.OpenWithoutStatementTimeout(t.Context(), d.db.URL, d.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	other := row.NewDB(d.db.Pool, zone)
	err = row.NewDB(pool, zone).WithAdvisoryLock(t.Context(), "sweep", 10*time.Millisecond, func() error {
		testkit.Eventually(t, "another replica gets the lock", func() (got bool) {
			if err := other.WithAdvisoryLock(t.Context(), "sweep", time.Minute, func() error {
				got = true
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return got
		})
		return nil
	})
	if err == nil {
		t.Error("a lost lock is no error")
	}
}
