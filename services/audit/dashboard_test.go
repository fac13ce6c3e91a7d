package audit

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// arrivalAt returns the event of a visit that was created at the given time. Its session started the given number of
// minutes later; if minutes is 0, it has not started.
func arrivalAt(at time.Time, minutes int, where *time.Location) outbox.Change {
	visit := contract.Visit{ID: uuid.NewString(), TokenNo: 1, Token: "T-001", Day: at.In(where).Format(time.DateOnly),
		Name: "Asha", Phone: "9876543210",
		Status: contract.StatusNew, CreatedAt: wire.Time(at), UpdatedAt: wire.Time(at), Version: 1}
	if minutes > 0 {
		started := wire.Time(at.Add(time.Duration(minutes) * time.Minute))
		consultant := "c"
		visit.Status, visit.ConsultantID, visit.StartedAt = contract.StatusInSession, &consultant, &started
	}
	return outbox.Change{Type: contract.VisitCreated, Entity: contract.EntityVisit, EntityID: visit.ID, Version: 1,
		After: visit}
}

func (o *office) dashboard(t *testing.T) dashboardAnswer {
	t.Helper()
	w := o.call(t, "reception", "/api/analytics/dashboard")
	if w.Code != 200 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	return decode[dashboardAnswer](t, w.Body.Bytes())
}

// S3.analytics.01-04, S7.api.15: the dashboard counts the visits of today by their current status.
func TestDashboardCountsTodaysVisits(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	if got := o.dashboard(t); got.Today != (todayBody{}) || got.Measured.WaitMinutes != nil || got.Measured.Peak != nil {
		t.Errorf("before the first visitor: %+v", got)
	}
	day := newDay(t, 21)
	counts := map[string]int{}
	for i := range 300 {
		change := day.Next()
		visits.Publish(t, change)
		counts[change.After.(contract.Visit).Status]++
		if before, ok := change.Before.(contract.Visit); ok {
			counts[before.Status]--
		}
		if i%60 != 59 {
			continue
		}
		o.caughtUp(t, visits)
		o.store.clock = at(day.Clock)
		want := todayBody{New: counts["new"], Approved: counts["approved"], InSession: counts["in-session"],
			Completed: counts["completed"], Denied: counts["denied"]}
		want.Total = want.New + want.Approved + want.InSession + want.Completed + want.Denied
		if got := o.dashboard(t); got.Today != want || got.Day != day.Clock.In(day.Zone).Format(time.DateOnly) {
			t.Errorf("after %d events: %+v, want %+v", i+1, got, want)
		}
	}
	o.store.clock = at(day.Clock.AddDate(0, 0, 1))
	if got := o.dashboard(t); got.Today != (todayBody{}) {
		t.Errorf("a day later: %+v", got.Today)
	}
}

// Design 7: waiting time and arrivals cover today if it has at least ten visits, otherwise the last thirty days.
func TestDashboardMeasuresTodayOrThirtyDays(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	where := newDay(t, 1).Zone
	hour := func(daysAgo, hour int) time.Time {
		return time.Date(2026, 11, 20-daysAgo, hour, 20, 0, 0, where)
	}
	o.store.clock = at(hour(0, 18))
	visits.Publish(t, arrivalAt(hour(30, 9), 50, where), arrivalAt(hour(29, 9), 20, where),
		arrivalAt(hour(29, 9), 21, where), arrivalAt(hour(1, 10), 0, where))
	for range 9 {
		visits.Publish(t, arrivalAt(hour(0, 15), 5, where))
	}
	o.caughtUp(t, visits)
	got := o.dashboard(t)
	if got.Today.Total != 9 || *got.Measured.WaitMinutes != 7.8 { // (20 + 21 + 9*5) / 11
		t.Errorf("nine visits today: %+v, %v minutes", got.Today, *got.Measured.WaitMinutes)
	}
	if a := got.Measured.Arrivals; a[9] != 2 || a[10] != 1 || a[15] != 9 ||
		*got.Measured.Peak != (peakHours{"15:00", "17:00"}) {
		t.Errorf("arrivals %v, peak %+v", a, got.Measured.Peak)
	}
	visits.Publish(t, arrivalAt(hour(0, 8), 0, where))
	o.caughtUp(t, visits)
	got = o.dashboard(t)
	if got.Today.Total != 10 || *got.Measured.WaitMinutes != 5 {
		t.Errorf("ten visits today: %+v, %v minutes", got.Today, *got.Measured.WaitMinutes)
	}
	if a := got.Measured.Arrivals; a[9] != 0 || a[8] != 1 || a[15] != 9 {
		t.Errorf("arrivals %v", a)
	}
}

func TestPeakIsTwoConsecutiveHours(t *testing.T) {
	for _, c := range []struct {
		arrivals map[int]int
		hour     int
		ok       bool
	}{
		{nil, 0, false}, {map[int]int{14: 3, 15: 4, 9: 6}, 14, true}, {map[int]int{23: 1}, 22, true},
		{map[int]int{0: 1}, 0, true},
		{map[int]int{9: 2, 10: 2, 16: 2, 17: 2}, 9, true}, {map[int]int{8: 5}, 8, true},
		{map[int]int{9: 1, 10: 4, 11: 1}, 10, true},
	} {
		var d Dashboard
		for hour, visits := range c.arrivals {
			d.Arrivals[hour] = visits
		}
		if hour, ok := d.Peak(); hour != c.hour || ok != c.ok {
			t.Errorf("%v: %d, %v", c.arrivals, hour, ok)
		}
	}
}

// The dashboard shows the office day, which begins at 18:30 UTC.
func TestDashboardShowsTheOfficeDay(t *testing.T) {
	o := newOffice(t)
	for text, day := range map[string]string{"2026-11-20T18:29:59Z": "2026-11-20", "2026-11-20T18:30:00Z": "2026-11-21"} {
		now, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		o.store.clock = at(now)
		if got := fmt.Sprint(o.dashboard(t).Day); got != day {
			t.Errorf("at %s the day is %s", text, got)
		}
	}
}
