package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// behindADecision runs n calls while a decision on another visit cannot commit, so that they are decided together.
func (d *desk) behindADecision(n int, call func(i int) answer) []answer {
	d.t.Helper()
	first := d.arrive("First")
	exec(d.t, d.owner, `BEGIN`)
	exec(d.t, d.owner, `LOCK TABLE outbox IN SHARE MODE`)
	decided := make(chan answer, 1)
	go func() { decided <- retried(func() answer { return d.set("pa2", first.ID, "denied") }) }()
	testkit.Eventually(
		d.t, "the first decision waits",
		func() bool { return count(d.t, d, blocked) == 1 },
	)
	released := make(chan struct{})
	go func() {
		defer close(released)
		time.Sleep(50 * time.Millisecond)
		exec(d.t, d.owner, `COMMIT`)
	}()
	answers := together(n, call)
	<-released
	if a := <-decided; a.status != http.StatusOK {
		d.t.Errorf("the first decision answered %d %s", a.status, a.text)
	}
	return answers
}

func TestConcurrentDecisionsShareACommit(t *testing.T) {
	const clients = 48
	d := newDesk(t)
	d.unchecked = true
	var waiting []*visitBody
	for i := range clients {
		waiting = append(waiting, d.arrive(fmt.Sprint("Visitor ", i)))
	}
	people := []string{"pa", "pa2"}
	decisions := []string{`"denied"`, `"approved",` + to("consultant"), `"approved",` + to("consultant2")}
	answers := d.behindADecision(clients, func(i int) answer {
		body := fmt.Sprintf(`{"status":%s,"notes":"notes %d"}`, decisions[i%3], i)
		return d.as(
			people[i%2],
			http.MethodPut,
			"/api/visits/"+waiting[i].ID+"/status",
			body,
			"X-Request-Id",
			fmt.Sprint("request-", i),
		)
	})
	for i, a := range answers {
		if a.status != http.StatusOK {
			t.Fatalf("%d answered %d %s", i, a.status, a.text)
		}
		status, consultant := "denied", ""
		if i%3 > 0 {
			status, consultant = "approved", testkit.ID([]string{"", "consultant", "consultant2"}[i%3])
		}
		assigned := a.Visit.AssignedConsultantID
		if a.Visit.ID != waiting[i].ID || a.Visit.Status != status || a.Visit.PANotes != fmt.Sprint("notes ", i) ||
			a.Visit.Version != 2 ||
			(consultant == "") != (assigned == nil) ||
			assigned != nil && *assigned != consultant {
			t.Errorf("%d answered %s", i, a.text)
		}
	}
	if commits := count(
		t, d, `SELECT count(DISTINCT xmin::text) FROM visits WHERE status <> 'new'`,
	); commits > clients/2 {
		t.Errorf("%d commits for %d decisions", commits, clients)
	}
	own := `SELECT count(*) FROM outbox o JOIN visits v ON o.entity_id = v.id::text
		WHERE o.type = 'visit_' || v.status AND o.version = 2 AND o.before->>'status' = 'new'
			AND o.actor->>'id' = v.decided_by AND o.after->>'decidedByName' = v.decided_by_name
			AND o.after->>'consultantId' IS NOT DISTINCT FROM v.consultant_id
			AND 'notes ' || substr(o.request_id, 9) = v.pa_notes`
	if matching := count(t, d, own); matching != clients {
		t.Errorf("%d of %d events have the data of their own request", matching, clients)
	}
}

