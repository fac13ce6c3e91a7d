package visit

import "time"

// Change returns the visit after an actor's request. Outcome and error are those of Decide. Unless the outcome is
// Apply, the visit is unchanged.
func (v Visit) Change(by Actor, want Request, facts Facts) (Visit, Outcome, error) {
	outcome, err := v.Decide(by, want, facts)
	if outcome != Apply {
		return v, outcome, err
	}
	at := facts.At
	if want.Action == Undo {
		v = v.undone(facts)
	} else {
		rule, _ := RuleOf(want.Action)
		v = v.changed(by, want, facts, rule.To)
	}
	v.Status = v.Stage.Status()
	v.Version, v.UpdatedAt = v.Version+1, at
	return v, Apply, nil
}

// changed applies an action. to is the stage of the rule, or "" if the stage is kept or this function decides.
func (v Visit) changed(by Actor, want Request, facts Facts, to Stage) Visit {
	at := facts.At
	if v.SatSince != nil && want.Action != Correct {
		v.SessionSecs += int(max(0, at.Sub(*v.SatSince)) / time.Second)
		v.SatSince = nil
	}
	if to != "" {
		v.Stage = to
	}
	switch want.Action {
	case Approve, Deny:
		v.DecidedAt, v.DecidedBy, v.DecidedByName = &at, &by.ID, &by.Name
		v = v.noted(by, want, facts)
		if want.Action == Approve {
			return v.assigned(want.Consultant).inLine(facts)
		}
	case Hold:
		v.HeldAt, v.HeldReason, v.HeldNote, v.HeldUntil = &at, want.Reason, want.Notes, want.Until
	case Miss:
		v.MissedCount++
	case Leave, Cancel, Sweep:
		v.EndedAt, v.EndedBy = &at, &by.ID
	case Next, Call, Recall:
		return v.called(by, want, at)
	case Start, Take:
		return v.started(by, want, facts)
	case Complete:
		v.CompletedAt, v.CompletedBy = &at, &by.ID
		return v.noted(by, want, facts)
	case Reopen:
		return v.reopened(by, want, facts)
	case Correct:
		v = v.corrected(want)
		v.CorrectedAt = &at
	default:
		return v.placed(by, want, facts)
	}
	return v
}

// placed applies an action that puts the visit into the line, or changes its place, consultant or class.
func (v Visit) placed(by Actor, want Request, facts Facts) Visit {
	switch want.Action {
	case Back:
		v.RankAt = *want.RankAt
		return v.released().inLine(facts)
	case Resume:
		v.HeldAt, v.HeldReason, v.HeldNote, v.HeldUntil = nil, "", "", nil
		v.Pinned = v.Pinned || v.Sittings > 0 && v.ConsultantID != nil
		return v.released().inLine(facts)
	case Release:
		return v.uncalled(facts.BeforeCall).inPlace(facts)
	case Transfer:
		return v.transferred(by, want, facts).inLine(facts)
	case Pin:
		return v.assigned(want.Consultant)
	case Move:
		v.MovedDue, v.MovedBy, v.MovedReason, v.MovedForced = want.MovedDue, by.Name, want.Reason, want.Forced
		if v.MovedDue == nil {
			v.MovedBy, v.MovedReason, v.MovedForced = "", "", false
		}
	case Prioritise:
		v.Class = want.Class
		if v.Stage == StageWaiting {
			v.DueAt = v.due(facts)
		}
	}
	return v
}

// assigned pins the visit to a consultant; nil removes the pin and the consultant.
func (v Visit) assigned(to *Consultant) Visit {
	v.Pinned, v.ConsultantID, v.ConsultantName = to != nil, nil, nil
	if to != nil {
		id, name := to.ID, to.Name
		v.ConsultantID, v.ConsultantName = &id, &name
	}
	return v
}

// released returns the visit without the consultant who called it, unless it waits for that consultant alone.
func (v Visit) released() Visit {
	if !v.Pinned {
		v.ConsultantID, v.ConsultantName = nil, nil
	}
	return v
}

