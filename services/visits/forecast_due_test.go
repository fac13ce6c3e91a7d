package visits_test

import (
	"testing"
	"time"
)

// forecastOnce makes a forecast if one is due, and returns the time of the forecasts that are shown, or the zero time
// if there are none.
func (d *desk) forecastOnce() (madeAt time.Time) {
	d.t.Helper()
	if err := d.service.ForecastOnce(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	var made *time.Time
	if err := d.owner.QueryRow(d.t.Context(), `SELECT max(made_at) FROM forecasts`).Scan(&made); err != nil {
		d.t.Fatal(err)
	}
	if made == nil {
		return time.Time{}
	}
	return *made
}

// older makes the shown forecasts as old as age, and returns their new time.
func (d *desk) older(age time.Duration) (madeAt time.Time) {
	d.t.Helper()
	exec(d.t, d.owner, `UPDATE forecasts SET made_at = now() - $1::interval`, age)
	if err := d.owner.QueryRow(d.t.Context(), `SELECT max(made_at) FROM forecasts`).Scan(&madeAt); err != nil {
		d.t.Fatal(err)
	}
	return madeAt
}

// A forecast is made at once for the first visitor, after a change if the last forecast is at least a second old, and
// every 20 seconds while a visitor waits.
func TestWhenAForecastIsDue(t *testing.T) {
	d, _ := newDesk(t).midday()
	if made := d.forecastOnce(); !made.IsZero() {
		t.Error("a forecast is made for an empty line")
	}
	first := d.lined("First")
	d.number()
	if d.forecastOnce().IsZero() {
		t.Fatal("no forecast is made for the first visitor")
	}
	made := d.older(15 * time.Second)
	if !d.forecastOnce().Equal(made) {
		t.Error("a forecast of 15 seconds ago is made again without a change")
	}
	if made = d.older(21 * time.Second); d.forecastOnce().Equal(made) {
		t.Error("a forecast of 21 seconds ago is not made again while a visitor waits")
	}
	second := d.lined("Second")
	d.number()
	made = d.older(-time.Hour) // a time in the future, so that the test does not depend on the machine's speed
	if !d.forecastOnce().Equal(made) {
		t.Error("a change within a second of the last forecast is forecast at once")
	}
	if made = d.older(2 * time.Second); d.forecastOnce().Equal(made) {
		t.Error("a change is forgotten that came within a second of the last forecast")
	}
	for _, v := range []*visitBody{first, second} {
		d.must("leave", d.act("pa", v.ID, "leave", `{}`), "left")
	}
	d.number()
	d.older(2 * time.Second)
	if made := d.forecastOnce(); !made.IsZero() {
		t.Error("visitors who have left have a forecast")
	}
}

func TestAReplicaShowsTheForecastsOfAnother(t *testing.T) {
	d, zone := newDesk(t).midday()
	d.openDesks("consultant")
	v := d.lined("Waits")
	d.number()
	d.forecastOnce()
	other := d.replica(zone)
	if f := other.queued(v.ID).Queue.Forecast; f != nil {
		t.Fatalf("before its first tick the other replica shows %+v", f)
	}
	other.forecastOnce()
	shown, made := other.queued(v.ID).Queue.Forecast, d.queued(v.ID).Queue.Forecast
	if shown == nil || made == nil || shown.MadeAt != made.MadeAt || *shown.From != *made.From {
		t.Errorf("the other replica shows %+v of %+v", shown, made)
	}
}

// A change of a service's estimate is used in the next forecast, although the history is read only once a minute.
func TestALongerServiceIsForecastAtOnce(t *testing.T) {
	d, _ := newDesk(t).midday()
	d.openDesks("consultant")
	exec(t, d.owner, `UPDATE services SET est_minutes = 20`)
	d.lined("First")
	second := d.lined("Second")
	likely := func() time.Time {
		d.forecast()
		return parse(t, *d.queued(second.ID).Queue.Forecast.Likely)
	}
	before := likely()
	exec(t, d.owner, `UPDATE services SET est_minutes = 120`)
	if after := likely(); after.Sub(before) < 30*time.Minute {
		t.Errorf("the second visitor is likely called at %s, before the change at %s", after, before)
	}
}
