package visit

import "time"

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

// End returns the time of the visit's end; the zero time while it is open.
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