// A rejected decision gets the same response in a batch as alone, and the other decisions of the batch are committed.
func TestARejectedDecisionDoesNotFailItsBatch(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `INSERT INTO consultants VALUES ($1, 'Gone', false)`, testkit.ID("gone"))
	id := func(name string) string { return d.arrive(name).ID }
	over, mine, twice := id("Over"), id("Mine"), id("Twice")
	d.set("pa2", over, "denied")
	d.set("pa", mine, "approved", to("consultant"))
	type request struct {
		person, id, status, more string
		code                     int
		reason                   string
	}
	requests := []request{
		{"pa", id("Stale"), "denied", `"version":9`, http.StatusPreconditionFailed, "stale_version"},
		{"pa", over, "approved", to("consultant"), http.StatusConflict, "visit_already_decided"},
		{"pa", "01890000-0000-7000-8000-00000000dead", "denied", `"notes":""`, http.StatusNotFound, "not_found"},
		{"pa", id("Unknown's"), "approved", to("unknown"), http.StatusUnprocessableEntity, "consultant_unavailable"},
		{"pa", id("Gone's"), "approved", to("gone"), http.StatusUnprocessableEntity, "consultant_unavailable"},
		{
			"pa", id("No id's"), "approved", `"assigned_consultant_id":"no id"`,
			http.StatusUnprocessableEntity, "consultant_unavailable",
		},
		{"pa", over, "approved", to("unknown"), http.StatusConflict, "visit_already_decided"},
		{"pa", id("Late's"), "approved", to("late"), http.StatusOK, ""},
		{"pa", mine, "approved", to("consultant"), http.StatusOK, ""}, // a retry
		{"pa", twice, "denied", `"notes":""`, http.StatusOK, ""},
		{"pa", twice, "denied", `"notes":""`, http.StatusOK, ""},
	}
	for i := range 12 {
		requests = append(
			requests,
			request{"admin", id(fmt.Sprint("Visitor ", i)), "approved", to("consultant2"), http.StatusOK, ""},
		)
	}
	d.unchecked = true
	published := count(t, d, `SELECT count(*) FROM outbox WHERE type <> 'visit_created'`)
	for i, a := range d.behindADecision(len(requests), func(i int) answer {
		r := requests[i]
		return d.set(r.person, r.id, r.status, r.more)
	}) {
		if r := requests[i]; a.status != r.code || a.Code != r.reason {
			t.Errorf("%+v answered %d %s", r, a.status, a.text)
		}
	}
	if more := count(t, d, `SELECT count(*) FROM outbox WHERE type <> 'visit_created'`) - published; more != 1+1+1+12 {
		t.Errorf("%d decisions were published", more)
	}
}

func TestAFailedDecisionDoesNotFailItsBatch(t *testing.T) {
	const clients = 16
	d := newDesk(t)
	d.unchecked = true
	d.failWrites("UPDATE", "Visitor 5")
	var waiting []*visitBody
	for i := range clients {
		waiting = append(waiting, d.arrive(fmt.Sprint("Visitor ", i)))
	}
	answers := d.behindADecision(clients, func(i int) answer { return d.set("pa", waiting[i].ID, "denied") })
	got := statuses(answers)
	if answers[5].status != http.StatusInternalServerError || got[http.StatusOK] != clients-1 {
		t.Errorf("answers %v, the unlucky one's %d", got, answers[5].status)
	}
}

// If another transaction has locked a visit or a consultant, only decisions that need the locked row wait.
func TestALockedVisitDelaysOnlyItsOwnDecision(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	var waiting []*visitBody
	for i := range 10 {
		waiting = append(waiting, d.arrive(fmt.Sprint("Visitor ", i)))
	}
	exec(t, d.owner, `BEGIN`)
	exec(t, d.owner, `SELECT FROM visits WHERE id = $1 FOR UPDATE`, waiting[0].ID)
	exec(t, d.owner, `UPDATE consultants SET is_active = is_active WHERE id = $1`, testkit.ID("consultant2"))
	held := make(chan answer, 2)
	answers := together(10, func(i int) answer {
		switch i {
		case 0:
			go func() { held <- d.set("pa", waiting[0].ID, "denied") }()
			return answer{}
		case 1:
			go func() { held <- d.set("pa", waiting[1].ID, "approved", to("consultant2")) }()
			return answer{}
		}
		return d.set("pa", waiting[i].ID, "approved", to("consultant"))
	})
	if made := statuses(answers)[http.StatusOK]; made != 8 {
		t.Errorf("%d of the other 8 were decided: %v", made, statuses(answers))
	}
	exec(t, d.owner, `ROLLBACK`)
	for range 2 {
		if a := <-held; a.status != http.StatusOK && a.Code != "busy" {
			t.Errorf("a held one answered %d %s", a.status, a.text)
		}
	}
}
