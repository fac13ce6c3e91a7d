package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// What two desks send at the same moment. Each part has as many rounds as the races of decisions.

// merges returns how many visits there are, how many of them have a second token, and the events of merges.
func (d *desk) merges(t *testing.T) (all, merged, events int) {
	t.Helper()
	return count(t, d, `SELECT count(*) FROM visits`), count(t, d, `SELECT count(*) FROM visits WHERE token_also <> ''`),
		count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_merged'`)
}

// unanswered registers a visitor online, without an answer to the desk.
func (d *desk) unanswered(t *testing.T, note noted) {
	t.Helper()
	a := d.as("reception", http.MethodPost, "/api/visits", d.visitor(note.name), "Idempotency-Key", note.key)
	if a.status != http.StatusCreated {
		t.Fatalf("the registration answered %d %s", a.status, a.text)
	}
}

// One slip is sent from several windows: one of them merges it, and the others get the same visit.
func TestASlipThatIsSentTwiceAtOnceIsMergedOnce(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	for round := range rounds {
		note := noteOf("A", round+1)
		d.unanswered(t, note)
		answers := make([][]sent, 4)
		together(len(answers), func(i int) (a answer) {
			answers[i], a = d.send(t, []string{"reception", "reception2"}[i%2], "A", today, note)
			return a
		})
		merged := 0
		for _, s := range slices.Concat(answers...) {
			if s.State == "merged" {
				merged++
			}
			if s.Visit == nil || s.Visit.TokenAlso != fmt.Sprintf("A-%03d", note.number) {
				t.Errorf("round %d decided %+v", round, s)
			}
		}
		if merged != 1 {
			t.Errorf("round %d: merged %d times", round, merged)
		}
		done, _ := d.send(t, "reception", "A", today, note)
		wantStates(t, done, fmt.Sprintf("T-%03d known", round+1))
	}
	if all, merged, events := d.merges(t); all != rounds || merged != rounds || events != rounds {
		t.Errorf("%d visits, %d with a second token, %d events", all, merged, events)
	}
}

// Two desks with one disk have given one number to two visitors, whose registrations were not answered: one of the two
// visits gets the token, the other desk is told, and its visitor keeps the token of the registration.
func TestOneOfTwoDesksMergesItsNumber(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	for round := range rounds {
		notes := []noted{noteOf("A", round+1), noteOf("A", round+1)}
		notes[1].key += "-copy"
		for _, note := range notes {
			d.unanswered(t, note)
		}
		answers := make([][]sent, len(notes))
		together(len(notes), func(i int) (a answer) {
			answers[i], a = d.send(t, "reception", "A", today, notes[i])
			return a
		})
		var outcomes []string
		for _, s := range slices.Concat(answers...) {
			outcomes = append(outcomes, s.State+s.Code)
		}
		slices.Sort(outcomes)
		if !slices.Equal(outcomes, []string{"merged", "refusedseries_conflict"}) {
			t.Errorf("round %d: %v", round, outcomes)
		}
	}
	if all, merged, events := d.merges(t); all != 2*rounds || merged != rounds || events != rounds {
		t.Errorf("%d visits, %d with a second token, %d events", all, merged, events)
	}
}

// A registration whose answer was lost is repeated while the desk sends its slip: there is one visit. Either both are
// answered with it, or the registration is refused and prints nothing.
func TestARegistrationAndItsSlipAtOnceAreOneVisit(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	for round := range rounds {
		note := noteOf("A", round+1)
		var done []sent
		answers := together(2, func(i int) (a answer) {
			if i == 0 {
				return d.as("reception", http.MethodPost, "/api/visits", d.visitor(note.name), "Idempotency-Key", note.key)
			}
			done, a = d.send(t, "reception", "A", today, note)
			return a
		})
		if len(done) != 1 { // the key was busy, and the desk sends it again
			done, _ = d.send(t, "reception", "A", today, note)
		}
		registered := answers[0]
		switch outcome := fmt.Sprint(registered.status, states(done)); {
		case len(done) != 1 || done[0].Visit == nil:
			t.Errorf("round %d: %s", round, outcome)
		case registered.status == http.StatusCreated:
			if done[0].State != "merged" || done[0].Visit.ID != registered.Visit.ID {
				t.Errorf("round %d: registered and %s", round, outcome)
			}
		case done[0].State != "created" || registered.status < 400 || registered.status >= 500:
			t.Errorf("round %d: refused and %s", round, outcome)
		}
	}
	if all := count(t, d, `SELECT count(*) FROM visits`); all != rounds {
		t.Errorf("%d visits of %d visitors", all, rounds)
	}
}

// The slips of two desks name one registration, as after a copy of the browser's data: it is one visit, with the token
// of the desk that was first, and both desks are answered with it.
func TestTwoDesksWithOneRegistrationGetOneVisit(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	d.unchecked = true
	today := d.lease(t, "A", 0).Days[0].Day
	d.lease(t, "B", 0)
	for round := range rounds {
		notes := map[string]noted{"A": noteOf("A", round+1), "B": noteOf("B", round+1)}
		same := notes["B"]
		same.key = notes["A"].key
		notes["B"] = same
		d.unanswered(t, notes["A"])
		desks := []string{"A", "B"}
		answers := make([][]sent, len(desks))
		together(len(desks), func(i int) (a answer) {
			answers[i], a = d.send(t, "reception", desks[i], today, notes[desks[i]])
			return a
		})
		var outcomes, ids []string
		for _, s := range slices.Concat(answers...) {
			outcomes = append(outcomes, s.State)
			if s.Visit != nil {
				ids = append(ids, s.Visit.ID+s.Visit.TokenAlso)
			}
		}
		slices.Sort(outcomes)
		if !slices.Equal(outcomes, []string{"known", "merged"}) || len(slices.Compact(ids)) != 1 {
			t.Errorf("round %d: %v %v", round, outcomes, ids)
		}
	}
	if all, merged, events := d.merges(t); all != rounds || merged != rounds || events != rounds {
		t.Errorf("%d visits, %d with a second token, %d events", all, merged, events)
	}
}
