package visit

import (
	"slices"
	"time"
)

// Notes returns the latest notes that are not empty: those of the session, the decision or the registration.
func (v Visit) Notes() string {
	for _, notes := range []string{v.SessionNotes, v.PANotes, v.ReceptionNotes} {
		if notes != "" {
			return notes
		}
	}
	return ""
}

// waitEnd returns the end of the wait: the start of the first session, the denial, or the end of a visit without a
// session; nil while the visitor waits.
func (v Visit) waitEnd() *time.Time {
	switch {
	case v.StartedAt != nil:
		return v.StartedAt
	case v.Stage == StageDenied:
		return v.DecidedAt
	}
	return v.EndedAt
}

// End returns the time of the visit's end; the zero time while the visit is open.
func (v Visit) End() time.Time {
	at := v.EndedAt
	switch v.Stage {
	case StageCompleted:
		at = v.CompletedAt
	case StageDenied:
		at = v.DecidedAt
	}
	if at == nil {
		return time.Time{}
	}
	return *at
}

// WaitMinutes returns the whole minutes from the arrival to the end of the wait, or until now while the visitor waits.
func (v Visit) WaitMinutes(now time.Time) int {
	if end := v.waitEnd(); end != nil {
		now = *end
	}
	return max(0, int(now.Sub(v.Arrival())/time.Minute))
}

// FinalWait returns the wait in minutes, nil while the visitor is waiting.
func (v Visit) FinalWait() *int {
	if v.waitEnd() == nil {
		return nil
	}
	minutes := v.WaitMinutes(v.UpdatedAt)
	return &minutes
}

// CalledBySystem reports whether the service has made the last call.
func (v Visit) CalledBySystem() bool { return same(v.CalledBy, "") }

// RepeatsItself reports whether the service repeats a call that is not answered. times is how often the service may
// do so. A call that a person has repeated is not repeated by the service.
func (v Visit) RepeatsItself(times int) bool {
	return v.Stage == StageCalled && v.CallCount <= times && (v.CallCount <= 1 || v.CalledBySystem())
}

// Following has the rules by which the service follows up on calls that are not answered.
type Following struct {
	NudgeAfter    time.Duration // time until a call is repeated
	Repetitions   int           // how often the service repeats a call
	MissAfter     time.Duration // time until a visitor who was called once can be marked as not here
	AutoMissAfter time.Duration // time until the service marks the visitor as not here; 0: never
}

// Follows returns when the service repeats a call and when it marks the visitor as not here, nil for never. Both times
// count from the call, or from the argument if that is later. A change of the visit counts as a call, so that a person
// who has just taken back what the service did is not overruled.
func (v Visit) Follows(from time.Time, rules Following) (recall, miss *time.Time) {
	since := slices.MaxFunc([]time.Time{*v.CalledAt, v.UpdatedAt, from}, time.Time.Compare)
	if v.RepeatsItself(rules.Repetitions) {
		at := since.Add(rules.NudgeAfter)
		recall = &at
	}
	if rules.AutoMissAfter == 0 {
		return recall, nil
	}
	at := since.Add(rules.AutoMissAfter)
	if allowed := v.CalledAt.Add(rules.MissAfter); v.CallCount < 2 && allowed.After(at) {
		at = allowed
	}
	return recall, &at
}

// SessionLength returns the length of a completed session: the sum of its sittings. Sessions of releases without
// sittings last from start to completion.
func (v Visit) SessionLength() time.Duration {
	if v.SessionSecs == 0 && v.StartedAt != nil && v.CompletedAt != nil {
		return v.CompletedAt.Sub(*v.StartedAt)
	}
	return time.Duration(v.SessionSecs) * time.Second
}

// SessionMinutes returns the length of a completed session, rounded to minutes and at least one; nil before completion.
func (v Visit) SessionMinutes() *int {
	if v.CompletedAt == nil || v.StartedAt == nil {
		return nil
	}
	minutes := max(1, int(v.SessionLength().Round(time.Minute)/time.Minute))
	return &minutes
}
