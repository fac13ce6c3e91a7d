package visits_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// leaves returns the visit as its paired desk sends it after the visitor has left.
func (n noted) leaves() noted {
	n.more = fmt.Sprintf(`,"left_at":%q`, time.Now().UTC().Format(time.RFC3339Nano))
	return n
}

// If the visitor leaves before the response arrives, the paired desk sends the visit again with left_at.
func TestAVisitorWhoLeavesAfterTheVisitWasSentHasLeft(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	sentBefore, online := noteOf("A", 1), noteOf("A", 2)
	d.send(t, "reception", "A", today, sentBefore) // the response is lost
	a := d.as("reception", http.MethodPost, "/api/visits", d.visitor(online.name), "Idempotency-Key", online.key)
	if a.status != http.StatusCreated {
		t.Fatal(a.text)
	}
	done, _ := d.send(t, "reception", "A", today, sentBefore.leaves(), online.leaves())
	wantStates(t, done, "A-001 known, T-001 merged")
	for _, s := range done {
		if s.Visit.Queue.Stage != "left" || d.stage(s.Visit.ID) != "left" {
			t.Errorf("%s of a visitor who has left is %s", s.State, s.Visit.Queue.Stage)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_left'
		AND actor->>'name' = 'The reception'`); n != 2 {
		t.Errorf("%d visitors have left", n)
	}
}

// left_at of a paired desk does not end a visit that the office has decided on meanwhile.
func TestALateLeftOfADeskDoesNotEndAVisitThatWentOn(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	n := noteOf("A", 1)
	done, _ := d.send(t, "reception", "A", today, n)
	d.must("approve", d.set("pa", done[0].Visit.ID, "approved", `"line":true`), "waiting")
	done, _ = d.send(t, "reception", "A", today, n.leaves())
	wantStates(t, done, "A-001 known")
	if stage := done[0].Visit.Queue.Stage; stage != "waiting" || d.stage(done[0].Visit.ID) != "waiting" {
		t.Errorf("a visitor in the line is %s", stage)
	}
}
func TestTheNumberOfAMergedSlipIsNotGivenAgain(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	id := mergeOne(t, d, today, 4)
	if days := d.lease(t, "A", 0).Days; days[0].Last != 4 || days[1].Last != 0 {
		t.Errorf("the last numbers of A are %+v", days)
	}
	if last := d.lease(t, "B", 0).Days[0].Last; last != 0 {
		t.Errorf("the last number of B is %d", last)
	}
	exec(t, d.owner, `UPDATE visits SET office_day = office_day - 1 WHERE id = $1`, id)
	if last := d.lease(t, "A", 0).Days[0].Last; last != 0 {
		t.Errorf("the series of today begins after %d", last)
	}
}

func TestADeskSendsWhatItHasNotedUpToThirtyDaysAgo(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.lease(t, "A", 0)
	exec(t, d.owner, `INSERT INTO desk_leases
		SELECT DISTINCT device_id, (now() AT TIME ZONE 'Asia/Kolkata')::date - g FROM desk_leases,
			generate_series(30, 31) AS g`)
	exec(t, d.owner, `UPDATE offline_desks SET contact_at = contact_at - interval '40 days'`)
	d.lease(t, "A", 1) // deletes older leases
	var oldest, gone string
	if err := d.owner.QueryRow(t.Context(), `SELECT (today - 30)::text, (today - 31)::text
		FROM (SELECT (now() AT TIME ZONE 'Asia/Kolkata')::date AS today) d`).Scan(&oldest, &gone); err != nil {
		t.Fatal(err)
	}
	done, _ := d.send(t, "reception", "A", oldest, noteOf("A", 1))
	wantStates(t, done, "A-001 created")
	if done[0].Visit.Day != oldest {
		t.Errorf("registered on %s, noted on %s", done[0].Visit.Day, oldest)
	}
	_, a := d.send(t, "reception", "A", gone, noteOf("A", 2))
	d.rejects("a visit of 31 days ago", a, http.StatusUnprocessableEntity, "no_lease")
}

// An arrival is stored as no earlier than the last contact without unsent visits and the start of the slip's day.
func TestNoArrivalIsBeforeTheLastEmptyContactNorBeforeTheDay(t *testing.T) {
	d, zone := newDesk(t).midday()
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	exec(t, d.owner, `UPDATE offline_desks SET contact_at = contact_at - interval '3 days'`)
	yesterday := noteOf("A", 1)
	yesterday.arrived = time.Now().Add(-30 * time.Hour)
	d.send(t, "reception", "A", today, yesterday)
	if n := count(t, d, `SELECT count(*) FROM visits WHERE token_no = 1 AND token_series = 'A'
		AND arrived_at = date_trunc('day', now() AT TIME ZONE $1) AT TIME ZONE $1`, zone); n != 1 {
		t.Error("a slip of today has an arrival of yesterday")
	}
	d.lease(t, "A", 0)
	early := noteOf("A", 2)
	early.arrived = time.Now().Add(-2 * time.Hour)
	done, _ := d.send(t, "reception", "A", today, early)
	if n := count(t, d, `SELECT count(*) FROM visits
		WHERE id = $1 AND arrived_at > now() - interval '1 hour'`, done[0].Visit.ID); n != 1 {
		t.Errorf("it arrived at %s, before the last contact", done[0].Visit.Offline.ArrivedAt)
	}
}

// If auth is unavailable, the paired desk is not treated as revoked, so it keeps its visits and tries again.
func TestADeskIsNotRevokedWhileAuthDoesNotAnswer(t *testing.T) {
	d := newDesk(t)
	lease := func() answer {
		return d.as("reception", http.MethodPost, "/api/visits/offline/lease", `{"unsent":1}`, "Baari-Device", "device-A")
	}
	d.rejects("without auth", lease(), http.StatusServiceUnavailable, "unavailable")
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(away.Close)
	d.with(func(deps *visits.Deps) { deps.Auth = identity.NewClient(away.URL, testkit.Keys("visits"), "auth") })
	d.rejects("auth answers 503", lease(), http.StatusServiceUnavailable, "unavailable")
	_, a := d.send(t, "reception", "A", "2026-11-28", noteOf("A", 1))
	d.rejects("a send while auth answers 503", a, http.StatusServiceUnavailable, "unavailable")
	if n := count(t, d, `SELECT count(*) FROM visits`); n != 0 {
		t.Errorf("%d visits", n)
	}
}
