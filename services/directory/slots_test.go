package directory

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/platform/testkit"
)

func TestTheListSaysWhatNeedsAttention(t *testing.T) {
	f, c := timed(t)
	f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"name": "Unanswered"}))
	moved := f.book(t, map[string]any{"name": "Monday", "phone": "9811111111"})
	f.book(t, map[string]any{"name": "Tuesday", "date": "2026-11-24"})
	f.office.Load().SpecialDays = []office.SpecialDay{{Date: "2026-11-23", Name: "Festival"}}
	c.pass(2 * time.Hour)
	for query, want := range map[string]string{
		"?needs=time": "[Monday]", "?needs=answer": "[Unanswered]", "?q=tues": "[Tuesday]", "?q=98111": "[Monday]",
		"?q=nothing": "[]", "?status=pending": "[Unanswered]", "": "[Tuesday Monday Unanswered]", "?status=arrived": "[]",
	} {
		page := decode[appointmentsAnswer](t, f.call(t, "pa", "GET", "/api/appointments"+query, "").Body.Bytes())
		names := []string{}
		for _, one := range page.Appointments {
			names = append(names, one.Name)
			if one.NeedsTime != (one.ID == moved.ID) {
				t.Errorf("%s needs a time: %v", one.Name, one.NeedsTime)
			}
		}
		if fmt.Sprint(names) != want || page.Pagination.Total != len(names) {
			t.Errorf("%q has %v, want %s", query, names, want)
		}
	}
	if w := f.call(t, "pa", "GET", "/api/appointments?needs=rest", ""); w.Code != 400 {
		t.Errorf("an unknown need answered %d", w.Code)
	}
}

// A consultant sees the own appointments of a day, without phone and e-mail. Reads of phone numbers are recorded.
func TestADayHasItsSlotsAndAppointments(t *testing.T) {
	f, _ := timed(t)
	me := testkit.ID("consultant")
	f.addConsultants(t, me)
	own := f.book(t, map[string]any{"consultant_id": me})
	f.book(t, nil)
	read := func(role, query string) dayBody {
		t.Helper()
		return decode[dayAnswer](t, f.call(t, role, "GET", "/api/appointments/day"+query, "").Body.Bytes()).Day
	}
	day := read("reception", "?date=2026-11-23")
	if !day.Open || len(day.Spans) == 0 || len(day.Appointments) != 2 || day.Appointments[0].Phone == "" {
		t.Errorf("reception sees %+v", day)
	}
	i := slices.IndexFunc(day.Slots, func(one daySlotBody) bool { return one.Time == "11:00" })
	if got := day.Slots[i]; got.Taken != 2 || got.Capacity != 4 || got.State != "free" {
		t.Errorf("the slot is %+v", got)
	}
	mine := read("consultant", "?date=2026-11-23")
	if len(mine.Appointments) != 1 || mine.Appointments[0].ID != own.ID || mine.Appointments[0].Phone != "" ||
		mine.Appointments[0].Email != "" || mine.Appointments[0].Undo != nil {
		t.Errorf("the consultant sees %+v", mine.Appointments)
	}
	var recorded, readers int
	const selectReads = `SELECT coalesce(sum(cardinality(appointment_ids)), 0), count(DISTINCT user_id) FROM access_log`
	err := f.db.Pool.QueryRow(t.Context(), selectReads).Scan(&recorded, &readers)
	if err != nil || recorded != 2 || readers != 1 {
		t.Errorf("%d reads of %d users are recorded, %v", recorded, readers, err)
	}
	today := read("pa", "")
	if today.Date != "2026-11-20" || today.Appointments == nil {
		t.Errorf("today is %+v", today)
	}
	if w := f.call(t, "pa", "GET", "/api/appointments/day?date=x", ""); w.Code != 400 {
		t.Errorf("a text that is no day answered %d", w.Code)
	}
}

func TestSlotsOfThePage(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) {
		d.Appointments.PerSlot, d.Appointments.DaysAhead = 1, 4
		d.SpecialDays = []office.SpecialDay{{Date: "2026-11-21", Name: "Festival"}}
	})
	for _, at := range []string{"11:00", "12:00", "14:00", "15:00", "16:00", "17:00"} {
		f.book(t, map[string]any{"date": "2026-11-20", "time": at})
	}
	get := func(query string) slotsAnswer {
		t.Helper()
		w := f.call(t, "", "GET", "/api/appointments/slots"+query, "")
		if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("%s answered %d %v", query, w.Code, w.Header())
		}
		return decode[slotsAnswer](t, w.Body.Bytes())
	}
	two := get("?days=2")
	states := ""
	for _, one := range two.Days[0].Slots {
		states += " " + string(one.State)
	}
	if len(two.Days) != 2 || states != " past past full full full full full full" || two.Days[1].Open ||
		two.Days[1].Name != "Festival" || *two.NextFree != (freeSlot{"2026-11-23", "09:00"}) {
		t.Errorf("%s, %+v, %+v", states, two.Days[1], two.NextFree)
	}
	if all := get(""); len(all.Days) != 14 || all.Days[5].Slots[0].State != "far" {
		t.Errorf("%d days, %+v", len(all.Days), all.Days[5])
	}
	if none := get("?from=2026-12-01&days=1"); none.NextFree != nil {
		t.Errorf("too far ahead %+v is free", none.NextFree)
	}
	for _, wrong := range []string{"?days=0", "?days=63", "?days=x", "?from=x"} {
		if w := f.call(t, "", "GET", "/api/appointments/slots"+wrong, ""); w.Code != 400 {
			t.Errorf("%s answered %d", wrong, w.Code)
		}
	}
}

func TestSimulatedAppointmentsHaveNoSlots(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Features.Appointments = office.AppointmentsSimulated })
	if w := f.call(t, "", "GET", "/api/appointments/slots", ""); w.Code != http.StatusNotFound {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}
