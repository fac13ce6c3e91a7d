// Package forecast forecasts when each visitor will be called and how many visitors will come, and measures how
// accurate the forecasts were. The computation is in package foresight.
//
// Start with Forecaster.ForecastOnce, one tick of the loop.
package forecast

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// One replica at a time learns from the history, simulates the line after each change, and stores the range of times to
// show to each visitor. All replicas read these ranges. No request computes a forecast or waits for one.

const (
	forecastTick  = 500 * time.Millisecond // changes during a tick cause one forecast
	forecastPause = time.Second            // shortest time between two forecasts
	forecastEvery = 20 * time.Second       // longest interval between forecasts while a visitor waits
	staleAfter    = 2 * time.Minute        // older ranges are not shown
	learnEvery    = time.Minute
	tooSlow       = 20 * time.Millisecond // a slower simulation makes the next one coarser
	pinWarning    = 15                    // the PA is warned if a visitor would gain this many minutes without the pin
	pinsCompared  = 12                    // largest number of pinned visitors that are compared
	pinReplicates = 100
	compareRest   = 20 // pause between comparisons, as a multiple of their duration
)

// Forecaster has the learned model, and the ranges that are shown.
type Forecaster struct {
	requests *store // used by requests
	store    *store // used by the loop
	duration prometheus.Histogram
	log      *slog.Logger

	shown    atomic.Pointer[map[string]shown]
	accuracy atomic.Pointer[AccuracyLine]

	// Only the loop uses these fields.
	madeAt     time.Time // time of the ranges in shown
	dirty      bool      // the line has changed since the last forecast
	setup      foresight.Setup
	model      *foresight.Model
	record     *foresight.Record
	average    float64 // mean minutes of the sessions so far
	learnedAt  time.Time
	replicates int
	compared   map[string]*int // last result of the method sooner
	compareAt  time.Time       // time from which the method sooner is called again
}

// New returns a Forecaster. The loop uses background, a pool of no public route, so that no user waits for a forecast.
func New(db, background *row.DB, registry prometheus.Registerer) *Forecaster {
	f := &Forecaster{
		requests: &store{db}, store: &store{background}, duration: newDuration(),
		replicates: foresight.Replicates, log: slog.Default(),
	}
	f.shown.Store(&map[string]shown{})
	registry.MustRegister(f.duration, forecastCollector{f.requests})
	return f
}

// Routes returns the routes for the accuracy of forecasts and for the expected visitors.
func (f *Forecaster) Routes() []endpoint.Route {
	admin := endpoint.Roles(contract.RoleAdmin)
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/accuracy", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(decodeAccuracy, f.Accuracy),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/demand", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, f.Demand),
		},
	}
}

// Retention returns the task that deletes old promises and sittings.
func (f *Forecaster) Retention() []retention.Task {
	return []retention.Task{{Name: "forecasts", Erase: f.requests.forgetForecasts}}
}

