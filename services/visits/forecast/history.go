package forecast

import (
	"cmp"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// history is what a change of a visit adds to the history: a promise that is due, an ended sitting, ended promises.
type history struct {
	owed    foresight.Kind // a promise of this kind is due from now on; "" for none
	sitting *foresight.Sitting
	undoes  bool // the visit's last sitting is removed, because it continues
	ends    []promiseEnd
}

// promiseEnd gives an outcome to promises of a visit: to those of one kind, or of all kinds if kind is "".
type promiseEnd struct {
	kind    foresight.Kind
	outcome string
	at      time.Time
	call    *time.Time // nil: open promises get the outcome; else promises that a call at this time has ended
}

// The outcomes of promises. Only promises that end with a call are judged.
const (
	outcomeCalled      = "called"
	outcomeLeft        = "left"
	outcomeNoShow      = "no-show"
	outcomeCancelled   = "cancelled"
	outcomeDenied      = "denied"
	outcomeHeld        = "held"
	outcomeTransferred = "transferred"
	outcomeMoved       = "moved"
	outcomePinned      = "pinned"
	outcomeUndone      = "undone"
	outcomeDayOver     = "day-over"
)

// censored has the outcomes of changes that end promises without a call. A correction can do so, too: see historyOf.
var censored = map[string]string{
	contract.VisitDenied: outcomeDenied, contract.VisitLeft: outcomeLeft, contract.VisitNoShow: outcomeNoShow,
	contract.VisitCancelled: outcomeCancelled, contract.VisitHeld: outcomeHeld,
	contract.VisitTransferred: outcomeTransferred, contract.VisitPinned: outcomePinned,
	contract.VisitMoved: outcomeMoved, contract.VisitPrioritised: outcomeMoved,
}

// historyOf returns what a committed change adds to the history. before is nil for a registration. Events of early
// releases have no stage, so it is derived from the status. The time of a change is UpdatedAt of the visit, not the
// time of the event, because visits can be imported.
func historyOf(kind string, before *contract.Visit, after contract.Visit) history {
	h, at := history{}, time.Time(after.UpdatedAt)
	if before == nil {
		if kind == contract.VisitCreated {
			h.owed = foresight.New
		}
		return h
	}
	if kind == contract.VisitUndone {
		h.undoes = goesOn(*before, after)
		h.ends = undoneEnds(*before, after, at)
		return h
	}
	h.sitting = sittingOf(at, *before, after)
	outcome, ends := censored[kind]
	switch {
	case kind == contract.VisitApproved && stageOf(after) == visit.StageWaiting:
		h.owed = foresight.Join
	case kind == contract.VisitCalled, kind == contract.VisitInSession:
		outcome, ends = outcomeCalled, true
	case kind == contract.VisitCorrected && before.ServiceID != after.ServiceID:
		outcome, ends = outcomeTransferred, true
	}
	if ends {
		h.ends = []promiseEnd{{outcome: outcome, at: at}}
	}
	return h
}

func stageOf(v contract.Visit) visit.Stage {
	return cmp.Or(visit.Stage(v.Stage), visit.StageOf(visit.Status(v.Status)))
}

// sittingOf returns the sitting that a change ended, or nil if it ended none.
func sittingOf(at time.Time, before, after contract.Visit) *foresight.Sitting {
	from, to := stageOf(before), stageOf(after)
	isMissed := from == visit.StageCalled && to == visit.StageMissed
	if before.ConsultantID == nil || !isMissed && (from != visit.StageInSession || to == from) {
		return nil
	}
	s := &foresight.Sitting{
		VisitID: before.ID, ServiceID: before.ServiceID, ConsultantID: *before.ConsultantID,
		Registered: *row.TimeOf(cmp.Or(before.ArrivedAt, &before.CreatedAt)),
		Joined:     *row.TimeOf(cmp.Or(before.DecidedAt, before.ArrivedAt, &before.CreatedAt)),
		Class:      line.Class(cmp.Or(before.Class, string(line.Normal))), Ended: at,
	}
	if isMissed {
		s.EndedAs, s.Called = foresight.Missed, *row.TimeOf(cmp.Or(before.CalledAt, &before.UpdatedAt))
		return s
	}
	s.Started = *row.TimeOf(cmp.Or(before.SatSince, before.StartedAt, &before.UpdatedAt))
	s.Called = s.Started
	if before.CallCount > 0 && before.CalledAt != nil { // otherwise the session began without a call
		s.Called = *row.TimeOf(before.CalledAt)
	}
	switch to {
	case visit.StageHeld:
		s.EndedAs = foresight.Held
	case visit.StageWaiting:
		s.EndedAs = foresight.Transferred
	default:
		s.EndedAs = foresight.Completed
	}
	return s
}

// goesOn reports whether an undone change had ended a sitting. That sitting then continues.
func goesOn(before, after contract.Visit) bool {
	from, to := stageOf(before), stageOf(after)
	return to == visit.StageInSession || from == visit.StageMissed && to == visit.StageCalled
}

// undoneEnds returns how an undo changes promises. The promises of an undone registration or approval end. If a call or
// the start of a session is undone, the promises that the call or start had ended get the outcome undone.
func undoneEnds(before, after contract.Visit, at time.Time) []promiseEnd {
	switch after.Undone {
	case contract.VisitCreated:
		return []promiseEnd{{outcome: outcomeUndone, at: at}}
	case contract.VisitApproved:
		return []promiseEnd{{kind: foresight.Join, outcome: outcomeUndone, at: at}}
	case contract.VisitCalled, contract.VisitInSession:
		return []promiseEnd{{outcome: outcomeUndone, at: at, call: row.TimeOf(&before.UpdatedAt)}}
	}
	return nil
}
