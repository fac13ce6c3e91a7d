package visit

import "time"

// UndoFor is how long a change can be undone.
const UndoFor = 30 * time.Second

// decideUndo is Decide for Undo. A request with an older version returns ErrUndoGone, even to another actor.
func (v Visit) decideUndo(by Actor, want Request, facts Facts) (Outcome, error) {
	if want.Version != nil && *want.Version != v.Version || !facts.Last.undoable(facts.At) {
		return Rejected, ErrUndoGone
	}
	if by.Role != admin && facts.Last.ActorID != by.ID {
		return Rejected, ErrForbidden
	}
	before := facts.Last.Before
	if before == nil || before.ConsultantID == nil {
		return Apply, nil
	}
	if before.Stage == StageCalled && v.Stage != StageCalled || before.Stage == StageInSession {
		if err := v.free(by, *before.ConsultantID, facts); err != nil {
			return Rejected, err
		}
	}
	return Apply, nil
}

// undoable reports whether l can be undone at a time. A Sweep and an Undo cannot. If not Staged, only Created can.
func (l *Last) undoable(at time.Time) bool {
	return l != nil && at.Sub(l.At) <= UndoFor && ActionOf(l.Event) != "" && (l.Event == Created || l.Staged)
}

// Undoable returns the action that an actor can undo at a time, and until when; ok is false if there is none.
func (l *Last) Undoable(by Actor, at time.Time) (action Action, until time.Time, ok bool) {
	if !l.undoable(at) || by.Role != admin && l.ActorID != by.ID {
		return "", time.Time{}, false
	}
	return ActionOf(l.Event), l.At.Add(UndoFor), true
}

// undone restores the state before the last change. The visitor's name and phone and reception's notes are restored
// only if the change was a correction; notes that a transfer or a reopening has added stay. An undone registration
// cancels the visit, whose token stays used. Events lack the ids of some actors; for changes that the restored state
// still has, the ids are copied from the visit.
func (v Visit) undone(facts Facts) Visit {
	last := facts.Last
	if last.Before == nil {
		v.Stage, v.EndedAt, v.EndedBy = StageCancelled, &facts.At, &last.ActorID
		return v
	}
	restored := *last.Before
	restored.ID, restored.Day, restored.Series, restored.TokenNo = v.ID, v.Day, v.Series, v.TokenNo
	restored.TokenAlso, restored.ArrivedAt, restored.AfterNo = v.TokenAlso, v.ArrivedAt, v.AfterNo
	restored.ServiceGone = v.ServiceGone
	restored.CreatedAt, restored.CreatedBy, restored.CreatedByName = v.CreatedAt, v.CreatedBy, v.CreatedByName
	restored.SentBy, restored.SentByName = v.SentBy, v.SentByName
	restored.NoticeVersion, restored.Version = v.NoticeVersion, v.Version
	restored.Bypassed, restored.PassedByHand = v.Bypassed, v.PassedByHand
	action := ActionOf(last.Event)
	if action != Correct {
		restored.Name, restored.Phone, restored.ReceptionNotes = v.Name, v.Phone, v.ReceptionNotes
	}
	if action == Transfer || action == Reopen {
		restored.PANotes, restored.SessionNotes = v.PANotes, v.SessionNotes
	}
	restored.MovedDue, restored.DueAt = exact(v.MovedDue, restored.MovedDue), exact(v.DueAt, restored.DueAt)
	restored.RankAt = *exact(&v.RankAt, &restored.RankAt)
	restored.DecidedBy = kept(v.DecidedBy, restored.DecidedAt)
	restored.StartedBy = kept(v.StartedBy, restored.StartedAt)
	restored.CompletedBy = kept(v.CompletedBy, restored.CompletedAt)
	restored.EndedBy = kept(v.EndedBy, restored.EndedAt)
	return restored
}

// exact returns the visit's own time instead of the event's if both are equal up to milliseconds, the resolution of
// events, because two visitors of the line may be closer than that.
func exact(own, ofEvent *time.Time) *time.Time {
	if own != nil && ofEvent != nil && own.Truncate(time.Millisecond).Equal(ofEvent.Truncate(time.Millisecond)) {
		return own
	}
	return ofEvent
}

// kept returns the actor of a change, or nil if the undo has removed the change, that is, if at is nil.
func kept(actor *string, at *time.Time) *string {
	if at == nil {
		return nil
	}
	return actor
}
