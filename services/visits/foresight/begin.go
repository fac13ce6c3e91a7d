package foresight

import (
	"cmp"
	"math"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

// unborn is the token series of simulated arrivals. In a tie it is sorted after the series of all known visitors.
const unborn = "~"

// openDesks draws, for a run, the time of each desk's first call.
func (f *forecast) openDesks(r *run) {
	r.minutes = f.model.setup.minute(f.state.At)
	r.desks = r.desks[:0]
	for i, d := range f.desks {
		one := deskRun{
			consultant: f.model.consultants[d.ConsultantID],
			idleSince:  math.Inf(1), until: f.minute(d.Until, math.Inf(1)),
		}
		switch elapsed := -f.minute(d.Since, 0); {
		case i >= f.present:
			f.openLater(r, &one, i-f.present)
		case d.State == Break:
			one.rested = true
			one.ready = f.minute(d.BackAt, -1)
			if one.ready < 0 {
				one.ready = f.model.breaks.length.rest(elapsed, r.random)
			}
		case d.Visit != nil:
			f.finish(r, &one, *d.Visit)
		default:
			one.ready = f.free(r, i, one.consultant, elapsed)
		}
		r.desks = append(r.desks, one)
	}
}

// openLater draws whether, and when, an expected consultant who is off opens the desk.
func (f *forecast) openLater(r *run, d *deskRun, expected int) {
	d.ready = math.Inf(1)
	if r.random.float() < f.chance[expected] {
		times := f.starts[expected]
		d.ready = times[r.random.below(len(times))] - r.minutes
	}
}

// later returns the probability that a consultant who has not opened yet opens later on this day, and the possible
// times. now and these times are minutes of the office's day.
func (s start) later(now float64) (chance float64, minutes []float64) {
	from, _ := slices.BinarySearch(s.minutes, now)
	minutes = s.minutes[from:]
	if len(minutes) == 0 || s.share < startShare {
		return 0, nil
	}
	later := s.share * float64(len(minutes)) / float64(len(s.minutes))
	return later / (later + 1 - s.share), minutes
}

// finish draws the time at which a desk that has a visitor makes its next call.
func (f *forecast) finish(r *run, d *deskRun, v DeskVisit) {
	m, elapsed := f.model, -f.minute(v.Since, 0)
	service := m.session[m.services[v.ServiceID]][d.consultant]
	if v.InSession {
		r.sit(d, service.rest(elapsed, r.random))
		return
	}
	// The longer a call lasts, the less probable it is that the visitor comes (Bayes).
	walk := m.walk[d.consultant]
	comes := (1 - m.missed) * float64(quantiles-walk.above(elapsed)+1)
	misses := m.missed * float64(quantiles-m.unanswered.above(elapsed)+1)
	if r.random.float()*(comes+misses) < misses {
		d.ready = m.unanswered.rest(elapsed, r.random)
		return
	}
	r.sit(d, walk.rest(elapsed, r.random)+service.draw(r.random))
}

// free draws the time at which a desk without a visitor makes its next call. A desk for which a visitor waits is still
// in its turnover or on a break. A desk for which no visitor waits may have been ready for long.
func (f *forecast) free(r *run, desk, consultant int, elapsed float64) float64 {
	turnover := f.model.turnover[consultant]
	switch waits := f.waitsFor(desk); {
	case !waits:
		return max(turnover.draw(r.random)-elapsed, r.random.exponential(f.model.reaction))
	case elapsed > longTurnover:
		return f.model.breaks.length.rest(elapsed, r.random)
	}
	return turnover.rest(elapsed, r.random)
}

// waitsFor reports whether a visitor whom the desk can call has been waiting for more than a second.
func (f *forecast) waitsFor(desk int) bool {
	for i, p := range f.state.Line {
		if !p.New && f.state.At.Sub(p.Joined) > time.Second && f.base.Takes(desk, i) {
			return true
		}
	}
	return false
}

// drawJoins draws who enters the line and when: visitors without a decision, and future visitors who can overtake.
func (f *forecast) drawJoins(r *run) {
	r.joins = r.joins[:0]
	m, policy := f.model, f.model.setup.Policy
	for i, p := range f.state.Line {
		switch {
		case !p.New:
		case r.random.float() < deniedShare:
			r.waits[i] = denied
			r.toCall--
		default:
			r.joins = append(r.joins, join{m.decision.rest(-f.minute(p.Registered, 0), r.random), i})
		}
	}
	slices.SortFunc(r.joins, func(a, b join) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.visitor, b.visitor))
	})
	least := math.Inf(1)
	for _, allowance := range policy.Allowances {
		least = min(least, allowance.Minutes())
	}
	// A visitor who registers more than latest minus least minutes from now is due after all known visitors.
	horizon := min(f.latest-least, longestHorizon)
	for at := m.arrivals.next(f.state.At, 0, horizon, r.random); at >= 0; {
		class := classes[draw(m.arrivals.shares, r.random)]
		rank := f.state.At.Add(duration(at))
		due := policy.Due(rank, class)
		replaced := class == line.Appointment && len(f.state.Expected) > 0
		if due.Sub(f.state.At).Minutes() < f.latest && !replaced {
			r.add(line.Waiting{
				Series: unborn, Token: math.MaxInt, ServiceID: m.setup.Services[draw(m.arrivals.services, r.random)].ID,
				Class: class, RankAt: rank, DueAt: due,
			}, at+m.decision.draw(r.random), 0)
		}
		at = m.arrivals.next(f.state.At, at, horizon, r.random)
	}
	f.drawGuests(r)
}
