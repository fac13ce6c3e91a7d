package line

import "time"

// Reason is one reason for a visitor's place. Values are strings and integers:
//
//	first_by_due                        by due time, without a move
//	must_go      bypassed               at the cap
//	moved        by, reason             by the due time of a move
//	pinned       consultant             the consultant's name
//	class        class, minutes         the allowance that was added to the rank
//	appointment  slot                   RFC 3339, UTC
//	returned                            was missed and came back
type Reason struct {
	Code   string
	Values map[string]any
}

// Explain returns the reasons for w's place in the line. The first reason says by which time w is ordered. If no move
// was forced, the reasons, the ranks and the times of moves are enough to compute the order again. Therefore, the
// reason "class" is omitted only if w has the allowance of Normal in p.
func Explain(w Waiting, p Policy) []Reason {
	var reasons []Reason
	add := func(code string, values map[string]any) { reasons = append(reasons, Reason{code, values}) }
	if w.Bypassed >= p.MaxBypass {
		add("must_go", map[string]any{"bypassed": w.Bypassed})
	}
	if w.MovedDue != nil {
		add("moved", map[string]any{"by": w.MovedBy, "reason": w.MovedReason})
	}
	if len(reasons) == 0 {
		add("first_by_due", map[string]any{})
	}
	if w.PinnedTo != "" {
		add("pinned", map[string]any{"consultant": w.PinnedName})
	}
	// Visitors in the line keep the policy that they entered with, so the stored due time gives the allowance.
	if allowance := w.DueAt.Sub(w.RankAt); w.Class != Normal || allowance != p.allowance(Normal) {
		add("class", map[string]any{"class": string(w.Class), "minutes": int(allowance.Minutes())})
	}
	if w.AppointmentAt != nil {
		add("appointment", map[string]any{"slot": w.AppointmentAt.UTC().Format(time.RFC3339)})
	}
	if w.Returned {
		add("returned", map[string]any{})
	}
	return reasons
}
