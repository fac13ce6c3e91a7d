package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"baari.dev/services/visits/attention"
)

// ages moves a visit's last call, its last change and the opening of its desk some seconds into the past.
func (d *desk) ages(id string, seconds int) {
	d.t.Helper()
	d.wait(id, seconds)
	exec(d.t, d.owner, `UPDATE visits SET updated_at = updated_at - make_interval(secs => $2) WHERE id = $1`, id, seconds)
	exec(d.t, d.owner, `UPDATE desks SET since = since - make_interval(secs => $2)
		WHERE consultant_id = (SELECT consultant_id FROM visits WHERE id = $1)`, id, seconds)
}

func (d *desk) followCalls() {
	d.t.Helper()
	if err := d.service.FollowOnce(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

// policy sets the rules of the line in the office document.
func (d *desk) policy(queue string) {
	d.t.Helper()
	exec(d.t, d.owner, `INSERT INTO office (notice_version, policy) VALUES ('', $1)
		ON CONFLICT (only_row) DO UPDATE SET policy = EXCLUDED.policy`, queue)
}

// hasCall fails unless a visit is in the given stage after the given number of calls. The last call must be the
// service's if bySystem is true, else a person's.
func (d *desk) hasCall(what, id, stage string, calls int, bySystem bool) {
	d.t.Helper()
	if n := count(d.t, d, `SELECT count(*) FROM visits WHERE id = $1 AND stage = $2 AND call_count = $3
		AND (called_by = '') = $4`, id, stage, calls, bySystem); n != 1 {
		d.t.Errorf("%s: the visit is not %s after %d calls, the last one by the service: %v", what, stage, calls, bySystem)
	}
}

const bySystem = `SELECT count(*) FROM outbox WHERE type = $1 AND actor->>'role' = 'system'
	AND actor->>'name' = 'System'`

// The service repeats an unanswered call once, with the actor System, and does nothing more.
func TestACallWithoutAnAnswerIsRepeatedOnce(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 60)
	d.followCalls()
	d.hasCall("before two minutes", v.ID, "called", 1, false)
	d.ages(v.ID, 61)
	d.followCalls()
	d.hasCall("after two minutes", v.ID, "called", 2, true)
	d.ages(v.ID, 4000)
	d.followCalls()
	d.hasCall("after an hour", v.ID, "called", 2, true)
	if n := count(t, d, bySystem, "visit_recalled"); n != 1 {
		t.Errorf("%d events of the service", n)
	}
	if got := figures(t, d.registry); got["baari_calls_followed_total recall"] != 1 ||
		got["baari_calls_followed_total miss"] != 0 {
		t.Errorf("counted %v", got)
	}
}

// The service repeats a call as often as the policy allows, unless a person has repeated it.
func TestACallThatAPersonRepeatsIsNotRepeatedByTheService(t *testing.T) {
	d := newDesk(t)
	d.policy(`{"autoRecall":2,"nudgeAfterSeconds":30}`)
	v, other := d.lined("Asha"), d.lined("Gopal")
	d.must("next", d.next("consultant"), "called")
	d.must("next", d.next("consultant2"), "called")
	d.ages(v.ID, 11)
	d.must("recall", d.act("reception", v.ID, "recall", `{}`), "called")
	for range 3 {
		d.ages(v.ID, 31)
		d.ages(other.ID, 31)
		d.followCalls()
	}
	d.hasCall("repeated by a person", v.ID, "called", 2, false)
	d.hasCall("repeated by the service", other.ID, "called", 3, true)
}

// The service marks a visitor as missed only if the office has set a time for that.
func TestAMissByTheServiceIsChosenByTheOffice(t *testing.T) {
	d := newDesk(t)
	d.policy(`{"autoMissAfterSeconds":300}`)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 121)
	d.followCalls()
	d.hasCall("after two minutes", v.ID, "called", 2, true)
	d.ages(v.ID, 290)
	d.followCalls()
	d.hasCall("before the time", v.ID, "called", 2, true)
	d.ages(v.ID, 11)
	d.followCalls()
	d.hasCall("after the time", v.ID, "missed", 2, true)
	if n := count(t, d, bySystem, "visit_missed"); n != 1 {
		t.Errorf("%d events of the service", n)
	}
}

