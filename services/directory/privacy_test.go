package directory

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/testkit"
)

// ashas has the personal data in Asha's appointment request.
var ashas = map[string]any{
	"name": "Asha Parvati Deshpande", "phone": "9811122233", "email": "asha.canary@example.com",
	"message": "canary-message",
}

// requestAsAsha stores Asha's appointment request and another visitor's, and returns the id of Asha's.
func (f *front) requestAsAsha(t *testing.T) string {
	t.Helper()
	f.store.clock = at(morning)
	w := f.call(t, "", "POST", "/api/appointments", form(t, ashas))
	id := decode[bookingAnswer](t, w.Body.Bytes()).Appointment.ID
	f.call(t, "reception", "PUT", "/api/appointments/"+id, `{"status":"confirmed"}`)
	if w := f.call(t, "", "POST", "/api/appointments", form(t, nil)); w.Code != http.StatusCreated {
		t.Fatalf("the other request answered %d %s", w.Code, w.Body)
	}
	return id
}

func (f *front) checkErased(t *testing.T, id string) {
	t.Helper()
	for _, value := range ashas {
		if found := f.db.Find(t, value.(string)); len(found) > 0 {
			t.Errorf("not erased: %v", found)
		}
	}
	if found := f.db.Find(t, "9876543210"); !slices.Contains(found, "appointments: 9876543210") {
		t.Errorf("the other visitor's data is only in %v", found)
	}
	published := f.events(t, contract.AppointmentRequested, contract.AppointmentConfirmed, contract.AppointmentErased)
	var kinds []string
	for _, e := range published {
		if e.EntityID == id {
			kinds = append(kinds, e.Type)
		}
	}
	want := []string{contract.AppointmentRequested, contract.AppointmentConfirmed, contract.AppointmentErased}
	if !slices.Equal(kinds, want) {
		t.Errorf("published %v", kinds)
	}
	if published[0].Actor != nil {
		t.Errorf("the event of the request still has the actor %+v", published[0].Actor)
	}
	list := decode[appointmentsAnswer](t, f.call(t, "reception", "GET", "/api/appointments", "").Body.Bytes()).Appointments
	if len(list) != 2 || list[1].Name != "Erased" || list[1].Phone != "" || list[1].Status != "cancelled" {
		t.Errorf("the list is %+v", list)
	}
}

