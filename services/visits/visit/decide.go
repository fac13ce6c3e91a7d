package visit

import (
	"slices"
	"strings"
	"time"
)

// RecallAfter is the shortest time from the last call of a visitor to a recall.
const RecallAfter = 10 * time.Second

// Outcome is the result of Decide.
type Outcome int

// The outcomes.
const (
	Apply    Outcome = iota // make the change
	Repeated                // the same actor has made the change before: change nothing
	Rejected                // reject the request with the error
)

// Decide reports whether an actor's request is applied, is a repetition, or is rejected with an error. The order of the
// checks is that of the API: role, owner, repetition, version, stage, and further conditions of the action.
func (v Visit) Decide(by Actor, want Request, facts Facts) (Outcome, error) {
	rule, known := RuleOf(want.Action)
	grant, granted := rule.Grant(by.Role)
	if !known || !granted {
		return Rejected, ErrForbidden
	}
	if want.Action == Undo {
		return v.decideUndo(by, want, facts)
	}
	fits := slices.Contains(rule.From, v.Stage)
	if fits && grant.From != nil && !slices.Contains(grant.From, v.Stage) {
		return Rejected, ErrForbidden
	}
	repeats := v.repeats(by, want, rule, facts)
	if err := v.owned(by, grant.Of, facts); err != nil && (!repeats || want.Action != Release) {
		return Rejected, err // a repeated Release is exempt: the first Release may have ended the ownership
	}
	if repeats {
		return Repeated, nil
	}
	if want.Version != nil && *want.Version != v.Version {
		return Rejected, ErrStale
	}
	if !fits {
		return Rejected, v.illegal(want.Action)
	}
	if by.Role == Visitor && !v.permitsVisitor(want, facts) {
		return Rejected, v.illegal(want.Action)
	}
	if err := v.permits(by, want, facts); err != nil {
		return Rejected, err
	}
	if err := v.fits(by, want, facts); err != nil {
		return Rejected, err
	}
	return Apply, nil
}

// owned returns an error unless the grant covers the visit.
func (v Visit) owned(by Actor, of Ownership, facts Facts) error {
	own := same(v.ConsultantID, by.ID)
	switch {
	case of == Own && !own, of == Eligible && !own && !facts.Eligible:
		return ErrNotAssigned
	case of == RegisteredToday && (v.CreatedBy != by.ID || v.Day != facts.Today):
		return ErrForbidden
	}
	return nil
}

// illegal returns the error for an action that the visit's stage, or another condition, does not allow.
func (v Visit) illegal(action Action) error {
	switch action {
	case Approve, Deny:
		return &DecidedError{Status: v.Status}
	case Start:
		return &TransitionError{From: v.Status, To: InSession}
	case Complete:
		return &TransitionError{From: v.Status, To: Completed}
	}
	return &ActionError{Stage: v.Stage}
}

// permits checks the conditions of an action other than its stage.
func (v Visit) permits(by Actor, want Request, facts Facts) error {
	switch want.Action {
	case Recall:
		return v.calledBefore(facts.At, RecallAfter)
	case Miss:
		if v.CallCount < 2 {
			return v.calledBefore(facts.At, facts.MissAfter)
		}
	case Resume:
		if v.Stage == StageWaiting && !v.RankAt.Before(facts.DayStart) {
			return &ActionError{Stage: v.Stage}
		}
	case Reopen:
		if v.Day != facts.Today && v.End().Before(facts.DayStart) {
			return &ActionError{Stage: v.Stage}
		}
	case Start:
		if v.ConsultantID == nil && want.Consultant == nil {
			return v.illegal(Start)
		}
		return v.free(by, v.starter(want), facts)
	case Take:
		if v.ConsultantID != nil {
			return v.illegal(Take)
		}
		return v.free(by, want.Consultant.ID, facts)
	case Call, Next:
		return v.free(by, want.Consultant.ID, facts)
	}
	return nil
}

// VisitorReopensFor is how long visitors can undo that they have left.
const VisitorReopensFor = 10 * time.Minute

// Late is the reason of a hold for a visitor who comes later.
const Late = "late"

