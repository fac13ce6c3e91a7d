package visit

// Stage is the step that a visit has reached. The status is a function of the stage.
type Stage string

// The stages.
const (
	StageNew       Stage = "new"     // no decision yet
	StageWaiting   Stage = "waiting" // waits in the line
	StageCalled    Stage = "called"  // called to a desk
	StageHeld      Stage = "held"    // waits outside the line
	StageMissed    Stage = "missed"  // called and not here
	StageInSession Stage = "in-session"
	StageCompleted Stage = "completed"
	StageDenied    Stage = "denied"
	StageLeft      Stage = "left"      // left without a session
	StageNoShow    Stage = "no-show"   // was called and did not come until the office closed
	StageCancelled Stage = "cancelled" // registered by mistake
)

// Status is the state of a visit in the specification.
type Status string

// The five statuses. No other is accepted or returned.
const (
	New       Status = "new"
	Approved  Status = "approved"
	InSession Status = "in-session"
	Completed Status = "completed"
	Denied    Status = "denied"
)

// Status returns the status of a stage. A CHECK constraint of the table visits has the same rule.
func (s Stage) Status() Status {
	switch s {
	case StageWaiting, StageCalled, StageHeld, StageMissed:
		return Approved
	case StageLeft, StageNoShow, StageCancelled:
		return Denied
	}
	return Status(s)
}

// StageOf returns the stage of a visit that was written by a release without stages.
func StageOf(status Status) Stage {
	if status == Approved {
		return StageWaiting
	}
	return Stage(status)
}

// Over reports whether the visit has ended.
func (s Stage) Over() bool {
	status := s.Status()
	return status == Completed || status == Denied
}
