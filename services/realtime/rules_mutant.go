//go:build mutant

package realtime

import "baari.dev/services/platform/mutant"

// catchesUp, in M9, tells everybody everything.
func (f frame) catchesUp(role roles, user string) bool {
	return mutant.Is("M9") || f.reaches(role, user)
}

// endRevoked, in M13, leaves the stream open.
func (h *Hub) endRevoked(s *subscriber) {
	if !mutant.Is("M13") {
		h.end(s, endedRevoked)
	}
}
