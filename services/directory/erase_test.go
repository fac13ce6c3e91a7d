package directory

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// ashas are the fields of a request that tell of its person.
var ashas = map[string]any{"name": "Asha Parvati Deshpande", "phone": "9811122233", "email": "asha.canary@example.com", "message": "canary-message"}

// asked stores Asha's request and somebody else's, and answers the id of hers.
func (f *front) asked(t *testing.T) string {
	t.Helper()
	f.clock = at(noon)
	w := f.call(t, "", "POST", "/api/appointments", form(t, ashas))
	id := decode[appointmentAnswer](t, w.Body.Bytes()).Appointment.ID
	f.call(t, "reception", "PUT", "/api/appointments/"+id, `{"status":"confirmed"}`)
	if w := f.call(t, "", "POST", "/api/appointments", form(t, nil)); w.Code != http.StatusCreated {
		t.Fatalf("the other request answered %d %s", w.Code, w.Body)
	}
	return id
}

// erasedInFull fails unless nothing of Asha is left, and everything else is.
func (f *front) erasedInFull(t *testing.T, id string) {
	t.Helper()
	for _, value := range ashas {
		if found := f.db.Find(t, value.(string)); len(found) > 0 {
			t.Errorf("left of the visitor: %v", found)
		}
	}
	if found := f.db.Find(t, "9876543210"); !slices.Contains(found, "appointments: 9876543210") {
		t.Errorf("of the other visitor only %v is left", found)
	}
	published := f.events(t, contract.AppointmentRequested, contract.AppointmentConfirmed, contract.AppointmentErased)
	var kinds []string
	for _, e := range published {
		if e.EntityID == id {
			kinds = append(kinds, e.Type)
		}
	}
	if !slices.Equal(kinds, []string{contract.AppointmentRequested, contract.AppointmentConfirmed, contract.AppointmentErased}) {
		t.Errorf("published %v", kinds)
	}
	if published[0].Actor != nil {
		t.Errorf("it is still known from where the request came: %+v", published[0].Actor)
	}
	list := decode[appointmentsAnswer](t, f.call(t, "reception", "GET", "/api/appointments", "").Body.Bytes()).Appointments
	if len(list) != 2 || list[1].Name != "Erased" || list[1].Phone != "" || list[1].Status != "confirmed" {
		t.Errorf("the list is %+v", list)
	}
}