// permitsVisitor checks the conditions of a visitor's action. A visitor can begin and end only holds for being late,
// and can reopen only a visit that the visitor has left a short while ago.
func (v Visit) permitsVisitor(want Request, facts Facts) bool {
	switch want.Action {
	case Hold:
		return want.Reason == Late
	case Resume:
		return v.HeldReason == Late
	case Reopen:
		return same(v.EndedBy, Visitor) && facts.At.Sub(*v.EndedAt) <= VisitorReopensFor
	}
	return true
}

func (v Visit) calledBefore(at time.Time, least time.Duration) error {
	if passed := at.Sub(*v.CalledAt); passed < least {
		return &TooSoonError{Wait: least - passed}
	}
	return nil
}

// starter returns the consultant whose session starts. For a visitor who waits for any consultant, an admin names the
// consultant.
func (v Visit) starter(want Request) string {
	if v.ConsultantID != nil {
		return *v.ConsultantID
	}
	return want.Consultant.ID
}

// free returns an error if the consultant has called another visitor or has a running session.
func (v Visit) free(by Actor, consultantID string, facts Facts) error {
	for _, other := range facts.Engaged {
		if other.ID != v.ID && other.ConsultantID == consultantID {
			return other.Refuses(by)
		}
	}
	return nil
}

// Refuses returns the error for an actor who wants to give the consultant another visitor. The error names the
// consultant unless the consultant is the actor.
func (e Engagement) Refuses(by Actor) error {
	name := e.ConsultantName
	if e.ConsultantID == by.ID {
		name = ""
	}
	if e.Stage == StageInSession {
		return &SessionActiveError{Consultant: name}
	}
	return &CallOpenError{Token: e.Token, Consultant: name}
}

// repeats reports whether the request repeats the actor's own last change. A request with notes that the visit does not
// have is no repetition.
func (v Visit) repeats(by Actor, want Request, rule Rule, facts Facts) bool {
	if want.addsNotes() && !strings.Contains(*v.notesOf(by, want.Action), want.Notes) {
		return false
	}
	switch want.Action {
	case Approve:
		return v.Status == Approved && same(v.DecidedBy, by.ID) &&
			(want.ToLine && !v.Pinned || want.Consultant != nil && same(v.ConsultantID, want.Consultant.ID))
	case Deny:
		return v.Stage == StageDenied && same(v.DecidedBy, by.ID)
	case Start:
		return v.Stage == StageInSession && same(v.StartedBy, by.ID)
	case Complete:
		return v.Stage == StageCompleted && same(v.CompletedBy, by.ID)
	case Recall:
		return false
	case Resume, Transfer:
		if v.Stage == StageWaiting && v.RankAt.Before(facts.DayStart) { // left over from an earlier day
			return false
		}
	}
	last := facts.Last
	if last == nil || last.Event != rule.Event || last.ActorID != by.ID {
		return false
	}
	return v.has(want) || by.Role == Visitor && want.Action == Hold // a second request has another Until
}

func (v Visit) has(want Request) bool {
	switch want.Action {
	case Call:
		return v.Stage == StageCalled && same(v.ConsultantID, want.Consultant.ID)
	case Take:
		return v.Stage == StageInSession && same(v.ConsultantID, want.Consultant.ID)
	case Hold:
		return v.HeldReason == want.Reason && v.HeldNote == want.Notes && sameTime(v.HeldUntil, want.Until)
	case Transfer, Pin:
		ofService := want.Service == nil || v.ServiceID == want.Service.ID
		if want.Consultant == nil {
			return ofService && !v.Pinned
		}
		return ofService && same(v.ConsultantID, want.Consultant.ID)
	case Move:
		return want.InPlace && v.MovedReason == want.Reason
	case Prioritise:
		return v.Class == want.Class
	case Correct:
		return v.corrected(want) == v
	}
	return true
}

func same(known *string, id string) bool { return known != nil && *known == id }

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// Attend returns an error unless the actor may read and write the notes of the running and of earlier sessions. Until
// the visit is over, the assigned consultant and admins may. Errors: ErrNotAssigned, ErrOver.
func (v Visit) Attend(by Actor) error {
	switch {
	case by.Role != admin && !same(v.ConsultantID, by.ID):
		return ErrNotAssigned
	case v.Stage.Over():
		return ErrOver
	}
	return nil
}
