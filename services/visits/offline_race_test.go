package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// These tests send concurrent requests of paired desks. Each has as many rounds as the other race tests.

// racingDesks returns an office with paired desks, and the day for which desk A has a lease.
func racingDesks(t *testing.T) (d *desk, today string) {
	t.Helper()
	d = newDesk(t)
	pairDesks(d)
	d.unchecked = true
	return d, d.lease(t, "A", 0).Days[0].Day
}

// sendAtOnce sends each note from the paired desk of its series, all at the same time, and returns the results.
func (d *desk) sendAtOnce(t *testing.T, day string, series []string, notes []noted) []sent {
	t.Helper()
	answers := make([][]sent, len(notes))
	together(len(notes), func(i int) (a answer) {
		answers[i], a = d.send(t, []string{"reception", "reception2"}[i%2], series[i], day, notes[i])
		return a
	})
	return slices.Concat(answers...)
}

// wantMerges fails the test unless there are wantAll visits, wantMerged visits with a second token, and wantMerged
// events of a merge.
func (d *desk) wantMerges(t *testing.T, wantAll, wantMerged int) {
	t.Helper()
	all := count(t, d, `SELECT count(*) FROM visits`)
	merged := count(t, d, `SELECT count(*) FROM visits WHERE token_also <> ''`)
	events := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_merged'`)
	if all != wantAll || merged != wantMerged || events != wantMerged {
		t.Errorf("%d visits, %d with a second token, %d events", all, merged, events)
	}
}

// unanswered registers a visitor online. The paired desk does not get the response.
func (d *desk) unanswered(t *testing.T, note noted) {
	t.Helper()
	a := d.as("reception", http.MethodPost, "/api/visits", d.visitor(note.name), "Idempotency-Key", note.key)
	if a.status != http.StatusCreated {
		t.Fatalf("the registration answered %d %s", a.status, a.text)
	}
}

// If several windows send the same slip, one request merges it, and the others return the same visit.
func TestASlipThatIsSentTwiceAtOnceIsMergedOnce(t *testing.T) {
	d, today := racingDesks(t)
	for round := range rounds {
		note := noteOf("A", round+1)
		d.unanswered(t, note)
		merged := 0
		for _, s := range d.sendAtOnce(t, today, []string{"A", "A", "A", "A"}, []noted{note, note, note, note}) {
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
	d.wantMerges(t, rounds, rounds)
}

// Two paired desks with copies of one disk have given the same number to two visitors, whose registrations got no
// response. One of the two visits gets the number as its second token. The other slip is refused as series_conflict,
// and its visit keeps its own token.
func TestOneOfTwoDesksMergesItsNumber(t *testing.T) {
	d, today := racingDesks(t)
	for round := range rounds {
		notes := []noted{noteOf("A", round+1), noteOf("A", round+1)}
		notes[1].key += "-copy"
		for _, note := range notes {
			d.unanswered(t, note)
		}
		var outcomes []string
		for _, s := range d.sendAtOnce(t, today, []string{"A", "A"}, notes) {
			outcomes = append(outcomes, s.State+s.Code)
		}
		slices.Sort(outcomes)
		if !slices.Equal(outcomes, []string{"merged", "refusedseries_conflict"}) {
			t.Errorf("round %d: %v", round, outcomes)
		}
	}
	d.wantMerges(t, 2*rounds, rounds)
}

// A registration reaches the service at the same time as the slip of its paired desk. There is only one visit: either
// both requests return it, or the registration is refused.
func TestARegistrationAndItsSlipAtOnceAreOneVisit(t *testing.T) {
	d, today := racingDesks(t)
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
		if len(done) != 1 { // the key was busy, so the paired desk sends the visit again
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

// Two paired desks send slips with the key of the same registration, as after a copy of the browser's data. There is
// one visit. Its second token is that of the desk that was first. Both desks get the visit.
func TestTwoDesksWithOneRegistrationGetOneVisit(t *testing.T) {
	d, today := racingDesks(t)
	d.lease(t, "B", 0)
	for round := range rounds {
		notes := []noted{noteOf("A", round+1), noteOf("B", round+1)}
		notes[1].key = notes[0].key
		d.unanswered(t, notes[0])
		var outcomes, ids []string
		for _, s := range d.sendAtOnce(t, today, []string{"A", "B"}, notes) {
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
	d.wantMerges(t, rounds, rounds)
}

// Two paired desks of different series, with copies of one disk, send the same registration, each with another author.
// There is one visit, with the token of the desk that was first.
func TestOneRegistrationOfTwoDesksIsOneVisit(t *testing.T) {
	d, today := racingDesks(t)
	d.lease(t, "B", 0)
	for round := range rounds {
		notes := []noted{noteOf("A", round+1), noteOf("B", round+1)}
		notes[1].key, notes[1].madeBy = notes[0].key, "reception2"
		var outcomes []string
		for _, s := range d.sendAtOnce(t, today, []string{"A", "B"}, notes) {
			outcomes = append(outcomes, s.State+s.Code)
		}
		slices.Sort(outcomes)
		if !slices.Equal(outcomes, []string{"created", "known"}) {
			t.Errorf("round %d: %v", round, outcomes)
		}
	}
	d.wantMerges(t, rounds, 0)
}
