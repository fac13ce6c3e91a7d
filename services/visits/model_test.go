package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"baari.dev/services/platform/testkit"
)

// model is a small model of the queue. The test compares each response of the service with that of the model.
type model struct {
	visits []modelVisit
}

type modelVisit struct {
	id, status, consultant string
	changedBy              map[string]string // user who set each status
}

var (
	before  = map[string]string{"approved": "new", "denied": "new", "in-session": "approved", "completed": "in-session"}
	senders = map[string]map[string]bool{
		"approved": {"pa": true, "admin": true}, "denied": {"pa": true, "admin": true},
		"in-session": {"consultant": true, "admin": true}, "completed": {"consultant": true, "admin": true},
	}
	roleOf = map[string]string{
		"reception": "reception", "reception2": "reception", "pa": "pa", "pa2": "pa",
		"consultant": "consultant", "consultant2": "consultant", "admin": "admin",
	}
)

// change returns the status and error code with which the model responds. It makes the change if the status is 200.
func (m *model) change(person string, i int, status, consultant string) (code int, reason string) {
	v := &m.visits[i]
	decision := before[status] == "new"
	switch {
	case !senders[status][roleOf[person]]:
		return 403, "forbidden"
	case !decision && roleOf[person] == "consultant" && v.consultant != person:
		return 403, "not_assigned"
	case v.status == status && v.changedBy[status] == person && (status != "approved" || v.consultant == consultant):
		return 200, ""
	case v.status != before[status] && decision:
		return 409, "visit_already_decided"
	case v.status != before[status]:
		return 409, "illegal_transition"
	}
	if status == "in-session" {
		for _, other := range m.visits {
			if other.status == "in-session" && other.consultant == v.consultant {
				return 409, "session_active"
			}
		}
	}
	if status == "approved" {
		v.consultant = consultant
	}
	v.status, v.changedBy[status] = status, person
	return 200, ""
}

// S4.status.01, S4.transition.01-12, S1.staff.01: random requests of all roles get the responses of the model. At the
// end the statuses agree, tokens have no gaps, and there is one event per change.
func TestRandomDaysAgreeWithTheModel(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	people := []string{"reception", "reception2", "pa", "pa2", "consultant", "consultant2", "admin"}
	rapid.Check(t, func(rt *rapid.T) {
		clearDay(t, d)
		m, changes := &model{}, 0
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			person := rapid.SampledFrom(people).Draw(rt, "person")
			if len(m.visits) == 0 || rapid.IntRange(0, 3).Draw(rt, "arrives") == 0 {
				changes += m.arrival(rt, d, person)
				continue
			}
			if rapid.IntRange(0, 5).Draw(rt, "rush") == 0 {
				changes += m.rush(rt, d, people)
				continue
			}
			i := rapid.IntRange(0, len(m.visits)-1).Draw(rt, "visit")
			status := rapid.SampledFrom([]string{"approved", "denied", "in-session", "completed"}).Draw(rt, "status")
			consultant := rapid.SampledFrom([]string{"consultant", "consultant2"}).Draw(rt, "consultant")
			was := m.visits[i].status
			code, reason := m.change(person, i, status, consultant)
			got := d.set(person, m.visits[i].id, status, to(consultant))
			// ASVS 2.3.1
			if got.status != code || got.Code != reason {
				rt.Fatalf(
					"%s sets visit %d from %s to %s: answered %d %s, the model says %d %s",
					person,
					i+1,
					was,
					status,
					got.status,
					got.text,
					code,
					reason,
				)
			}
			if code == http.StatusOK && was != status {
				changes++
			}
		}
		m.agrees(rt, d, changes)
	})
}

// arrival registers a visitor, if the user's role may do that, and returns the number of changes.
func (m *model) arrival(rt *rapid.T, d *desk, person string) int {
	got := d.as(person, http.MethodPost, "/api/visits", d.visitor(fmt.Sprint("Visitor ", len(m.visits)+1)))
	if role := roleOf[person]; role != "reception" && role != "admin" {
		if got.status != http.StatusForbidden {
			rt.Fatalf("%s registers a visitor: answered %d", person, got.status)
		}
		return 0
	}
	if want := fmt.Sprintf("T-%03d", len(m.visits)+1); got.status != http.StatusCreated || got.Visit.Token != want {
		rt.Fatalf("%s registers a visitor: answered %d %s, the model says %s", person, got.status, got.text, want)
	}
	m.visits = append(m.visits, modelVisit{id: got.Visit.ID, status: "new", changedBy: map[string]string{}})
	return 1
}

// rush sends concurrent decisions of random users, one for each visit, and returns the number of changes.
func (m *model) rush(rt *rapid.T, d *desk, people []string) (changes int) {
	type request struct {
		visit                      int
		person, status, consultant string
		code                       int
		reason                     string
	}
	var requests []request
	for i := range m.visits {
		w := request{
			visit:      i,
			person:     rapid.SampledFrom(people).Draw(rt, "person"),
			status:     rapid.SampledFrom([]string{"approved", "denied"}).Draw(rt, "status"),
			consultant: rapid.SampledFrom([]string{"consultant", "consultant2"}).Draw(rt, "consultant"),
		}
		was := m.visits[i].status
		w.code, w.reason = m.change(w.person, i, w.status, w.consultant)
		if w.code == http.StatusOK && was != w.status {
			changes++
		}
		requests = append(requests, w)
	}
	for i, got := range together(len(requests), func(i int) answer {
		return d.set(requests[i].person, m.visits[i].id, requests[i].status, to(requests[i].consultant))
	}) {
		if w := requests[i]; got.status != w.code || got.Code != w.reason {
			rt.Fatalf("of a rush %+v was answered %d %s", w, got.status, got.text)
		}
	}
	return changes
}

// agrees fails unless today's visits, their consultants and the number of events agree with the model.
func (m *model) agrees(rt *rapid.T, d *desk, changes int) {
	today := d.as("admin", http.MethodGet, "/api/visits/today", "")
	if len(today.Visits) != len(m.visits) {
		rt.Fatalf("today has %d visits, the model %d", len(today.Visits), len(m.visits))
	}
	for i, v := range m.visits {
		got := today.Visits[i]
		if got.ID != v.id || got.Status != v.status || got.Token != fmt.Sprintf("T-%03d", i+1) {
			rt.Errorf("visit %d is %s %s, the model says %s", i+1, got.Token, got.Status, v.status)
		}
		if v.consultant != "" &&
			(got.AssignedConsultantID == nil || *got.AssignedConsultantID != testkit.ID(v.consultant)) {
			rt.Errorf("visit %d is assigned to %v, the model says %s", i+1, got.AssignedConsultantID, v.consultant)
		}
	}
	if events := count(rt, d, `SELECT count(*) FROM outbox`); events != changes {
		rt.Errorf("%d changes were published as %d events", changes, events)
	}
}

func clearDay(t testing.TB, d *desk) {
	t.Helper()
	exec(t, d.owner, `TRUNCATE visits, session_drafts, visit_documents, acknowledgements, consents, day_counter, outbox`)
}
