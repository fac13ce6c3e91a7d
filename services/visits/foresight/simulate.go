package foresight

import (
	"math"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

// The simulation.
const (
	Replicates     = 400       // number of simulated days in a forecast
	lateShare      = 0.2       // MayNotBeToday is set if a larger share of the days has no call
	closingHours   = 8         // hours that count as the wait of a visitor not called, if no desk has a closing time
	longestHorizon = 24 * 60.0 // largest number of minutes for which future visitors are simulated
	backSoonest    = 5.0       // a missed visitor returns after backSoonest to backLatest minutes
	backLatest     = 20.0
	mostRivals     = 9 // largest N of the return rule "after:N"
)

// run is one simulated day that begins at the time of the state. Its times are minutes after that time.
type run struct {
	model   *Model
	state   State
	random  *random
	field   *line.Field
	known   int            // number of visitors in the state; visits[known:] are simulated arrivals and returns
	visits  []line.Waiting // indexed by the visitor's number in field
	misses  []int          // indexed as visits
	leaves  []float64      // time at which the visitor leaves if not called; indexed as visits
	joins   []join         // ordered by time
	desks   []deskRun
	waits   []float64 // waits of the known visitors, or notCalled or denied
	toCall  int       // known visitors who are not called yet
	minutes float64   // minute of the office's day at the time of the state
}

// join is a visitor's entry into the line.
type join struct {
	at      float64
	visitor int
}

// deskRun is the state of a desk during a run.
type deskRun struct {
	consultant int
	ready      float64 // time of the next call; +Inf while idle or closed
	idleSince  float64 // +Inf while not idle
	until      float64 // time at which the desk closes
	rested     bool    // had its break
}

// Forecast simulates the day from the state s on. It returns an estimate for each visitor in s.Line, in that order.
// replicates is the number of simulated days: Replicates, or less for a faster but coarser result.
func (m *Model) Forecast(s State, replicates int) []Estimate {
	chance := seed(s)
	f := m.newForecast(s)
	samples := make([][]float64, len(s.Line))
	for i := range samples {
		samples[i] = make([]float64, 0, replicates)
	}
	lost, day := make([]int, len(s.Line)), &run{model: m, state: s, random: &chance}
	for range replicates {
		for i, wait := range f.simulate(day) {
			switch {
			case wait >= 0:
				samples[i] = append(samples[i], wait)
			case wait == notCalled:
				lost[i]++
				samples[i] = append(samples[i], f.closing)
			}
		}
	}
	estimates := make([]Estimate, len(s.Line))
	for i, p := range s.Line {
		estimates[i] = Estimate{VisitID: p.ID, ServiceID: p.ServiceID, Kind: Join}
		if p.New {
			estimates[i].Kind = New
		}
		if !f.servable(i) || len(samples[i]) == 0 {
			estimates[i].Note = NobodyAtDesk
			continue
		}
		if float64(lost[i]) > lateShare*float64(replicates) {
			estimates[i].Note = MayNotBeToday
		}
		slices.Sort(samples[i])
		estimates[i].Q10, estimates[i].Q50 = quantile(samples[i], 0.1), quantile(samples[i], 0.5)
		estimates[i].Q90 = quantile(samples[i], 0.9)
	}
	return estimates
}

// quantile interpolates between the values of a sorted sample (Hyndman and Fan, "Sample quantiles in statistical
// packages", The American Statistician 50 (1996), definition 7).
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// Values of run.waits for visitors who are not called in a run.
const (
	notCalled = -1
	denied    = -2
)

// forecast has the values that all runs from a state share.
type forecast struct {
	model   *Model
	state   State
	base    *line.Field
	visits  []line.Waiting
	desks   []Desk // desks of the state that are not off, then those that may open later
	present int    // number of desks from the state
	starts  [][]float64
	chance  []float64 // probability of opening, for each desk that may open later
	latest  float64   // latest due time in the line
	guests  []guest
	closing float64 // wait that counts for visitors who are not called
}

func (m *Model) newForecast(s State) *forecast {
	f := &forecast{model: m, state: s, latest: math.Inf(-1), closing: closingHours * 60}
	byID := map[string]Desk{}
	for _, d := range s.Desks {
		byID[d.ConsultantID] = d
	}
	var expected []Desk
	end := 0.0
	for c, one := range m.setup.Consultants {
		d, here := byID[one.ID]
		if here && d.State != Off {
			f.desks = append(f.desks, d)
			end = max(end, f.minute(d.Until, 0))
			continue
		}
		if chance, minutes := m.starts[c].later(m.setup.minute(s.At)); chance > 0 {
			expected = append(expected, Desk{ConsultantID: one.ID, State: Open})
			f.starts, f.chance = append(f.starts, minutes), append(f.chance, chance)
		}
	}
	if end > 0 {
		f.closing = end
	}
	f.present = len(f.desks)
	f.desks = append(f.desks, expected...)
	lanes := make([]line.Desk, len(f.desks))
	for i, d := range f.desks {
		one := m.setup.Consultants[m.consultants[d.ConsultantID]]
		lanes[i] = line.Desk{Consultant: one.ID, Serves: one.Serves, PinsOnly: d.State == Last}
	}
	f.base = line.NewField(lanes, m.setup.Policy.MaxBypass)
	for i, p := range s.Line {
		f.visits = append(f.visits, p.Waiting)
		f.base.Add(p.Waiting)
		if !p.New {
			f.base.Enter(i)
		}
		f.latest = max(f.latest, p.Due().Sub(s.At).Minutes())
	}
	f.guests = f.expectGuests()
	return f
}

// minute returns t in minutes after the state's time, or fallback if t is zero.
func (f *forecast) minute(t time.Time, fallback float64) float64 {
	if t.IsZero() {
		return fallback
	}
	return t.Sub(f.state.At).Minutes()
}

// servable reports whether a desk that is not off could call a visitor: the desk to which the visitor is pinned or,
// without a pin, one that serves the service.
func (f *forecast) servable(visitor int) bool {
	for d := range f.present {
		all := f.model.setup.Consultants[f.model.consultants[f.desks[d].ConsultantID]]
		if (line.Desk{Consultant: all.ID, Serves: all.Serves}).Takes(f.visits[visitor]) {
			return true
		}
	}
	return false
}

// simulate simulates one day in r and returns the waits of the known visitors. The slice is valid until the next call.
func (f *forecast) simulate(r *run) []float64 {
	if r.field == nil {
		r.field = line.NewField(nil, 0)
	}
	r.field.CopyFrom(f.base)
	r.known, r.toCall = len(f.visits), len(f.visits)
	r.visits = append(r.visits[:0], f.visits...)
	r.misses, r.waits, r.leaves = r.misses[:0], r.waits[:0], r.leaves[:0]
	for _, p := range f.state.Line {
		r.misses, r.waits = append(r.misses, 0), append(r.waits, notCalled)
		r.leaves = append(r.leaves, r.patience(-f.minute(p.Joined, 0)))
	}
	f.openDesks(r)
	f.drawJoins(r)
	for next := 0; r.toCall > 0; {
		desk := r.first()
		switch {
		case next < len(r.joins) && (desk < 0 || r.joins[next].at <= r.desks[desk].ready):
			r.enter(r.joins[next])
			next++
		case desk < 0:
			return r.waits
		default:
			r.call(desk)
		}
	}
	return r.waits
}

// first returns the desk whose call is the next, or -1 if no desk will call.
func (r *run) first() int {
	best, at := -1, math.Inf(1)
	for i := range r.desks {
		if r.desks[i].ready < at {
			best, at = i, r.desks[i].ready
		}
	}
	return best
}

// enter puts a visitor into the line. If idle desks can call the visitor, the desk that was idle the longest does so.
func (r *run) enter(j join) {
	r.field.Enter(j.visitor)
	best := -1
	for i := range r.desks {
		d := &r.desks[i]
		if !math.IsInf(d.idleSince, 1) && r.field.Takes(i, j.visitor) &&
			(best < 0 || d.idleSince < r.desks[best].idleSince) {
			best = i
		}
	}
	if best >= 0 {
		r.desks[best].ready, r.desks[best].idleSince = j.at+r.random.exponential(r.model.reaction), math.Inf(1)
	}
}

// call makes a desk call the next visitor. The desk becomes idle if its line is empty, and closes if its time is over.
func (r *run) call(desk int) {
	d := &r.desks[desk]
	now := d.ready
	d.ready = math.Inf(1)
	if now >= d.until {
		return
	}
	visitor, ok := r.nextOf(desk, now)
	if !ok {
		d.idleSince = now
		return
	}
	m := r.model
	if r.random.float() < m.missed {
		d.ready = now + m.unanswered.draw(r.random)
		r.comeBack(visitor, d.ready)
		return
	}
	service := m.services[r.visits[visitor].ServiceID]
	r.sit(d, now+m.walk[d.consultant].draw(r.random)+m.session[service][d.consultant].draw(r.random))
}

// nextOf removes from the line the visitor whom a desk calls next. It skips visitors who have left; for them, the wait
// until this call is recorded.
func (r *run) nextOf(desk int, now float64) (visitor int, ok bool) {
	for {
		if visitor, ok = r.field.Call(desk); !ok {
			return 0, false
		}
		if visitor < r.known && r.waits[visitor] == notCalled {
			r.waits[visitor] = now
			r.toCall--
		}
		if now < r.leaves[visitor] {
			return visitor, true
		}
	}
}

// patience draws how many more minutes a visitor stays after waiting for the given minutes.
func (r *run) patience(waited float64) float64 {
	if r.model.patience == nil {
		return math.Inf(1)
	}
	return r.model.patience.rest(waited, r.random)
}

// sit sets when a desk is ready for the next call: a turnover or a break after the end of a sitting.
func (r *run) sit(d *deskRun, end float64) {
	d.ready = end + r.model.turnover[d.consultant].draw(r.random)
	slot := int(r.minutes+end) / slotMinutes % slots
	if !d.rested && r.random.float() < r.model.breaks.share[slot] {
		d.rested = true
		d.ready = end + r.model.breaks.length.draw(r.random)
	}
}

// comeBack draws whether and when a missed visitor returns. The policy's return rule sets the place in the line.
func (r *run) comeBack(visitor int, missed float64) {
	m := r.model
	if r.random.float() >= m.returned || r.misses[visitor] > 0 {
		return
	}
	at := missed + backSoonest + r.random.float()*(backLatest-backSoonest)
	rivals := make([]line.Waiting, 0, mostRivals)
	for _, i := range r.field.First(visitor, mostRivals) {
		rival := r.visits[i]
		rival.Bypassed = r.field.Bypassed(i)
		rivals = append(rivals, rival)
	}
	w, now := r.visits[visitor], r.state.At.Add(duration(at))
	w.Bypassed, w.MovedDue, w.Forced = r.field.Bypassed(visitor), nil, false
	w.RankAt = line.ReturnRank(m.setup.Policy, w, rivals, r.misses[visitor]+1, now)
	w.DueAt = m.setup.Policy.Due(w.RankAt, w.Class)
	r.add(w, at, r.misses[visitor]+1)
}

// add adds a visitor who arrives or returns during the run and enters the line at the given time.
func (r *run) add(w line.Waiting, at float64, misses int) {
	visitor := r.field.Add(w)
	r.visits, r.misses, r.leaves = append(r.visits, w), append(r.misses, misses), append(r.leaves, math.Inf(1))
	if misses == 0 {
		r.leaves[visitor] = at + r.patience(0)
	}
	j := join{at, visitor}
	to := len(r.joins)
	for to > 0 && r.joins[to-1].at > at {
		to--
	}
	r.joins = slices.Insert(r.joins, to, j)
}

func duration(minutes float64) time.Duration { return time.Duration(minutes * float64(time.Minute)) }