// uncalled returns a called visit without its call: it waits for the consultant for whom it waited before, if any. A
// visit that was on hold after a session waits for the consultant of that session, as after a resume.
func (v Visit) uncalled(before *Visit) Visit {
	if before == nil {
		return v.released()
	}
	v.Pinned, v.ConsultantID, v.ConsultantName = before.Pinned, before.ConsultantID, before.ConsultantName
	v.Pinned = v.Pinned || before.Stage == StageHeld && before.Sittings > 0 && before.ConsultantID != nil
	return v.released()
}

// inLine puts the visit into the line of today. A rank of an earlier day becomes the time of the action.
func (v Visit) inLine(facts Facts) Visit {
	if v.RankAt.Before(facts.DayStart) {
		v.RankAt = facts.At
	}
	v.MovedDue, v.MovedBy, v.MovedReason, v.MovedForced = nil, "", "", false
	v.CallCount, v.Counter = 0, ""
	v.DueAt = v.due(facts)
	return v
}

// inPlace puts a called visit back to its place in the line of today. If it has no such place, inPlace calls inLine.
func (v Visit) inPlace(facts Facts) Visit {
	if v.DueAt == nil || v.RankAt.Before(facts.DayStart) {
		return v.inLine(facts)
	}
	v.CallCount, v.Counter = 0, ""
	return v
}

func (v Visit) due(facts Facts) *time.Time {
	due := v.RankAt.Add(facts.Allowances[v.Class])
	return &due
}

func (v Visit) called(by Actor, want Request, at time.Time) Visit {
	v.CalledAt, v.CalledBy = &at, &by.ID
	if want.Action == Recall {
		v.CallCount++
		return v
	}
	v.CallCount = 1
	v.HeldAt, v.HeldReason, v.HeldNote, v.HeldUntil = nil, "", "", nil
	pinned := v.Pinned
	v = v.assigned(want.Consultant)
	v.Pinned, v.Counter = pinned, want.Counter
	return v
}

func (v Visit) started(by Actor, want Request, facts Facts) Visit {
	at := facts.At
	if v.ConsultantID == nil {
		v = v.assigned(want.Consultant)
	}
	if want.Action == Take { // assigned pins the visit, but a take does not
		v.Pinned, v.Counter = false, want.Counter
		v.CalledAt, v.CalledBy = nil, nil // an earlier call is not that of this session
	}
	if v.StartedAt == nil {
		v.StartedAt = &at
	}
	v.StartedBy = &by.ID
	v.SatSince = &at
	v.Sittings++
	v.HeldAt, v.HeldReason, v.HeldNote, v.HeldUntil = nil, "", "", nil
	return v.noted(by, want, facts)
}

func (v Visit) transferred(by Actor, want Request, facts Facts) Visit {
	if want.Service != nil {
		v.ServiceID, v.ServiceName = want.Service.ID, want.Service.Name
	}
	v.Transfers++
	v.HeldAt, v.HeldReason, v.HeldNote, v.HeldUntil = nil, "", "", nil
	return v.assigned(want.Consultant).noted(by, want, facts)
}

// reopened undoes the end of the visit. The columns of the actors are kept, because Undo needs them.
func (v Visit) reopened(by Actor, want Request, facts Facts) Visit {
	ended := v.Stage
	v.EndedAt, v.CompletedAt = nil, nil
	v = v.noted(by, want, facts)
	if ended == StageDenied || v.DecidedAt == nil {
		v.DecidedAt, v.Stage = nil, StageNew
		return v
	}
	v.Stage = StageWaiting
	if ended == StageCompleted {
		v.Pinned = true
	}
	return v.released().inLine(facts)
}

func (v Visit) corrected(want Request) Visit {
	if want.Name != nil {
		v.Name = *want.Name
	}
	if want.Phone != nil {
		v.Phone = *want.Phone
	}
	if want.NewNotes != nil {
		v.ReceptionNotes = *want.NewNotes
	}
	if want.Service != nil {
		v.ServiceID, v.ServiceName = want.Service.ID, want.Service.Name
	}
	return v
}
