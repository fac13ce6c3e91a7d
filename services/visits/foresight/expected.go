package foresight

import (
	"math"
	"slices"

	"baari.dev/services/visits/line"
)

// Visitors of appointments come, on average, some minutes before the slot. The difference is normally distributed.
const (
	punctualMean   = -3.0 // minutes after the slot
	punctualSpread = 8.0  // standard deviation
	leastChance    = 1e-6 // appointments with a lower probability of a coming visitor are left out
)

// guest is an appointment of the state whose visitor may come during a run.
type guest struct {
	Expected
	slot   float64 // minutes after the state's time
	chance float64 // probability that the visitor comes after the state's time
	passed float64 // probability that a visitor who comes would have come before it
}

// expectGuests returns the appointments whose visitors can come and be due before a visitor of the line. The longer
// after the slot the state is, the less probable it is that the visitor comes (Bayes).
func (f *forecast) expectGuests() (guests []guest) {
	m, policy := f.model, f.model.setup.Policy
	for _, e := range f.state.Expected {
		slot := f.minute(e.At, 0)
		passed := normal((-slot - punctualMean) / punctualSpread)
		comes := m.attends * (1 - passed)
		chance := comes / (comes + 1 - m.attends)
		_, known := m.services[e.ServiceID]
		if !known || chance < leastChance || policy.Due(e.At, line.Appointment).Sub(f.state.At).Minutes() >= f.latest {
			continue
		}
		if !slices.ContainsFunc(f.desks, func(d Desk) bool { return d.ConsultantID == e.ConsultantID }) {
			e.ConsultantID = "" // has no desk today, so the visitor is not pinned
		}
		guests = append(guests, guest{e, slot, chance, passed})
	}
	return guests
}

// comes draws whether the visitor comes, and when: in minutes after the state's time, never before it.
func (g guest) comes(r *random) (at float64, ok bool) {
	if r.float() >= g.chance {
		return 0, false
	}
	late := punctualMean + punctualSpread*normalQuantile(g.passed+r.float()*(1-g.passed))
	return max(0, g.slot+late), true
}

// drawGuests draws which visitors of appointments come and when. They enter the line after the decision, and wait for
// the consultant for whom they have booked, as the decision proposes.
func (f *forecast) drawGuests(r *run) {
	policy := f.model.setup.Policy
	for _, g := range f.guests {
		at, comes := g.comes(r.random)
		if !comes {
			continue
		}
		rank, class := policy.Admit(f.state.At.Add(duration(at)), line.Appointment, &g.At)
		r.add(line.Waiting{
			Series: unborn, Token: math.MaxInt, ServiceID: g.ServiceID, Class: class, RankAt: rank,
			DueAt: policy.Due(rank, class), PinnedTo: g.ConsultantID,
		}, at+f.model.decision.draw(r.random), 0)
	}
}

// normal is the distribution function of the standard normal distribution.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// normalQuantile is the inverse of normal. It is finite for all arguments.
func normalQuantile(p float64) float64 {
	return math.Sqrt2 * math.Erfinv(min(max(2*p-1, -1+1e-15), 1-1e-15))
}
