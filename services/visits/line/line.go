// Package line has the rule of the line: the order in which waiting visitors are called, and the reasons for it. It
// does no I/O; the service and the simulator call the same functions.
//
// The order is non-preemptive earliest due time. A visitor's due time is the visitor's rank plus the allowance of the
// class. Neither changes with time, so two callers always agree on the order, and a visitor's place can be explained.
// The source of the rule is the dynamic-priority discipline of J. R. Jackson, "Some problems in queueing with dynamic
// priorities", Naval Research Logistics Quarterly 7 (1960), and "Waiting-time distributions for queues with dynamic
// priorities", ibid. 9 (1962). A cap is added: a visitor who was passed MaxBypass times is called before all others.
package line

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Class is the class of a visitor. The policy has an allowance for each class, which is added to RankAt.
type Class string

// The classes. Priority is for seniors, people with a disability, pregnant women and parents with an infant; the reason
// is not stored. Deadline is for a visitor whose filing is due on the same day.
const (
	Normal      Class = "normal"
	Deadline    Class = "deadline"
	Priority    Class = "priority"
	Appointment Class = "appointment"
)

// Policy has the office's rules of the line (key `queue` of the office document).
type Policy struct {
	Allowances        map[Class]time.Duration
	MaxBypass         int           // largest number of calls by Next that may pass a visitor, at least 1
	Return            string        // place of a missed visitor who returns: "keep", "end" or "after:N"
	MissAfter         time.Duration // time after which a visitor who was called once can be marked as missed
	LateAppointment   time.Duration // a visitor who registers later than this after the slot is a walk-in
	SweepAfterClosing time.Duration // time from closing until called and missed visits become no-shows
	HandPick          bool          // whether a consultant may call or start unpinned visitors out of order
	NudgeAfter        time.Duration // time from the last call until the call counts as unanswered
	AutoRecall        int           // how often the service repeats an unanswered call
	AutoMissAfter     time.Duration // time from the last call until the service marks a visitor as missed; 0: never
	RequireCounter    bool          // a desk without a number can neither be opened nor call
}

// DefaultPolicy returns the rules of an office document without the key `queue`.
func DefaultPolicy() Policy {
	return Policy{
		Allowances: map[Class]time.Duration{
			Normal: 30 * time.Minute, Deadline: 15 * time.Minute, Priority: 10 * time.Minute, Appointment: 5 * time.Minute,
		},
		MaxBypass: 3, Return: "after:2",
		MissAfter: 60 * time.Second, LateAppointment: 15 * time.Minute, SweepAfterClosing: 60 * time.Minute,
		HandPick: true, NudgeAfter: 120 * time.Second, AutoRecall: 1,
	}
}

// Due returns the due time of a visitor of class c with the given rank. An unknown class has the allowance of Normal.
func (p Policy) Due(rank time.Time, c Class) time.Time {
	return rank.Add(p.allowance(c))
}

func (p Policy) allowance(c Class) time.Duration {
	if allowance, known := p.Allowances[c]; known {
		return allowance
	}
	return p.Allowances[Normal]
}

// Admit returns the rank and the class of a visitor who was registered at the given time. slot is the time of the
// appointment, or nil. With an appointment, the rank is the later of slot and registration; a visitor who registers
// more than LateAppointment after the slot is a walk-in of class Normal.
func (p Policy) Admit(registered time.Time, c Class, slot *time.Time) (rank time.Time, class Class) {
	switch {
	case slot == nil:
		return registered, c
	case registered.After(slot.Add(p.LateAppointment)):
		return registered, Normal
	}
	return later(*slot, registered), Appointment
}

// after returns N if Return is "after:N". ok is false for any other value.
func (p Policy) after() (n int, ok bool) {
	digits, ok := strings.CutPrefix(p.Return, "after:")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// Waiting has the values of a waiting visitor from which the order and its reasons follow.
type Waiting struct {
	ID            string
	Series        string // series of the token
	Token         int
	ServiceID     string
	Class         Class
	RankAt        time.Time
	DueAt         time.Time  // rank plus the allowance of the policy when the visitor entered the line
	MovedDue      *time.Time // due time set by a move; replaces DueAt
	MovedBy       string     // name of the user who moved the visitor
	MovedReason   string
	Forced        bool // the move may pass visitors at MaxBypass
	Returned      bool // the visitor missed a call and came back
	AppointmentAt *time.Time
	Bypassed      int    // number of calls by Next that passed this visitor
	PinnedTo      string // id of the only consultant who may call the visitor; "" if not pinned
	PinnedName    string
}

// Due returns the visitor's due time: MovedDue after a move, else DueAt.
func (w Waiting) Due() time.Time {
	if w.MovedDue != nil {
		return *w.MovedDue
	}
	return w.DueAt
}

// goesFirst reports whether the visitor is in the first group: passed maxBypass times, or moved there by force.
func (w Waiting) goesFirst(maxBypass int) bool {
	return w.Bypassed >= maxBypass || w.Forced && w.MovedDue != nil
}

// key returns the time that orders a visitor within the group. First group: the time of a forced move, else the rank,
// but the earlier of the two after maxBypass passes, so that others cannot pass. Other group: the due time.
func (w Waiting) key(maxBypass int) time.Time {
	switch {
	case !w.goesFirst(maxBypass):
		return w.Due()
	case !w.Forced || w.MovedDue == nil:
		return w.RankAt
	case w.Bypassed >= maxBypass && w.RankAt.Before(*w.MovedDue):
		return w.RankAt
	}
	return *w.MovedDue
}

// Order returns a copy of waiting in the order of the line: first the visitors for whom goesFirst is true, then the
// others, each group ordered by key. Ties are decided by the series and the number of the token, then by the id.
func Order(waiting []Waiting, maxBypass int) []Waiting {
	ordered := slices.Clone(waiting)
	slices.SortFunc(ordered, func(a, b Waiting) int { return compare(a, b, maxBypass) })
	return ordered
}

func compare(a, b Waiting, maxBypass int) int {
	if first := a.goesFirst(maxBypass); first != b.goesFirst(maxBypass) {
		if first {
			return -1
		}
		return 1
	}
	return cmp.Or(
		a.key(maxBypass).Compare(b.key(maxBypass)), cmp.Compare(a.Series, b.Series), cmp.Compare(a.Token, b.Token),
		cmp.Compare(a.ID, b.ID),
	)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
