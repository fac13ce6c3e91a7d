package main

import (
	"fmt"
	"slices"
	"time"

	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/line"
)

// watcher forecasts the wait of each visitor who enters the line, as the service does, and records the actual wait. It
// knows only what the service would know: neither the true durations nor the lunch times. A nil watcher does nothing.
type watcher struct {
	setup    foresight.Setup
	days     int // number of the current day
	model    *foresight.Model
	record   *foresight.Record
	history  foresight.History
	open     map[string]promise // keyed by visit
	judged   []judgement
	minutes  float64 // sum of the lengths of all sessions
	sessions int
}

// promise is a forecast that was shown to a visitor.
type promise struct {
	made            time.Time
	estimate        foresight.Estimate
	shown           foresight.Range
	byPlace         float64 // position x average session / open desks
	position, desks int
}

// judgement is a promise with the actual wait in minutes.
type judgement struct {
	promise
	day    int
	actual float64
}

func newWatcher(o office) *watcher {
	w := &watcher{record: foresight.NewRecord(), setup: foresight.Setup{Policy: line.DefaultPolicy()}}
	for _, s := range o.services {
		w.setup.Services = append(w.setup.Services, foresight.Service{ID: s.id, EstMinutes: s.estMinutes})
	}
	for _, c := range o.consultants {
		w.setup.Consultants = append(w.setup.Consultants, foresight.Consultant{ID: c.id, Serves: c.serves})
	}
	return w
}

func (w *watcher) begin(n int, at time.Time) {
	w.days, w.open = n, map[string]promise{}
	w.model = foresight.Learn(w.setup, w.history, at)
}

// joined makes a promise to a visitor who enters the line for the first time, before a free desk can call the visitor.
func (w *watcher) joined(r *run, v *visit) {
	if w == nil || v.calls > 0 {
		return
	}
	s := w.state(r)
	estimates := w.model.Forecast(s, foresight.Replicates)
	at := slices.IndexFunc(s.Line, func(p foresight.Place) bool { return p.ID == v.id })
	e := estimates[at]
	if e.Note == foresight.NobodyAtDesk {
		return
	}
	p := promise{made: r.now, estimate: e, shown: w.record.Range(r.now, e), position: 1}
	ordered := line.Order(r.line(), w.setup.Policy.MaxBypass)
	p.position += slices.IndexFunc(ordered, func(other line.Waiting) bool { return other.ID == v.id })
	for _, d := range s.Desks {
		if d.State == foresight.Open {
			p.desks++
		}
	}
	average := w.minutes / float64(max(1, w.sessions))
	p.byPlace = float64(p.position) * average / float64(max(1, p.desks))
	w.open[v.id] = p
}

// calls compares a visitor's promise with the wait until the first call.
func (w *watcher) calls(r *run, v *visit) {
	if w == nil || v.calls > 0 {
		return
	}
	p, promised := w.open[v.id]
	if !promised {
		return
	}
	actual := r.now.Sub(p.made).Minutes()
	w.judged = append(w.judged, judgement{p, w.days, actual})
	w.record.Resolve(foresight.Score{
		Kind: foresight.Join, ServiceID: v.service, MadeAt: p.made, Q10: p.estimate.Q10, Q50: p.estimate.Q50,
		Q90: p.estimate.Q90, From: p.shown.From, To: p.shown.To, ActualMinutes: actual,
	})
}

// sat adds a session that has ended, or a call that was not answered, to the history.
func (w *watcher) sat(r *run, v *visit, b *desk) {
	if w == nil {
		return
	}
	s := foresight.Sitting{
		VisitID: fmt.Sprintf("day-%d/%s", w.days, v.id), ServiceID: v.service, ConsultantID: b.id, Class: v.waits.Class,
		Registered: v.registered, Joined: v.decided, Called: v.called, Started: v.begun, Ended: r.now,
		EndedAs: foresight.Completed,
	}
	if v.begun.IsZero() {
		s.EndedAs = foresight.Missed
	} else {
		w.minutes += v.session.Minutes()
		w.sessions++
	}
	w.history.Sittings = append(w.history.Sittings, s)
}

// leaves adds to the history a visitor who leaves the line before the first call.
func (w *watcher) leaves(r *run, v *visit) {
	if w != nil && v.calls == 0 {
		w.history.Left = append(w.history.Left, foresight.Departure{Joined: v.decided, Left: r.now})
	}
}

// state returns what the service would know about the line and the desks.
func (w *watcher) state(r *run) foresight.State {
	s := foresight.State{At: r.now}
	var registered []foresight.Place
	for _, v := range r.visits {
		p := foresight.Place{Waiting: v.waits, Registered: v.registered, Joined: v.decided}
		switch {
		case v.state == waiting:
			s.Line = append(s.Line, p)
		case v.state == undecided && !v.registered.After(r.now):
			rank, class := r.policy.Admit(v.registered, v.class, v.slot)
			p.New, p.Joined = true, time.Time{}
			p.Waiting = line.Waiting{
				ID: v.id, Token: v.token, ServiceID: v.service, Class: class, RankAt: rank,
				DueAt: r.policy.Due(rank, class), AppointmentAt: v.slot,
			}
			registered = append(registered, p)
		}
	}
	s.Line = append(s.Line, registered...)
	for i, b := range r.desks {
		if r.now.Before(b.start) {
			continue
		}
		d := foresight.Desk{ConsultantID: b.id, State: foresight.Open, Since: b.changed}
		switch {
		case b.visit != nil:
			d.Visit = &foresight.DeskVisit{ServiceID: b.visit.service, InSession: b.inside, Since: b.changed}
		case b.back.After(r.now):
			d.State = foresight.Break
			if i%2 == 0 { // every second consultant says when the break ends
				d.BackAt = b.back
			}
		}
		s.Desks = append(s.Desks, d)
	}
	return s
}
