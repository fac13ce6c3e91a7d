package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// lockCounter locks the counter of the day, which every registration needs, until release is called.
func lockCounter(t *testing.T, d *desk) (release func()) {
	t.Helper()
	exec(t, d.owner, `BEGIN`)
	exec(
		t,
		d.owner,
		`INSERT INTO day_counter VALUES ((now() AT TIME ZONE $1)::date, 0)
			ON CONFLICT (day) DO UPDATE SET last = day_counter.last`,
		zone,
	)
	return func() { exec(t, d.owner, `COMMIT`) }
}

const blocked = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

// Concurrent registrations share a commit; each event has the actor and the request id of its own request.
func TestConcurrentRegistrationsShareACommit(t *testing.T) {
	const clients = 48
	d := newDesk(t)
	d.unchecked = true
	release := lockCounter(t, d)
	go func() {
		for count(t, d, blocked) == 0 { // the first waits for its token, the others wait for the first
			time.Sleep(time.Millisecond)
		}
		release()
	}()
	answers := together(clients, func(i int) answer {
		desk := []string{"reception", "reception2"}[i%2]
		return d.as(
			desk,
			http.MethodPost,
			"/api/visits",
			d.visitor(fmt.Sprint("Visitor ", i)),
			"X-Request-Id",
			fmt.Sprint("request-", i),
			"Idempotency-Key",
			fmt.Sprintf("key-%08d", i),
		)
	})
	if got := statuses(answers); got[http.StatusCreated] != clients {
		t.Fatalf("answers %v", got)
	}
	if dense := count(
		t, d, `SELECT count(DISTINCT token_no) FROM visits WHERE token_no BETWEEN 1 AND $1`, clients,
	); dense != clients {
		t.Errorf("%d different tokens of %d", dense, clients)
	}
	if commits := count(t, d, `SELECT count(DISTINCT xmin::text) FROM visits`); commits > clients/2 {
		t.Errorf("%d commits for %d visits", commits, clients)
	}
	own := `SELECT count(*) FROM outbox o JOIN visits v ON o.entity_id = v.id::text
		WHERE o.type = 'visit_created' AND o.actor->>'id' = v.created_by
			AND 'Visitor ' || substr(o.request_id, 9) = v.name AND o.after->>'tokenNo' = v.token_no::text`
	if matching := count(t, d, own); matching != clients {
		t.Errorf("%d of %d events have the data of their own request", matching, clients)
	}
	for i, a := range answers {
		again := d.as(
			[]string{"reception", "reception2"}[i%2],
			http.MethodPost,
			"/api/visits",
			d.visitor(fmt.Sprint("Visitor ", i)),
			"Idempotency-Key",
			fmt.Sprintf("key-%08d", i),
		)
		if again.header.Get("Idempotency-Replayed") != "true" || again.text != a.text {
			t.Fatalf("%d answered %s, then %s", i, a.text, again.text)
		}
	}
}

// A registration whose statement fails and one of an unknown service are rejected; the rest have tokens without gaps.
func TestOneFailedRegistrationDoesNotFailItsBatch(t *testing.T) {
	const clients = 24
	d := newDesk(t)
	d.unchecked = true
	d.failWrites("INSERT", "Unlucky")
	answers := together(clients, func(i int) answer {
		body := d.visitor(fmt.Sprint("Visitor ", i))
		switch i {
		case 5:
			body = d.visitor("Unlucky")
		case 6:
			body = `{"name":"Asha","phone":"9876543210","service_id":"01890000-0000-7000-8000-00000000dead"}`
		}
		return d.as("reception", http.MethodPost, "/api/visits", body, "Idempotency-Key", fmt.Sprintf("key-%08d", i))
	})
	if answers[5].status != http.StatusInternalServerError || answers[6].status/100 != 4 {
		t.Errorf("the two that cannot be made answered %d and %d", answers[5].status, answers[6].status)
	}
	made := statuses(answers)[http.StatusCreated]
	if made != clients-2 ||
		count(t, d, `SELECT count(DISTINCT token_no) FROM visits WHERE token_no BETWEEN 1 AND $1`, made) != made {
		t.Errorf("%d of %d were made: %v", made, clients-2, statuses(answers))
	}
	if kept := count(t, d, `SELECT count(*) FROM idempotency WHERE answer IS NULL OR actor_id = ''`); kept != 0 {
		t.Errorf("%d keys are stored without an answer", kept)
	}
}

func TestALockedKeyDelaysOnlyItsOwnRequests(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	exec(t, d.owner, `BEGIN`)
	exec(
		t,
		d.owner,
		`INSERT INTO idempotency (actor_id, route, idem_key, meaning)
			VALUES ($1, 'POST /api/visits', 'key-in-use', '')`,
		testkit.ID("reception"),
	)
	held := make(chan answer, 1)
	answers := together(9, func(i int) answer {
		if i == 0 {
			go func() {
				body := d.visitor("Asha")
				held <- d.as("reception", http.MethodPost, "/api/visits", body, "Idempotency-Key", "key-in-use")
			}()
			return answer{}
		}
		return d.as(
			"reception",
			http.MethodPost,
			"/api/visits",
			d.visitor(fmt.Sprint("Visitor ", i)),
			"Idempotency-Key",
			fmt.Sprintf("key-%08d", i),
		)
	})
	if made := statuses(answers)[http.StatusCreated]; made != 8 {
		t.Errorf("%d of the other 8 were made: %v", made, statuses(answers))
	}
	exec(t, d.owner, `ROLLBACK`)
	if a := <-held; a.status != http.StatusCreated && a.Code != "busy_key" {
		t.Errorf("the held one answered %d %s", a.status, a.text)
	}
}