// While the desk and the office are open, the service acts at AutoRecallAt and AutoMissAt of the called visit.
func TestTheServiceActsAtTheTimesOfACall(t *testing.T) {
	d := newDesk(t)
	d.policy(`{"nudgeAfterSeconds":90,"autoMissAfterSeconds":300}`)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	// checkAt checks the call 20 s before the given time and 1 s after it, by moving the call into the past.
	checkAt := func(what string, at *string, stage string, calls int) {
		t.Helper()
		then, err := time.Parse(time.RFC3339Nano, *at)
		if err != nil {
			t.Fatal(err)
		}
		before := calls
		if stage == "called" {
			before--
		}
		d.ages(v.ID, int(time.Until(then).Seconds())-20)
		d.followCalls()
		d.hasCall("before the "+what, v.ID, "called", before, before > 1)
		d.ages(v.ID, 21)
		d.followCalls()
		d.hasCall("at the "+what, v.ID, stage, calls, true)
	}
	checkAt("repetition", d.queued(v.ID).Queue.Call.AutoRecallAt, "called", 2)
	checkAt("miss", d.queued(v.ID).Queue.Call.AutoMissAt, "missed", 2)
}

// If a user undoes what the service has done, the service waits for the whole time again before it acts.
func TestWhatIsTakenBackIsNotDoneAgainAtOnce(t *testing.T) {
	d := newDesk(t)
	d.policy(`{"autoMissAfterSeconds":60}`)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 61)
	d.followCalls()
	d.hasCall("after a minute", v.ID, "missed", 1, false)
	d.must("undo", d.act("admin", v.ID, "undo", `{}`), "called")
	d.followCalls()
	d.hasCall("taken back", v.ID, "called", 1, false)
	d.ages(v.ID, 61)
	d.followCalls()
	d.hasCall("a minute later", v.ID, "missed", 1, false)

	d.policy(`{}`)
	again := d.lined("Gopal")
	d.must("next", d.next("consultant"), "called")
	d.ages(again.ID, 121)
	d.followCalls()
	d.must("undo", d.act("admin", again.ID, "undo", `{}`), "called")
	d.followCalls()
	d.hasCall("a repetition that is taken back", again.ID, "called", 1, false)
}

// Calls are followed up only during opening hours, and only at desks that are open or take their last visitors.
func TestCallsAreFollowedAtOpenDesksInOpeningHours(t *testing.T) {
	d, _ := newDesk(t).midday()
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 200)
	for _, c := range []struct {
		what, state, hours string
		calls              int
	}{
		{"on a break", "break", "", 1}, {"with a closed desk", "off", "", 1},
		{"before opening", "open", `[{"days":"Monday-Sunday","open":"2:00 PM","close":"7:00 PM"}]`, 1},
		{"in the lunch break", "open", `[{"days":"Monday-Sunday","open":"7:00 AM","close":"10:00 AM"},
			{"days":"Monday-Sunday","open":"5:00 PM","close":"9:00 PM"}]`, 1},
		{"after closing", "open", `[{"days":"Monday-Sunday","open":"7:00 AM","close":"10:00 AM"}]`, 1},
		{"with the last visitors", "last", `[{"days":"Monday-Sunday","open":"7:00 AM","close":"7:00 PM"}]`, 2},
	} {
		d.setDesk("consultant", fmt.Sprintf(`{"state":%q}`, c.state))
		exec(t, d.owner, `UPDATE desks SET since = since - interval '1 hour'`)
		d.hours(c.hours)
		d.followCalls()
		d.hasCall(c.what, v.ID, "called", c.calls, c.calls > 1)
	}
}

