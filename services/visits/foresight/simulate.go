package foresight

import (
	"math"
	"slices"
	"time"

	"baari.dev/services/visits/line"
)

// The simulation.
const (
	Replicates     = 400       // simulated days of a forecast
	lateShare      = 0.2       // of simulated days without a call, from which MayNotBeToday is set
	closingHours   = 8         // of a wait without an end, when no desk has a closing time
	longestHorizon = 24 * 60.0 // minutes in which visitors arrive
	backSoonest    = 5.0       // minutes until a missed visitor is back
	backLatest     = 20.0
	mostRivals     = 9 // of the return rule "after:N"
)

// run is one simulated day from a moment on. Times are minutes after the moment.
type run struct {
	model   *Model
	state   State
	random  *random
	field   *line.Field
	known   int            // visitors of the state; the others are simulated arrivals and returns
	visits  []line.Waiting // by their number in field
	misses  []int          // by the same
	joins   []join         // by time
	desks   []deskRun
	waits   []float64 // of the known, -1 while not called, -2 if denied
	toCall  int       // known visitors who are not called yet
	service []int     // of visits, its number
	rivals  []line.Waiting
}

// join is a visitor who enters the line.
type join struct {
	at      float64
	visitor int
}

// deskRun is a desk of a run.
type deskRun struct {
	consultant int
	ready      float64 // when it calls next; +Inf while idle or gone
	idleSince  float64 // +Inf while not idle
	until      float64 // closes then
	rest       float64 // when its break comes due; +Inf: it has had it, or takes none
}

// Forecast simulates the day from a state on and returns the estimates of its line, in order. replicates is Replicates,
// or fewer for a faster and coarser result.
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

// The waits of visitors who are not called in a run.
const (
	notCalled = -1
	denied    = -2
)

// forecast is what all runs of a state share.
type forecast struct {
	model       *Model
	state       State
	base        *line.Field
	visits      []line.Waiting
	desks       []Desk // those of the state that are not off, then those that are expected to open
	present     int    // the number of the former
	starts      [][]float64
	chance      []float64 // of opening, by expected desk
	latest      float64   // the last due time of the line, in minutes
	horizon     float64   // within which visitors arrive who may overtake
	minutes     float64   // of the moment in its day, in UTC
	had         []float64 // by desk of present: probability of having had the break
	waited      []bool    // by desk: someone has waited for it since before the moment
	service     []int     // by visitor
	consultants []int     // by desk
	closing     float64   // the wait that counts for a visitor who is not called
}

