//go:build !mutant

package realtime

// The lines on which the promises rest. rules_mutant.go breaks them one by one, to show that the proof finds it.

// catchesUp reports whether a stream that comes back hears a frame that it missed: what it would have heard then.
func (f frame) catchesUp(role roles, user string) bool { return f.reaches(role, user) }

// endRevoked closes a stream whose session, account or role is no longer what it was opened with.
func (h *Hub) endRevoked(s *subscriber) { h.end(s, endedRevoked) }
