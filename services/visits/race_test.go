package visits_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

const busyTries = 30

// retried sends a call again, up to busyTries times, while the response is busy or busy_key, as clients do.
func retried(call func() answer) (got answer) {
	for range busyTries {
		if got = call(); got.Code != "busy" && got.Code != "busy_key" {
			break
		}
	}
	return got
}

// together runs n calls concurrently, with retries, and returns their answers.
func together(n int, call func(i int) answer) []answer {
	answers := make([]answer, n)
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			answers[i] = retried(func() answer { return call(i) })
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
	return answers
}

func statuses(answers []answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.status]++
	}
	return counts
}

// S1.staff.01: a hundred concurrent registrations get unique tokens without gaps.
func TestAHundredTokensAtOnceAreDense(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	answers := together(100, func(i int) answer {
		return d.as("reception", http.MethodPost, "/api/visits", d.visitor(fmt.Sprintf("Visitor %d", i)))
	})
	made := 0
	for _, a := range answers {
		if a.status == http.StatusCreated {
			made++
		} else if a.status != http.StatusServiceUnavailable {
			t.Errorf("a create answered %d %s", a.status, a.text)
		}
	}
	// ASVS 2.3.4
	if made == 0 || count(t, d, `SELECT count(DISTINCT token_no) FROM visits`) != made ||
		count(t, d, `SELECT max(token_no) FROM visits`) != made {
		t.Errorf("%d visits made, tokens up to %d", made, count(t, d, `SELECT max(token_no) FROM visits`))
	}
}

// T21: of 64 concurrent decisions about one visit exactly one is applied.
func TestOneDecisionWins(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	for round := range rounds {
		v := d.arrive(fmt.Sprint("Round ", round))
		answers := together(64, func(i int) answer {
			if i%2 == 0 {
				return d.set("pa", v.ID, "approved", to("consultant"))
			}
			return d.set("pa2", v.ID, "denied")
		})
		winners := map[string]bool{}
		for _, a := range answers {
			switch a.status {
			case http.StatusOK:
				winners[a.Visit.Status] = true
			case http.StatusConflict, http.StatusServiceUnavailable:
			default:
				t.Errorf("a decision answered %d %s", a.status, a.text)
			}
		}
		// ASVS 15.4.2
		if len(winners) != 1 {
			t.Fatalf("round %d: winners %v of %v", round, winners, statuses(answers))
		}
		if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1`, v.ID); n != 2 {
			t.Fatalf("round %d: %d events", round, n)
		}
	}
}

// T21, S4.transition.09: after 64 concurrent starts of one consultant's eight visits, exactly one visit is in session.
func TestOneSessionAtATime(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	for range rounds {
		var ids []string
		for i := range 8 {
			v := d.arrive(fmt.Sprint("Visitor ", i))
			d.set("pa", v.ID, "approved", to("consultant"))
			ids = append(ids, v.ID)
		}
		answers := together(64, func(i int) answer { return d.set("consultant", ids[i%8], "in-session") })
		for _, a := range answers {
			if a.status != http.StatusOK && a.status != http.StatusConflict &&
				a.status != http.StatusServiceUnavailable {
				t.Errorf("a start answered %d %s", a.status, a.text)
			}
		}
		// ASVS 2.3.4, 15.4.2
		if n := count(t, d, `SELECT count(*) FROM visits WHERE status = 'in-session'`); n != 1 {
			t.Fatalf("%d visits in session, answers %v", n, statuses(answers))
		}
		exec(
			t,
			d.owner,
			`UPDATE visits SET status = 'completed', completed_at = now(), started_at = now()
				WHERE status IN ('in-session', 'approved')`,
		)
	}
}

// T21, I2: 64 requests with one key create one visit, and each that succeeds returns this visit.
func TestOneKeyMakesOneVisit(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	for round := range rounds {
		key := fmt.Sprintf("round-%08d", round)
		body := d.visitor("Asha")
		answers := together(64, func(int) answer {
			return d.as("reception", http.MethodPost, "/api/visits", body, "Idempotency-Key", key)
		})
		ids, replayed := map[string]bool{}, 0
		for _, a := range answers {
			switch a.status {
			case http.StatusCreated:
				ids[a.Visit.ID+a.Visit.Token] = true
				if a.header.Get("Idempotency-Replayed") == "true" {
					replayed++
				}
			case http.StatusConflict, http.StatusServiceUnavailable:
			default:
				t.Errorf("a create answered %d %s", a.status, a.text)
			}
		}
		// ASVS 15.4.2
		if len(ids) != 1 || count(t, d, `SELECT count(*) FROM visits`) != round+1 {
			t.Fatalf("round %d: %d visits, %d replayed, %v", round, len(ids), replayed, statuses(answers))
		}
	}
	other := d.as("reception", http.MethodPost, "/api/visits", d.visitor("Ravi"), "Idempotency-Key", "round-00000000")
	if other.status != http.StatusUnprocessableEntity || other.Code != "key_reused" {
		t.Errorf("another body under the key answered %d %s", other.status, other.text)
	}
	create := func(person, key string) answer {
		return d.as(person, http.MethodPost, "/api/visits", d.visitor("Asha"), "Idempotency-Key", key)
	}
	second := create("reception2", "round-00000000")
	if second.status != http.StatusCreated || second.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("the same key of another user answered %d %s", second.status, second.text)
	}
	if short := create("reception", "short"); short.status != http.StatusBadRequest {
		t.Errorf("a short key answered %d", short.status)
	}
}

// T21: 64 completions of one session succeed, or find the service busy, and publish one event.
func TestConcurrentCompletionsMakeOneChange(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	for range rounds {
		v := d.arrive("Asha")
		d.set("pa", v.ID, "approved", to("consultant"))
		d.set("consultant", v.ID, "in-session")
		answers := together(64, func(int) answer { return d.set("consultant", v.ID, "completed", `"notes":"filed"`) })
		for _, a := range answers {
			if a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
				t.Errorf("a completion answered %d %s", a.status, a.text)
			}
		}
		if n := count(t, d, `SELECT count(*) FROM outbox WHERE entity_id = $1`, v.ID); n != 4 {
			t.Fatalf("%d events", n)
		}
	}
}

// I7: a session that is started while the previous one is being completed is rejected, or starts after its end.
func TestSessionsOfAConsultantDoNotOverlap(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	running := d.inSession("Asha")
	for range 20 {
		next := d.arrive("Ravi")
		d.set("pa", next.ID, "approved", to("consultant"))
		called := make(chan answer)
		start := func() answer { return d.set("consultant", next.ID, "in-session") }
		go func() { called <- retried(start) }()
		retried(func() answer { return d.set("consultant", running.ID, "completed") })
		a := <-called
		if a.status == http.StatusConflict && a.Code == "session_active" {
			a = retried(start)
		}
		if a.status != http.StatusOK {
			t.Fatalf("the next session was answered %d %s", a.status, a.text)
		}
		if n := count(
			t, d, `SELECT count(*) FROM visits a, visits b
			WHERE a.id = $1 AND b.id = $2 AND a.completed_at < b.started_at`, running.ID, next.ID,
		); n != 1 {
			t.Fatal("a session began before the one before had ended")
		}
		running = next
	}
}