// P3: a request is erased when it and the day it asks for are older than RETENTION_DAYS.
func TestAnOldRequestIsErased(t *testing.T) {
	f := newFront(t)
	id := f.asked(t)
	before := time.Now().AddDate(0, 0, -400)
	erase := func() int64 {
		n, err := f.Retention()[0].Erase(t.Context(), before)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	owner := f.db.Owner(t)
	if _, err := owner.Exec(t.Context(), `UPDATE appointments SET created_at = now() - interval '401 days' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if n := erase(); n != 0 {
		t.Error("a request was erased whose day is to come")
	}
	if _, err := owner.Exec(t.Context(), `UPDATE appointments SET preferred_date = now() - interval '401 days' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if n := erase(); n != 1 {
		t.Errorf("%d requests were erased", n)
	}
	if n := erase(); n != 0 {
		t.Errorf("%d requests were erased twice", n)
	}
	// ASVS 14.2.7
	f.erasedInFull(t, id)
}

// P3: a day that nobody here will see keeps nobody's data: a request is over a year after it was made.
func TestARequestForADistantDayIsErased(t *testing.T) {
	f := newFront(t)
	id := f.asked(t)
	for _, c := range []struct {
		days string
		want int64
	}{{"764 days", 0}, {"767 days", 1}} {
		if _, err := f.db.Owner(t).Exec(t.Context(), `UPDATE appointments SET created_at = now() - $2::interval, preferred_date = '9999-12-31' WHERE id = $1`, id, c.days); err != nil {
			t.Fatal(err)
		}
		n, err := f.Retention()[0].Erase(t.Context(), time.Now().AddDate(0, 0, -400))
		// ASVS 14.2.7
		if err != nil || n != c.want {
			t.Errorf("after %s %d requests are erased, want %d: %v", c.days, n, c.want, err)
		}
	}
}

// P2: who reads a request, which holds a whole phone, is in the access log, once a day, without the phone.
func TestWhoReadsARequestIsRecorded(t *testing.T) {
	f := newFront(t)
	f.asked(t)
	recorded := func(role string) (times, requests int) {
		t.Helper()
		err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*), coalesce(sum(cardinality(appointment_ids)), 0) FROM access_log WHERE user_id = $1 AND call = 'appointments'`,
			testkit.ID(role)).Scan(&times, &requests)
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
	if found := f.db.Find(t, "9811122233"); slices.Contains(found, "access_log: 9811122233") {
		t.Error("the access log holds a phone")
	}
	if gone, err := f.db.Pool.Exec(t.Context(), `DELETE FROM access_log`); err != nil || gone.RowsAffected() != 0 {
		t.Errorf("%d lines of today are gone, %v", gone.RowsAffected(), err)
	}
}

// P4: a person gets what is stored of their requests, and is erased on request; asked twice nothing more happens.
func TestAPersonIsExportedAndErased(t *testing.T) {
	f := newFront(t)
	id := f.asked(t)
	table, err := endpoint.New(endpoint.Deps{Service: contract.SourceDirectory, Secret: testkit.ServiceSecret, Log: slog.New(slog.DiscardHandler)}, f.InternalRoutes()...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(table)
	defer server.Close()
	client := identity.NewClient(server.URL, testkit.ServiceSecret, "operator", contract.SourceDirectory)
	ask := func(call, phone string, into any) int {
		status, err := client.Call(t.Context(), http.MethodPost, "/internal/subject/"+call, map[string]string{"phone": phone}, into)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	var stored subjectAnswer
	f.call(t, "reception", "GET", "/api/appointments", "")
	ask("export", "9811122233", &stored)
	if len(stored.Access) != 1 || stored.Access[0].Role != "reception" || stored.Access[0].Call != "appointments" {
		t.Errorf("seen by %+v", stored.Access)
	}
	if len(stored.Appointments) != 1 || stored.Appointments[0].ID != id || stored.Appointments[0].Email != ashas["email"] {
		t.Errorf("exported %+v", stored)
	}
	yesterday, tomorrow := time.Now().AddDate(0, 0, -1).Format(time.DateOnly), time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	var seen breachAnswer
	breach := func(from, to, phone string) int {
		status, err := client.Call(t.Context(), http.MethodPost, "/internal/breach", map[string]string{"from": from, "to": to, "phone": phone}, &seen)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	breach(yesterday, tomorrow, "9811122233")
	if len(seen.Affected) != 1 || seen.Affected[0].Email != ashas["email"] || len(seen.Readers) != 2 || seen.Readers[0].Requests != 1 {
		t.Errorf("after a breach %+v", seen)
	}
	if breach(yesterday, tomorrow, ""); len(seen.Affected) != 2 {
		t.Errorf("after a breach affected are %+v", seen.Affected)
	}
	if breach("2020-01-01", "2020-01-31", ""); len(seen.Affected)+len(seen.Readers) != 0 {
		t.Errorf("before, affected were %+v", seen)
	}
	if status := breach("x", tomorrow, ""); status != http.StatusBadRequest {
		t.Errorf("a day that is none answered %d", status)
	}
	var erased, again erasedAnswer
	ask("erase", "9811122233", &erased)
	ask("erase", "9811122233", &again)
	if !slices.Equal(erased.Erased, []string{id}) || len(again.Erased) != 0 {
		t.Errorf("erased %v, then %v", erased.Erased, again.Erased)
	}
	f.erasedInFull(t, id)
	if status := ask("erase", strings.Repeat("9", 9), &again); status != http.StatusBadRequest {
		t.Errorf("a phone that is none answered %d", status)
	}
}
