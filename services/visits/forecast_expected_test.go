package visits_test

import (
	"testing"
	"time"

	"baari.dev/services/contract"
)

// Confirmed appointments of the next minutes delay the forecast of a visitor who is due later, until their visitors
// have come or the appointments have ended.
func TestForecastsExpectTheVisitorsOfAppointments(t *testing.T) {
	d, zone := newDesk(t).midday()
	d.openDesks("consultant")
	var waits string
	for _, name := range []string{"First", "Second", "Third"} {
		waits = d.lined(name).ID
	}
	likely := func() time.Time {
		t.Helper()
		d.forecast()
		return parse(t, *d.queued(waits).Queue.Forecast.Likely)
	}
	set := func(status string) {
		t.Helper()
		exec(t, d.owner, `UPDATE appointments SET status = $1`, status)
	}
	without := likely()
	for range 4 {
		d.appointment(zone, 5, contract.AppointmentStatusConfirmed)
	}
	if with := likely(); with.Before(without.Add(20 * time.Minute)) {
		t.Errorf("the call is likely at %s, without appointments at %s", with, without)
	}
	for _, status := range []string{
		contract.AppointmentStatusArrived, contract.AppointmentStatusNoShow, contract.AppointmentStatusCancelled,
		contract.AppointmentStatusPending, contract.AppointmentStatusDone,
	} {
		set(status)
		if with := likely(); with.After(without.Add(5 * time.Minute)) {
			t.Errorf("%s: the call is likely at %s, without appointments at %s", status, with, without)
		}
	}
}