// Run calls ForecastOnce at each tick until ctx ends.
func (f *Forecaster) Run(ctx context.Context, log *slog.Logger) error {
	f.log = log
	ticker := time.NewTicker(forecastTick)
	defer ticker.Stop()
	failing := false
	for {
		err := f.ForecastOnce(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			log.WarnContext(ctx, "the line is forecast at the next tick", "cause", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// ForecastOnce applies new events and reads the ranges that are shown. In between, it makes a forecast if the line has
// changed, or if visitors wait and the last forecast is old.
func (f *Forecaster) ForecastOnce(ctx context.Context) error {
	now, err := f.store.pulse(ctx)
	if err != nil {
		return err
	}
	f.dirty = f.dirty || now.behind
	due := f.dirty && (now.age >= forecastPause || now.madeAt.IsZero())
	due = due || now.waiting && (now.madeAt.IsZero() || now.age >= forecastEvery)
	if now.behind || due {
		work := func() error { return f.work(ctx, due) }
		if err := f.store.WithAdvisoryLock(ctx, "foresight", 10*time.Second, work); err != nil {
			return err
		}
		if now, err = f.store.pulse(ctx); err != nil {
			return err
		}
	}
	if now.madeAt.Equal(f.madeAt) && f.accuracyIsFresh(now.at) {
		return nil
	}
	return f.load(ctx, now)
}

// ForecastNow applies the newest events, makes a forecast and reads the ranges, even if none of that is due. Tests use
// it.
func (f *Forecaster) ForecastNow(ctx context.Context) error {
	if err := f.work(ctx, true); err != nil {
		return err
	}
	return f.LoadForecasts(ctx)
}

// LoadForecasts reads the stored forecasts, which another replica may have made. Tests use it.
func (f *Forecaster) LoadForecasts(ctx context.Context) error {
	now, err := f.store.pulse(ctx)
	if err != nil {
		return err
	}
	f.accuracy.Store(nil)
	return f.load(ctx, now)
}

// work applies new events and, if due is true, makes a forecast. The lock of ForecastOnce excludes other replicas.
func (f *Forecaster) work(ctx context.Context, due bool) error {
	for {
		applied, skipped, err := f.store.applyHistory(ctx)
		for _, cause := range skipped {
			f.log.ErrorContext(ctx, "forecasts do not learn from an event", "cause", cause)
		}
		if err != nil {
			return err
		}
		if applied < historyPage {
			break
		}
	}
	if !due {
		return nil
	}
	f.dirty = false
	if err := f.store.endDay(ctx); err != nil {
		return err
	}
	return f.forecast(ctx)
}

// load reads the ranges that are shown and the line of text about their accuracy.
func (f *Forecaster) load(ctx context.Context, now pulse) error {
	all, err := f.store.forecasts(ctx)
	if err != nil {
		return err
	}
	if !f.accuracyIsFresh(now.at) {
		if err := f.loadAccuracy(ctx, now.at); err != nil {
			return err
		}
	}
	f.shown.Store(&all)
	f.madeAt = now.madeAt
	return nil
}

// forecast simulates the line from its current state and stores the ranges.
func (f *Forecaster) forecast(ctx context.Context) error {
	var now scene
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, f.store.Pool, snapshot, func(tx pgx.Tx) (err error) {
		if now, err = f.store.scene(ctx, tx); err != nil || len(now.state.Line) == 0 {
			return err
		}
		return f.learn(ctx, tx, now)
	})
	if err != nil {
		return err
	}
	if len(now.state.Line) == 0 {
		return f.store.keepForecasts(ctx, nil)
	}
	timer := prometheus.NewTimer(f.duration)
	estimates := f.model.Forecast(now.state, f.replicates)
	f.replicates = replicatesAfter(f.replicates, timer.ObserveDuration())
	return f.store.keepForecasts(ctx, f.ranges(now, estimates))
}

// replicatesAfter returns how many days the next forecast simulates: fewer after a slow one, but at least Replicates/2.
func replicatesAfter(replicates int, took time.Duration) int {
	if took > tooSlow {
		return max(foresight.Replicates/2, replicates*9/10)
	}
	return min(foresight.Replicates, replicates*10/9+1)
}

// learn reads the history again if it was read more than learnEvery ago, or if the setup has changed since.
func (f *Forecaster) learn(ctx context.Context, tx pgx.Tx, now scene) error {
	at := now.state.At
	if f.model != nil && at.Sub(f.learnedAt) < learnEvery && reflect.DeepEqual(f.setup, now.setup) {
		return nil
	}
	sittings, err := f.store.sittings(ctx, tx)
	if err != nil {
		return err
	}
	left, err := f.store.departures(ctx, tx)
	if err != nil {
		return err
	}
	if f.record, err = f.store.record(ctx, tx); err != nil {
		return err
	}
	booked, err := f.store.attendance(ctx, tx)
	if err != nil {
		return err
	}
	f.model = foresight.Learn(now.setup, foresight.History{Sittings: sittings, Left: left, Booked: booked}, at)
	f.setup, f.learnedAt, f.average = now.setup, at, averageSession(now.setup, sittings)
	return nil
}

// averageSession returns the mean minutes of the sessions or, if there are none, of the services' estimates.
func averageSession(setup foresight.Setup, sittings []foresight.Sitting) float64 {
	sum, n := 0.0, 0
	for _, s := range sittings {
		if !s.Started.IsZero() {
			sum, n = sum+s.Ended.Sub(s.Started).Minutes(), n+1
		}
	}
	if n == 0 {
		for _, s := range setup.Services {
			sum, n = sum+s.EstMinutes, n+1
		}
	}
	return sum / float64(max(1, n))
}

// ranges returns the ranges to show for a scene (now) and its estimates.
func (f *Forecaster) ranges(now scene, estimates []foresight.Estimate) []shown {
	at, open := now.state.At, 0
	for _, d := range now.state.Desks {
		if d.State == foresight.Open {
			open++
		}
	}
	sooner := f.lastCompared(now.state, estimates)
	all := make([]shown, len(estimates))
	for i, e := range estimates {
		one := shown{
			visitID: e.VisitID, kind: e.Kind, estimate: e, note: e.Note, early: f.record.Early(), madeAt: at,
			sooner: sooner[e.VisitID],
		}
		if e.Note != foresight.NobodyAtDesk {
			r := f.record.Range(at, e)
			one.from, one.to, one.likely, one.level = &r.From, &r.To, &r.Likely, r.Level
			place := float64(i+1) * f.average / float64(max(1, open))
			one.place = &place
		}
		all[i] = one
	}
	return all
}

// lastCompared returns the result of the method sooner. During a pause that grows with the time of a comparison, it
// returns the previous result, because comparing a line of hundreds each second would keep a processor busy.
func (f *Forecaster) lastCompared(s foresight.State, estimates []foresight.Estimate) map[string]*int {
	if !s.At.Before(f.compareAt) {
		timer := prometheus.NewTimer(nil)
		f.compared = f.sooner(s, estimates)
		f.compareAt = s.At.Add(compareRest * timer.ObserveDuration())
	}
	return f.compared
}

// sooner returns, by visit id, how many minutes earlier pinned visitors would be called without their pin. It leaves
// out gains under pinWarning.
func (f *Forecaster) sooner(s foresight.State, estimates []foresight.Estimate) map[string]*int {
	all, compared := map[string]*int{}, 0
	for i, p := range s.Line {
		if p.PinnedTo == "" || estimates[i].Note == foresight.NobodyAtDesk || estimates[i].Q50 < pinWarning {
			continue
		}
		if compared++; compared > pinsCompared {
			break
		}
		without := s
		without.Line = append([]foresight.Place(nil), s.Line...)
		without.Line[i].PinnedTo = ""
		free := f.model.Forecast(without, pinReplicates)[i]
		if gain := int(estimates[i].Q50 - free.Q50); free.Note != foresight.NobodyAtDesk && gain >= pinWarning {
			all[p.ID] = &gain
		}
	}
	return all
}

// Of returns the forecast of a visit that waits for a decision or in the line, nil if there is no recent one.
func (f *Forecaster) Of(v visit.Visit, at time.Time) *row.Forecast {
	one, ok := (*f.shown.Load())[v.ID]
	if !ok || v.Stage != visit.StageNew && v.Stage != visit.StageWaiting || at.Sub(one.madeAt) > staleAfter {
		return nil
	}
	note := string(one.note)
	body := &row.Forecast{
		From: wire.TimeOf(one.from), To: wire.TimeOf(one.to), Likely: wire.TimeOf(one.likely), Early: one.early,
		Note: wire.TextOf(note), MadeAt: wire.Time(one.madeAt),
	}
	if v.Pinned {
		body.Sooner = one.sooner
	}
	return body
}

// With sets the forecast of each visit in a list and returns the list.
func (f *Forecaster) With(list row.Snapshots) row.Snapshots {
	for i, one := range list.Rows {
		list.Rows[i].Forecast = f.Of(one.Visit, one.At.Clock)
	}
	return list
}