func (m *Model) newForecast(s State) *forecast {
	f := &forecast{
		model: m, state: s, latest: math.Inf(-1), closing: closingHours * 60,
		minutes: minuteOf(s.At),
	}
	byID := map[string]Desk{}
	for _, d := range s.Desks {
		byID[d.ConsultantID] = d
	}
	var expected []Desk
	end := 0.0
	for c, one := range m.office.Consultants {
		d, here := byID[one.ID]
		if here && d.State != Off {
			f.desks = append(f.desks, d)
			end = max(end, f.minute(d.Until, 0))
			continue
		}
		if chance, minutes := m.starts[c].later(s.At); chance > 0 {
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
		f.consultants = append(f.consultants, m.consultants[d.ConsultantID])
		one := m.office.Consultants[f.consultants[i]]
		lanes[i] = line.Desk{Consultant: one.ID, Serves: one.Serves, PinsOnly: d.State == Last}
	}
	f.base = line.NewField(lanes, m.office.Policy.MaxBypass)
	for i, p := range s.Line {
		f.visits = append(f.visits, p.Waiting)
		f.base.Add(p.Waiting)
		if !p.New {
			f.base.Enter(i)
		}
		f.latest = max(f.latest, p.Due().Sub(s.At).Minutes())
		f.service = append(f.service, m.services[p.ServiceID])
	}
	for i := range f.desks {
		f.waited = append(f.waited, f.waitsFor(i))
		f.had = append(f.had, m.breaks.had(f.consultants[i], f.desks[i]))
	}
	// A visitor who registers later than this is due later than all who are known.
	least := math.Inf(1)
	for _, allowance := range m.office.Policy.Allowances {
		least = min(least, allowance.Minutes())
	}
	f.horizon = min(f.latest-least, longestHorizon)
	return f
}

// minute returns a time in minutes after the moment, or otherwise if it is zero.
func (f *forecast) minute(t time.Time, otherwise float64) float64 {
	if t.IsZero() {
		return otherwise
	}
	return t.Sub(f.state.At).Minutes()
}

// servable reports whether a desk that is not off could call a visitor: the pin's, else one that serves the service.
func (f *forecast) servable(visitor int) bool {
	for d := range f.present {
		all := f.model.office.Consultants[f.consultants[d]]
		if (line.Desk{Consultant: all.ID, Serves: all.Serves}).Takes(f.visits[visitor]) {
			return true
		}
	}
	return false
}

// simulate runs one day in r and returns the waits of the known visitors, which are valid until the next run.
func (f *forecast) simulate(r *run) []float64 {
	if r.field == nil {
		r.field = line.NewField(nil, 0)
	}
	r.field.CopyFrom(f.base)
	r.known, r.toCall = len(f.visits), len(f.visits)
	r.visits, r.service = append(r.visits[:0], f.visits...), append(r.service[:0], f.service...)
	r.misses, r.waits = r.misses[:0], r.waits[:0]
	for range f.visits {
		r.misses, r.waits = append(r.misses, 0), append(r.waits, notCalled)
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

// first returns the desk that calls next, -1 if none does.
func (r *run) first() int {
	best, at := -1, math.Inf(1)
	for i := range r.desks {
		if r.desks[i].ready < at {
			best, at = i, r.desks[i].ready
		}
	}
	return best
}

// enter puts a visitor into the line and lets the desk that is idle for longest and takes the visitor call.
func (r *run) enter(j join) {
	r.field.Enter(j.visitor)
	best := -1
	for i := range r.desks {
		d := &r.desks[i]
		if !math.IsInf(d.idleSince, 1) && j.at >= d.rest {
			r.restIdle(d, j.at)
		}
		if !math.IsInf(d.idleSince, 1) && r.field.Takes(i, j.visitor) &&
			(best < 0 || d.idleSince < r.desks[best].idleSince) {
			best = i
		}
	}
	if best >= 0 {
		r.desks[best].ready, r.desks[best].idleSince = j.at+r.random.exponential(r.model.reaction), math.Inf(1)
	}
}

// call lets a desk call the next visitor, or be idle or gone.
func (r *run) call(desk int) {
	d := &r.desks[desk]
	now := d.ready
	d.ready = math.Inf(1)
	if now >= d.until {
		return
	}
	visitor, ok := r.field.Call(desk)
	if !ok {
		d.idleSince = now
		return
	}
	if visitor < r.known {
		r.waits[visitor] = now
		r.toCall--
	}
	m := r.model
	if r.random.float() < m.missed {
		missed := now + m.unanswered.draw(r.random)
		r.miss(d, missed)
		r.comeBack(visitor, missed)
		return
	}
	session := m.session[r.service[visitor]][d.consultant]
	r.sit(d, now+m.walk[d.consultant].draw(r.random)+session.draw(r.random))
}

// sit lets a desk be ready again some time after the end of a sitting.
func (r *run) sit(d *deskRun, end float64) {
	if end < d.rest {
		d.ready = end + r.model.turnover[d.consultant].draw(r.random)
		return
	}
	d.ready, d.rest = end+r.model.breaks.length.draw(r.random), math.Inf(1)
}

// miss lets a desk be ready again after a call that was not answered.
func (r *run) miss(d *deskRun, end float64) {
	d.ready = end
	if end >= d.rest {
		d.ready, d.rest = end+r.model.breaks.length.draw(r.random), math.Inf(1)
	}
}

// restIdle lets an idle desk whose break has come due be back, or be ready at its end.
func (r *run) restIdle(d *deskRun, now float64) {
	back := max(d.rest, d.idleSince) + r.model.breaks.length.draw(r.random)
	d.rest, d.idleSince = math.Inf(1), back
	if back > now {
		d.ready, d.idleSince = back, math.Inf(1)
	}
}

// comeBack lets a missed visitor return, by the rule of the policy.
func (r *run) comeBack(visitor int, missed float64) {
	m := r.model
	if r.random.float() >= m.returned || r.misses[visitor] > 0 {
		return
	}
	at := missed + backSoonest + r.random.float()*(backLatest-backSoonest)
	r.rivals = r.rivals[:0]
	for _, i := range r.field.First(visitor, mostRivals) {
		rival := r.visits[i]
		rival.Bypassed = r.field.Bypassed(i)
		r.rivals = append(r.rivals, rival)
	}
	w, now := r.visits[visitor], r.state.At.Add(duration(at))
	w.Bypassed, w.MovedDue, w.Forced = r.field.Bypassed(visitor), nil, false
	w.RankAt = line.ReturnRank(m.office.Policy, w, r.rivals, r.misses[visitor]+1, now)
	w.DueAt = m.office.Policy.Due(w.RankAt, w.Class)
	r.add(w, r.service[visitor], at, r.misses[visitor]+1)
}

// add lets a visitor who is not one of the state enter the line.
func (r *run) add(w line.Waiting, service int, at float64, misses int) {
	visitor := r.field.Add(w)
	r.visits, r.misses = append(r.visits, w), append(r.misses, misses)
	r.service = append(r.service, service)
	j := join{at, visitor}
	to := len(r.joins)
	for to > 0 && r.joins[to-1].at > at {
		to--
	}
	r.joins = slices.Insert(r.joins, to, j)
}

func duration(minutes float64) time.Duration { return time.Duration(minutes * float64(time.Minute)) }