// An appointment request is erased when both it and its preferred day are older than RETENTION_DAYS.
func TestOldRequestIsErased(t *testing.T) {
	f := newFront(t)
	id := f.requestAsAsha(t)
	before := time.Now().AddDate(0, 0, -400)
	erase := func() int64 {
		n, err := f.Retention()[0].Erase(t.Context(), before)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	owner := f.db.Owner(t)
	testkit.Exec(t, owner, `UPDATE appointments SET created_at = now() - interval '401 days' WHERE id = $1`, id)
	if n := erase(); n != 0 {
		t.Error("a request with a preferred day in the future was erased")
	}
	testkit.Exec(t, owner, `UPDATE appointments SET preferred_date = now() - interval '401 days' WHERE id = $1`, id)
	if n := erase(); n != 1 {
		t.Errorf("%d requests were erased", n)
	}
	if n := erase(); n != 0 {
		t.Errorf("%d requests were erased twice", n)
	}
	// ASVS 14.2.7
	f.checkErased(t, id)
}

// A preferred day far in the future extends retention by at most a year after the request.
func TestRequestForADistantDayIsErased(t *testing.T) {
	f := newFront(t)
	id := f.requestAsAsha(t)
	for _, c := range []struct {
		days string
		want int64
	}{{"764 days", 0}, {"767 days", 1}} {
		const distant = `
UPDATE appointments SET created_at = now() - $2::interval, preferred_date = '9999-12-31' WHERE id = $1`
		testkit.Exec(t, f.db.Owner(t), distant, id, c.days)
		n, err := f.Retention()[0].Erase(t.Context(), time.Now().AddDate(0, 0, -400))
		// ASVS 14.2.7
		if err != nil || n != c.want {
			t.Errorf("after %s %d requests are erased, want %d: %v", c.days, n, c.want, err)
		}
	}
}

// A read of an appointment request is recorded in the access log once a day, without the phone number.
func TestReadingARequestIsRecorded(t *testing.T) {
	f := newFront(t)
	f.requestAsAsha(t)
	recorded := func(role string) (times, requests int) {
		t.Helper()
		const selectRecorded = `
SELECT count(*), coalesce(sum(cardinality(appointment_ids)), 0) FROM access_log
WHERE user_id = $1 AND call = 'appointments'`
		err := f.db.Pool.QueryRow(t.Context(), selectRecorded, testkit.ID(role)).Scan(&times, &requests)
		if err != nil {
			t.Fatal(err)
		}
		return times, requests
	}
	for range 3 {
		f.call(t, "reception", "GET", "/api/appointments", "")
	}
	f.call(t, "admin", "GET", "/api/appointments?status=confirmed", "")
	if times, requests := recorded("reception"); times != 1 || requests != 2 {
		t.Errorf("reception is recorded %d times with %d requests, want once with two", times, requests)
	}
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	f.call(t, "reception", "GET", "/api/appointments", "")
	if times, requests := recorded("reception"); times != 2 || requests != 3 {
		t.Errorf("with the new request it is recorded %d times with %d requests", times, requests)
	}
	if times, requests := recorded("admin"); times != 1 || requests != 1 {
		t.Errorf("the admin is recorded %d times with %d requests", times, requests)
	}
	testkit.Exec(t, f.db.Owner(t), `UPDATE access_log SET at = at - interval '1 day'`)
	f.call(t, "reception", "GET", "/api/appointments", "")
	if times, requests := recorded("reception"); times != 3 || requests != 6 {
		t.Errorf("on the next day it is recorded %d times with %d requests", times, requests)
	}
	if _, err := f.eraseSubject(t.Context(), "9811122233"); err != nil {
		t.Fatal(err)
	}
	f.call(t, "admin", "GET", "/api/appointments", "")
	if times, requests := recorded("admin"); times != 2 || requests != 3 { // 1 request in the first read, 2 in this one
		t.Errorf("with an erased request the admin is recorded %d times with %d requests", times, requests)
	}
	if found := f.db.Find(t, "9811122233"); slices.Contains(found, "access_log: 9811122233") {
		t.Error("the access log has a phone")
	}
	if deleted, err := f.db.Pool.Exec(t.Context(), `DELETE FROM access_log`); err != nil || deleted.RowsAffected() != 0 {
		t.Errorf("%d of today's entries were deleted, %v", deleted.RowsAffected(), err)
	}
}

func TestSubjectIsExportedAndErased(t *testing.T) {
	f := newFront(t)
	id := f.requestAsAsha(t)
	url := f.internal(t)
	client := identity.NewClient(url, testkit.Keys("operator"), contract.SourceDirectory)
	visits := identity.NewClient(url, testkit.Keys(contract.SourceVisits), contract.SourceDirectory)
	ask := func(call, phone string, into any) int {
		body := map[string]string{"phone": phone}
		status, err := client.Call(t.Context(), http.MethodPost, "/internal/subject/"+call, body, into)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	var stored subjectAnswer
	f.call(t, "reception", "GET", "/api/appointments", "")
	ask("export", "9811122233", &stored)
	if len(stored.Access) != 1 || stored.Access[0].Role != "reception" || stored.Access[0].Call != "appointments" {
		t.Errorf("disclosed to %+v", stored.Access)
	}
	if len(stored.Appointments) != 1 || stored.Appointments[0].ID != id || stored.Appointments[0].Email != ashas["email"] {
		t.Errorf("exported %+v", stored)
	}
	day := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	yesterday, tomorrow := day(-1), day(1)
	var report breachAnswer
	breach := func(from, to, phone string) int {
		status, err := client.Call(t.Context(), http.MethodPost, "/internal/breach",
			map[string]string{"from": from, "to": to, "phone": phone}, &report)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	breach(yesterday, tomorrow, "9811122233")
	if len(report.Affected) != 1 || report.Affected[0].Email != ashas["email"] || len(report.Readers) != 2 ||
		report.Readers[0].Requests != 1 {
		t.Errorf("reported %+v", report)
	}
	if breach(yesterday, tomorrow, ""); len(report.Affected) != 2 {
		t.Errorf("affected are %+v", report.Affected)
	}
	if breach("2020-01-01", "2020-01-31", ""); len(report.Affected)+len(report.Readers) != 0 {
		t.Errorf("for an earlier period, reported %+v", report)
	}
	if status := breach("x", tomorrow, ""); status != http.StatusBadRequest {
		t.Errorf("an invalid day answered %d", status)
	}
	if status := breach(yesterday, tomorrow, "98"); status != http.StatusBadRequest {
		t.Errorf("an incomplete phone answered %d", status)
	}
	var nothing subjectAnswer
	ask("export", "9800000000", &nothing) // the export of an unknown person is not recorded
	uses := func(from, to string) (found privacy.Uses) {
		t.Helper()
		period := map[string]string{"from": from, "to": to}
		if status, err := visits.Call(t.Context(), http.MethodPost, "/internal/uses", period, &found); err != nil ||
			status != http.StatusOK {
			t.Fatal(status, err)
		}
		return found
	}
	// Reception read two requests, and the operator exported one.
	if found := uses(yesterday, tomorrow).Uses; len(found) != 2 || found[0].Times != 1 || found[1].Times != 1 ||
		found[0].Records+found[1].Records != 3 {
		t.Errorf("used %+v", found)
	}
	if found := uses("2020-01-01", "2020-01-31").Uses; len(found) != 0 {
		t.Errorf("in an earlier period, used %+v", found)
	}
	var erased, again privacy.Erased
	ask("erase", "9811122233", &erased)
	ask("erase", "9811122233", &again)
	if !slices.Equal(erased.Erased, []string{id}) || len(again.Erased) != 0 {
		t.Errorf("erased %v, then %v", erased.Erased, again.Erased)
	}
	f.checkErased(t, id)
	if breach(yesterday, tomorrow, ""); len(report.Affected) != 2 || report.Affected[0].Phone != "" ||
		report.Affected[0].Email != "" {
		t.Errorf("after the erasure, affected are %+v", report.Affected)
	}
	if status := ask("erase", strings.Repeat("9", 9), &again); status != http.StatusBadRequest {
		t.Errorf("an invalid phone answered %d", status)
	}
}
