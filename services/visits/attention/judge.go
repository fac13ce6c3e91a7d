package attention

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The kinds of entries, the most urgent first.
const (
	callUnanswered    = "call_unanswered"
	deskWithoutNumber = "desk_without_number"
	papersMissing     = "papers_missing"
	waitingLong       = "waiting_long"
	appointmentLate   = "appointment_late"
	pinAway           = "pin_away"
)

var kinds = []string{callUnanswered, deskWithoutNumber, papersMissing, waitingLong, appointmentLate, pinAway}

const (
	mostFound  = 50
	longAfter  = 5 * time.Minute  // a wait is listed this long after the end of the time range shown to the visitor
	breakAfter = 20 * time.Minute // a break is listed this long after it began
	askAgain   = 30 * time.Second // time after which a client asks again, because no event reports a new forecast
)

// The states of a desk.
const (
	deskOpen  = "open"
	deskBreak = "break"
	deskLast  = "last"
	deskOff   = "off"
)

// facts are the data from which the list is computed, read in one snapshot.
type facts struct {
	at           row.Point
	policy       line.Policy
	visits       []seenVisit
	desks        map[string]seenDesk // desks of the active consultants, by the consultant's id
	appointments []appointment
}

// seenVisit is a visit that is called, in session, or in today's line.
type seenVisit struct {
	visit.Visit
	papers   *row.Papers
	first    *time.Time // first call of the current series of calls; nil if unknown
	promised *time.Time // end of the range of times that the visitor was shown on joining the line
	owed     bool       // no range is shown yet, but one is expected
}

// seenDesk is the desk of an active consultant.
type seenDesk struct {
	id, name, state, counter string
	since                    time.Time // the Unix epoch if the desk's state was never set
}

// appointment is a confirmed appointment of today without a visit.
type appointment struct {
	id, service string
	slot        time.Time
}

// action is an action that roles may take for a finding, from a given time on; the zero time means at any time.
type action struct {
	name  string
	roles []string
	from  time.Time
}

var (
	assistants = []string{contract.RolePA, contract.RoleAdmin}
	reception  = []string{contract.RoleReception, contract.RoleAdmin}
	readers    = []string{contract.RoleReception, contract.RolePA, contract.RoleAdmin}
)

// finding is one entry of the list.
type finding struct {
	kind       string
	subject    string // id of the visit, the consultant or the appointment
	since      time.Time
	visit      *visit.Visit
	consultant *personBody
	counter    string
	values     valuesBody
	actions    []action
}

// judge returns what needs attention, the most urgent first, and the time at which the list can change without an
// event, or nil if it cannot.
func (f facts) judge() (found []finding, nextAt *time.Time) {
	judged := &judgement{now: f.at.Now}
	for _, v := range f.visits {
		switch v.Stage {
		case visit.StageCalled:
			judged.call(v, f.policy)
			judged.papers(v, v.firstCall())
		case visit.StageInSession:
			since := v.UpdatedAt
			if v.SatSince != nil {
				since = *v.SatSince
			}
			judged.papers(v, since)
		case visit.StageWaiting:
			judged.wait(v)
			judged.pin(v, f.desks)
		}
	}
	numbers := len(f.desks) > 1 || f.policy.RequireCounter
	for _, d := range f.desks {
		if numbers && d.counter == "" && (d.state == deskOpen || d.state == deskLast) {
			judged.add(finding{
				kind: deskWithoutNumber, subject: d.id, since: d.since, consultant: &personBody{d.id, d.name},
				actions: []action{{name: "number", roles: assistants}},
			})
		}
	}
	for _, a := range f.appointments {
		judged.appointment(a, f.policy.LateAppointment)
	}
	slices.SortFunc(judged.found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)), a.since.Compare(b.since),
			strings.Compare(a.subject, b.subject))
	})
	return judged.found[:min(len(judged.found), mostFound)], judged.next
}

// judgement collects findings, and the next time at which the list can change without an event.
type judgement struct {
	now   time.Time
	found []finding
	next  *time.Time
}

func (j *judgement) add(f finding) {
	for _, a := range f.actions {
		j.reached(a.from)
	}
	j.found = append(j.found, f)
}

// reached reports whether a time has come. If it has not, reached notes that the list can change at that time.
func (j *judgement) reached(at time.Time) bool {
	if !at.After(j.now) {
		return true
	}
	if j.next == nil || at.Before(*j.next) {
		j.next = &at
	}
	return false
}

func (j *judgement) call(v seenVisit, policy line.Policy) {
	if !v.CalledBySystem() && !j.reached(v.CalledAt.Add(policy.NudgeAfter)) {
		return
	}
	missAt := v.CalledAt.Add(policy.MissAfter)
	if v.CallCount > 1 {
		missAt = *v.CalledAt
	}
	j.add(v.finding(callUnanswered, v.firstCall(), valuesBody{Calls: v.CallCount, BySystem: v.CalledBySystem()},
		action{"recall", readers, v.CalledAt.Add(visit.RecallAfter)}, action{"miss", readers, missAt}))
}

func (v seenVisit) firstCall() time.Time {
	if v.first != nil {
		return *v.first
	}
	return *v.CalledAt
}

func (j *judgement) papers(v seenVisit, since time.Time) {
	if v.papers == nil || len(v.papers.Missing) == 0 {
		return
	}
	first := v.papers.Missing[0]
	j.add(v.finding(papersMissing, since, valuesBody{Paper: &first, More: len(v.papers.Missing) - 1},
		action{name: "papers", roles: readers}))
}

func (j *judgement) wait(v seenVisit) {
	if v.owed {
		j.reached(j.now.Add(askAgain))
	}
	if v.promised == nil || !j.reached(v.promised.Add(longAfter)) {
		return
	}
	j.add(v.finding(waitingLong, *v.promised, valuesBody{},
		action{name: "show", roles: readers}, action{name: "call", roles: assistants}))
}

// pin judges a visit that waits for one consultant. The desk of an inactive consultant is off.
func (j *judgement) pin(v seenVisit, desks map[string]seenDesk) {
	if !v.Pinned || v.ConsultantID == nil {
		return
	}
	d, active := desks[*v.ConsultantID]
	switch {
	case !active, d.state == deskOff:
		d.state = deskOff
	case d.state == deskBreak && j.reached(d.since.Add(breakAfter)):
	default:
		return
	}
	since := d.since
	if v.UpdatedAt.After(since) { // the visit may have been assigned after the consultant left
		since = v.UpdatedAt
	}
	j.add(v.finding(pinAway, since, valuesBody{Desk: d.state}, action{name: "line", roles: assistants}))
}

func (j *judgement) appointment(a appointment, late time.Duration) {
	if j.reached(a.slot.Add(late)) {
		j.add(finding{
			kind: appointmentLate, subject: a.id, since: a.slot, values: valuesBody{Service: a.service},
			actions: []action{{name: "show", roles: reception}},
		})
	}
}

func (v seenVisit) finding(kind string, since time.Time, values valuesBody, actions ...action) finding {
	f := finding{
		kind: kind, subject: v.ID, since: since, visit: &v.Visit, counter: v.Counter, values: values, actions: actions,
	}
	if v.ConsultantID != nil && v.ConsultantName != nil {
		f.consultant = &personBody{*v.ConsultantID, *v.ConsultantName}
	}
	return f
}
