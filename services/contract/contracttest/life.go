package contracttest

import (
	"slices"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

var statusOf = map[string]string{
	contract.StageNew: contract.StatusNew, contract.StageWaiting: contract.StatusApproved,
	contract.StageCalled: contract.StatusApproved, contract.StageHeld: contract.StatusApproved,
	contract.StageMissed: contract.StatusApproved, contract.StageInSession: contract.StatusInSession,
	contract.StageCompleted: contract.StatusCompleted, contract.StageDenied: contract.StatusDenied,
	contract.StageLeft: contract.StatusDenied, contract.StageNoShow: contract.StatusDenied,
	contract.StageCancelled: contract.StatusDenied,
}

// moves lists the changes that a visit in each stage can have. A change that is listed several times is more frequent.
var moves = map[string][]string{
	contract.StageNew: {
		contract.VisitApproved, contract.VisitApproved, contract.VisitApproved, contract.VisitDenied,
		contract.VisitCancelled, contract.VisitPrioritised, contract.VisitLeft,
	},
	contract.StageWaiting: {
		contract.VisitCalled, contract.VisitCalled, contract.VisitInSession, contract.VisitPinned, contract.VisitMoved,
		contract.VisitHeld, contract.VisitTransferred, contract.VisitLeft, contract.VisitCorrected,
	},
	contract.StageCalled: {
		contract.VisitInSession, contract.VisitInSession, contract.VisitRecalled, contract.VisitMissed, contract.VisitHeld,
		contract.VisitNoShow, contract.VisitReleased,
	},
	contract.StageMissed: {contract.VisitReturned, contract.VisitCalled, contract.VisitLeft, contract.VisitNoShow},
	contract.StageHeld:   {contract.VisitResumed, contract.VisitCancelled, contract.VisitCorrected},
	contract.StageInSession: {
		contract.VisitCompleted, contract.VisitCompleted, contract.VisitHeld, contract.VisitTransferred,
	},
}

// live makes a random change, allowed by the stage, of the open visit at index i, or undoes the visit's last change. ok
// is false if the change needs a consultant who is busy or missing.
func (o *Office) live(i int) (change outbox.Change, ok bool) {
	visit := o.open[i]
	before := *visit
	if last, changed := o.last[visit.ID]; changed && o.random.IntN(12) == 0 {
		return o.undo(visit, last)
	}
	if visit.Stage == "" {
		o.stageOfStatus(visit)
	}
	choices := moves[visit.Stage]
	kind := choices[o.random.IntN(len(choices))]
	if !o.apply(visit, kind) {
		*visit = before
		return outbox.Change{}, false
	}
	o.stamp(visit)
	if len(moves[visit.Stage]) == 0 {
		o.close(i)
	}
	o.last[visit.ID] = lastChange{kind, before}
	return changeOf(kind, contract.RoleConsultant, &before, *visit), true
}

// lastChange has the kind of a visit's last change, and the visit before that change.
type lastChange struct {
	kind   string
	before contract.Visit
}

// stageOfStatus sets the stage of a visit that has only a status, as in releases without stages.
func (o *Office) stageOfStatus(visit *contract.Visit) {
	visit.Stage, visit.Class = visit.Status, "normal"
	if visit.Status == contract.StatusApproved {
		visit.Stage, visit.Pinned = contract.StageWaiting, true
	}
	if visit.Status == contract.StatusInSession {
		visit.SatSince, visit.Sittings = visit.StartedAt, 1
	}
}

func (o *Office) stamp(visit *contract.Visit) {
	visit.Status = statusOf[visit.Stage]
	visit.Version++
	visit.UpdatedAt = wire.Time(o.Clock)
}

// undo undoes the last change of a visit, which may have ended. ok is false if the undo needs a consultant who is busy.
func (o *Office) undo(visit *contract.Visit, last lastChange) (change outbox.Change, ok bool) {
	if sits(last.before) && o.isBusy(last.before) {
		return outbox.Change{}, false
	}
	before, version := *visit, visit.Version
	*visit = last.before
	if visit.Stage == "" {
		o.stageOfStatus(visit)
	}
	visit.Version = version
	o.stamp(visit)
	delete(o.last, visit.ID)
	after := *visit
	after.Undone = last.kind
	return changeOf(contract.VisitUndone, contract.RoleConsultant, &before, after), true
}

// Reopen reopens the visit that ended last, or undoes that visit's last change. ok is false if no visit has ended.
func (o *Office) Reopen() (change outbox.Change, ok bool) {
	if len(o.over) == 0 {
		return outbox.Change{}, false
	}
	visit := o.over[len(o.over)-1]
	o.over = o.over[:len(o.over)-1]
	o.open = append(o.open, visit)
	if last, changed := o.last[visit.ID]; changed && o.random.IntN(2) == 0 {
		if change, ok := o.undo(visit, last); ok {
			return change, true
		}
	}
	before := *visit
	visit.Stage, visit.Pinned = contract.StageWaiting, visit.ConsultantID != nil
	if visit.DecidedAt == nil || before.Stage == contract.StageDenied {
		visit.Stage, visit.DecidedAt, visit.Pinned = contract.StageNew, nil, false
	}
	visit.CompletedAt, visit.EndedAt = nil, nil
	o.stamp(visit)
	delete(o.last, visit.ID)
	return changeOf(contract.VisitReopened, contract.RolePA, &before, *visit), true
}

func (o *Office) close(i int) {
	o.over = append(o.over, o.open[i])
	o.leave(i)
}

// apply changes the visit as an event of the kind does. It returns false if the consultant is busy or missing.
func (o *Office) apply(visit *contract.Visit, kind string) bool {
	now := wire.Time(o.Clock)
	switch kind {
	case contract.VisitApproved:
		o.decide(visit, contract.StatusApproved)
		visit.Stage, visit.Pinned, visit.RankAt = contract.StageWaiting, o.random.IntN(2) == 0, &visit.CreatedAt
		o.assign(visit, visit.Pinned)
	case contract.VisitDenied:
		o.decide(visit, contract.StatusDenied)
		visit.Stage = contract.StageDenied
		o.waited(visit)
	case contract.VisitPrioritised:
		visit.Class = "priority"
	case contract.VisitMoved:
		visit.MovedDue, visit.MovedBy, visit.MovedReason = &now, "Meena", "asked to"
	case contract.VisitCorrected:
		visit.ServiceID, visit.ServiceName = "0198f3a0-0000-7000-8000-000000000002", "GST Registration"
		visit.Name, visit.CorrectedAt = visit.Name+" K", &now
	case contract.VisitPinned:
		visit.Pinned = !visit.Pinned
		o.assign(visit, visit.Pinned)
	case contract.VisitCalled, contract.VisitRecalled, contract.VisitReleased, contract.VisitMissed,
		contract.VisitReturned:
		return o.applyCall(visit, kind, &now)
	case contract.VisitLeft, contract.VisitNoShow, contract.VisitCancelled:
		visit.Stage = map[string]string{contract.VisitLeft: contract.StageLeft, contract.VisitNoShow: contract.StageNoShow,
			contract.VisitCancelled: contract.StageCancelled}[kind]
		visit.EndedAt = &now
	default:
		return o.applySitting(visit, kind, &now)
	}
	return true
}

func (o *Office) applyCall(visit *contract.Visit, kind string, now *wire.Time) bool {
	switch kind {
	case contract.VisitCalled:
		if visit.ConsultantID == nil {
			o.assign(visit, true)
		}
		if o.isBusy(*visit) {
			return false
		}
		visit.Stage, visit.CalledAt, visit.CalledByID = contract.StageCalled, now, visit.ConsultantID
		visit.CallCount, visit.Counter = 1, "Desk 3"
	case contract.VisitRecalled:
		visit.CalledAt = now
		visit.CallCount++
	case contract.VisitReleased:
		visit.Stage, visit.CallCount, visit.Counter = contract.StageWaiting, 0, ""
		o.assign(visit, visit.Pinned)
	case contract.VisitMissed:
		visit.Stage = contract.StageMissed
		visit.MissedCount++
	default:
		visit.Stage, visit.RankAt = contract.StageWaiting, now
		o.assign(visit, visit.Pinned)
	}
	return true
}

func (o *Office) applySitting(visit *contract.Visit, kind string, now *wire.Time) bool {
	switch kind {
	case contract.VisitInSession:
		if visit.ConsultantID == nil || o.isBusy(*visit) {
			return false
		}
		visit.Stage, visit.SatSince = contract.StageInSession, now
		visit.Sittings++
		if visit.StartedAt == nil {
			visit.StartedAt = now
			o.waited(visit)
		}
	case contract.VisitHeld:
		o.rise(visit)
		visit.Stage, visit.HeldAt, visit.HeldReason, visit.HeldNote = contract.StageHeld, now, "papers", "form sixteen"
	case contract.VisitResumed:
		visit.Stage, visit.HeldAt, visit.HeldReason, visit.HeldNote = contract.StageWaiting, nil, "", ""
		o.assign(visit, visit.Pinned)
	case contract.VisitTransferred:
		o.rise(visit)
		visit.Stage, visit.Pinned = contract.StageWaiting, false
		visit.Transfers++
		o.assign(visit, false)
	case contract.VisitCompleted:
		o.rise(visit)
		minutes := max(1, (visit.SessionSeconds+30)/60)
		visit.Stage, visit.CompletedAt = contract.StageCompleted, now
		visit.DurationMinutes, visit.SessionNotes = &minutes, "filed"
	}
	return true
}

// rise stops the session's clock and adds the time since SatSince to SessionSeconds.
func (o *Office) rise(visit *contract.Visit) {
	if visit.SatSince != nil {
		visit.SessionSeconds += int(o.Clock.Sub(time.Time(*visit.SatSince)).Seconds())
		visit.SatSince = nil
	}
}

// assign chooses a consultant for a visit that has none. If wanted is false, it removes the visit's consultant.
func (o *Office) assign(visit *contract.Visit, wanted bool) {
	switch {
	case !wanted:
		visit.ConsultantID, visit.ConsultantName = nil, nil
	case visit.ConsultantID == nil:
		id := o.Consultants[o.random.IntN(len(o.Consultants))]
		name := "CA " + id
		visit.ConsultantID, visit.ConsultantName = &id, &name
	}
}

// isBusy reports whether the visit's consultant has another visitor in session or called.
func (o *Office) isBusy(visit contract.Visit) bool {
	return slices.ContainsFunc(o.open, func(other *contract.Visit) bool {
		return other.ID != visit.ID && sits(*other) && *other.ConsultantID == *visit.ConsultantID
	})
}

// sits reports whether the visit is in session or called.
func sits(visit contract.Visit) bool {
	return visit.Status == contract.StatusInSession || visit.Stage == contract.StageCalled
}