// hours sets the opening hours in the office document; "" removes them.
func (d *desk) hours(hours string) {
	d.t.Helper()
	exec(d.t, d.owner, `INSERT INTO office (notice_version, hours) VALUES ('', nullif($1, '')::jsonb)
		ON CONFLICT (only_row) DO UPDATE SET hours = EXCLUDED.hours`, hours)
}

// Time does not count while the desk is on a break, the office is closed or the service is not running. The first
// action after such a time repeats the call, however old it is.
func TestOnlyTheTimeInWhichCallsAreFollowedCounts(t *testing.T) {
	d, _ := newDesk(t).midday()
	d.policy(`{"autoMissAfterSeconds":300}`)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 4000)
	d.setDesk("consultant", `{"state":"break"}`)
	d.setDesk("consultant", `{"state":"open"}`)
	d.followCalls()
	d.hasCall("just after a break", v.ID, "called", 1, false)
	exec(t, d.owner, `UPDATE desks SET since = since - interval '1 hour'`)

	var watch attention.Watch
	follow := func(what string, calls int) {
		t.Helper()
		if err := d.service.FollowWatched(t.Context(), &watch); err != nil {
			t.Fatal(err)
		}
		d.hasCall(what, v.ID, "called", calls, calls > 1)
	}
	follow("just after the start", 1)
	hourAgo := watch.Since.Add(-time.Hour)
	watch.Since, watch.Last = hourAgo, watch.Last.Add(-time.Minute)
	follow("just after an outage", 1)
	watch.Since = hourAgo
	d.hours(`[{"days":"Monday-Sunday","open":"7:00 AM","close":"10:00 AM"},
		{"days":"Monday-Sunday","open":"5:00 PM","close":"9:00 PM"}]`)
	follow("in the lunch break", 1)
	d.hours("")
	follow("just after the lunch break", 1)
	watch.Since = watch.Since.Add(-121 * time.Second)
	follow("two minutes later", 2)
	d.ages(v.ID, 301)
	d.followCalls()
	d.hasCall("five minutes after the repetition", v.ID, "missed", 2, true)
}

// If several replicas follow up on calls at the same time, a call is repeated at most once. A change that a person
// makes meanwhile is kept.
func TestReplicasThatFollowAtOnceRepeatACallOnce(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.must("next", d.next("consultant"), "called")
	d.ages(v.ID, 200)
	var replicas errgroup.Group
	for range 4 {
		replicas.Go(func() error { return d.service.FollowOnce(t.Context()) })
	}
	replicas.Go(func() error {
		if got := d.act("consultant", v.ID, "leave", `{}`); got.status != http.StatusOK {
			return fmt.Errorf("leave answered %d %s", got.status, got.text)
		}
		return nil
	})
	if err := replicas.Wait(); err != nil {
		t.Fatal(err)
	}
	if stage := d.stage(v.ID); stage != "left" {
		t.Errorf("the visitor who left is %s", stage)
	}
	if n := count(t, d, bySystem, "visit_recalled"); n > 1 {
		t.Errorf("%d repetitions", n)
	}
}

func TestACallThatIsLockedDelaysNoOther(t *testing.T) {
	d := newDesk(t)
	held, other := d.lined("Asha"), d.lined("Gopal")
	d.must("next", d.next("consultant"), "called")
	d.must("next", d.next("consultant2"), "called")
	d.ages(held.ID, 300)
	d.ages(other.ID, 200)
	exec(t, d.owner, `BEGIN`)
	exec(t, d.owner, `SELECT FROM visits WHERE id = $1 FOR UPDATE`, held.ID)
	if err := d.service.FollowOnce(t.Context()); err == nil {
		t.Error("a call that cannot be changed is no error")
	}
	exec(t, d.owner, `ROLLBACK`)
	d.hasCall("locked", held.ID, "called", 1, false)
	d.hasCall("another desk's", other.ID, "called", 2, true)
	d.followCalls()
	d.hasCall("free again", held.ID, "called", 2, true)
}
