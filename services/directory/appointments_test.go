package directory

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// morning is 10:00 at the office, 04:30 of the same day in UTC.
var morning = time.Date(2026, 11, 20, 4, 30, 0, 0, time.UTC)

func at(now time.Time) func() *time.Time { return func() *time.Time { return &now } }

// roomy gives each slot more places than a test takes.
func roomy(d *office.Document) { d.Appointments.PerSlot = 50 }

// form returns the body of an appointment request as the public page sends it, with some fields changed. A nil value
// omits the field.
func form(t *testing.T, edits map[string]any) string {
	t.Helper()
	fields := map[string]any{
		"name": "Asha Rao", "phone": "9876543210", "email": "asha@example.com", "service": "ITR Filing",
		"preferredDate": "2026-11-20", "preferredTime": "11:00", "message": "With my father",
	}
	for key, value := range edits {
		if fields[key] = value; value == nil {
			delete(fields, key)
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// S3.appt.01-04, S5.appt.08, S5.appt.11: an appointment request is stored as sent, with the status pending. Today is a
// valid day, and the message is optional.
func TestAppointmentRequestIsStored(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	w := f.call(t, "", "POST", "/api/appointments", form(t, nil))
	made := decode[bookingAnswer](t, w.Body.Bytes()).Appointment
	if w.Code != http.StatusCreated || made.ID == "" || made.Status != "pending" || time.Time(made.CreatedAt).IsZero() {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	want := appointmentBodyOut{
		ID: made.ID, Name: "Asha Rao", Phone: "9876543210", Email: "asha@example.com", Service: "ITR Filing",
		PreferredDate: "2026-11-20", PreferredTime: "11:00", Message: "With my father", Status: "pending",
		CreatedAt: made.CreatedAt,
	}
	if made.appointmentBodyOut != want {
		t.Errorf("answered %+v", made)
	}
	without := form(t, map[string]any{"message": nil})
	if w := f.call(t, "", "POST", "/api/appointments", without); w.Code != http.StatusCreated {
		t.Errorf("without a message answered %d %s", w.Code, w.Body)
	}
	published := f.events(t, contract.AppointmentRequested)
	if event := decode[contract.Appointment](t, published[0].After); event.ServiceID == "" || event.Place != 1 ||
		event.Source != contract.AppointmentSourcePage || event.Version != 1 || event.Tell {
		t.Errorf("published %+v", event)
	}
	if len(published) != 2 || published[0].Actor.ID != "" || published[0].Actor.IP == "" ||
		decode[contract.Appointment](t, published[0].After).Phone != "9876543210" {
		t.Errorf("published %+v", published)
	}
	var notice string
	const selectNotice = `SELECT notice_version FROM appointments WHERE id = $1`
	err := f.db.Pool.QueryRow(t.Context(), selectNotice, made.ID).Scan(&notice)
	if err != nil || notice != "2026-11" {
		t.Errorf("it is stored with the notice %q, %v", notice, err)
	}
}

// S5.appt.01-10: each invalid field is rejected with its message (the specification's, if any). Nothing is stored.
func TestInvalidAppointmentFieldsHaveTheirOwnMessages(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	for _, c := range []struct {
		field    string
		value    any
		sentence string
	}{
		{"name", nil, "Name is required"}, {"name", "  ", "Name is required"}, {"name", 5, "Name is required"},
		{"name", strings.Repeat("a", 101), "Please shorten the name to 100 characters"},
		{"name", "a\u2066b", fault.NameIllegal.Sentence},
		{"phone", nil, "Phone number is required"}, {"phone", "", "Phone number is required"},
		{"phone", "987654321", wire.PhoneWrong.Sentence}, {"phone", "98765432101", wire.PhoneWrong.Sentence},
		{"phone", "98765abcde", wire.PhoneWrong.Sentence},
		{"phone", 9876543210, wire.PhoneWrong.Sentence},
		{"email", nil, "Email is required"}, {"email", "", "Email is required"},
		{"email", "asha@example", "Please enter a valid email address"},
		{"email", true, "Please enter a valid email address"},
		{"service", nil, "Service is required"}, {"service", "", "Service is required"},
		{"service", []string{"ITR Filing"}, "Service is required"},
		{"preferredDate", nil, "Preferred date is required"}, {"preferredDate", "", "Preferred date is required"},
		{"preferredDate", "2026-11-19", "Preferred date cannot be in the past"},
		{"preferredDate", "20.11.2026", dateWrong.Sentence}, {"preferredDate", "2026-02-30", dateWrong.Sentence},
		{"preferredDate", 20261120, dateWrong.Sentence},
		{"preferredDate", "2026-11-22", dateClosed.Sentence}, // a Sunday
		{"preferredTime", nil, "Preferred time is required"},
		{"preferredTime", "13:00", "Please choose a time from the list"},
		{"preferredTime", 9, "Please choose a time from the list"},
		{"message", strings.Repeat("m", 1001), messageLong.Sentence}, {"message", "a\u0000", messageIllegal.Sentence},
		{"message", 1, messageIllegal.Sentence},
	} {
		w := f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{c.field: c.value}))
		// ASVS 2.2.1, 2.2.2
		if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || got.Error != c.sentence ||
			got.Fields[c.field] != c.sentence {
			t.Errorf("%s %v answered %d %q, want %q", c.field, c.value, w.Code, got.Error, c.sentence)
		}
	}
	w := f.call(t, "", "POST", "/api/appointments", `{}`)
	if got := decode[fault.Body](t, w.Body.Bytes()); got.Error != "Name is required" || len(got.Fields) != 6 {
		t.Errorf("an empty form answered %+v", got)
	}
	w = f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"service": "Palm reading"}))
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusUnprocessableEntity ||
		got.Code != "service_unknown" {
		t.Errorf("an unknown service answered %d %+v", w.Code, got)
	}
	if published := f.events(t, contract.AppointmentRequested); len(published) != 0 {
		t.Errorf("rejected requests published %d events", len(published))
	}
}

// "Today" is the current office day. The next office day begins at 18:30 UTC.
func TestPreferredDateIsComparedWithTheOfficeDay(t *testing.T) {
	f := newFront(t)
	body := form(t, map[string]any{"preferredDate": "2026-11-20"})
	f.store.clock = at(time.Date(2026, 11, 20, 18, 29, 59, 0, time.UTC))
	w := f.call(t, "", "POST", "/api/appointments", body)
	if got := decode[fault.Body](t, w.Body.Bytes()); got.FieldCodes["preferredTime"] != "time_in_past" {
		t.Errorf("a second before midnight answered %d %s", w.Code, w.Body)
	}
	f.store.clock = at(time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC))
	// ASVS 2.2.3
	w = f.call(t, "", "POST", "/api/appointments", body)
	if got := decode[fault.Body](t, w.Body.Bytes()); got.FieldCodes["preferredDate"] != "date_in_past" {
		t.Errorf("at midnight answered %d %s", w.Code, w.Body)
	}
}

func TestAnAppointmentIsNotInTheBreakOfTheOffice(t *testing.T) {
	f := newFront(t, func(d *office.Document) {
		open := func(from, to string) office.Hours {
			return office.Hours{Days: "Monday-Friday", Open: &from, Close: &to}
		}
		d.Hours = []office.Hours{open("9 AM", "12 PM"), open("2 PM", "7 PM")}
	})
	f.store.clock = at(morning)
	for slot, want := range map[string]int{
		"11:00": http.StatusCreated, "12:00": http.StatusBadRequest, "14:00": http.StatusCreated, "17:00": http.StatusCreated,
	} {
		w := f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"preferredTime": slot}))
		if w.Code != want {
			t.Errorf("%s answered %d %s", slot, w.Code, w.Body)
		}
		if got := decode[fault.Body](t, w.Body.Bytes()); want != http.StatusCreated &&
			got.Fields["preferredTime"] != timeClosed.Sentence {
			t.Errorf("%s answered %+v", slot, got)
		}
	}
}

func TestSixthRequestFromAnAddressIsLimited(t *testing.T) {
	f := newFront(t, roomy)
	f.serve(t, limit.New(testkit.NewRedis(t).Client, "directory"))
	f.store.clock = at(morning)
	for i := range 5 {
		if w := f.call(t, "", "POST", "/api/appointments", form(t, nil)); w.Code != http.StatusCreated {
			t.Fatalf("request %d answered %d %s", i+1, w.Code, w.Body)
		}
	}
	w := f.call(t, "", "POST", "/api/appointments", form(t, nil))
	// ASVS 2.3.2, 2.4.1
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("the sixth answered %d %s", w.Code, w.Body)
	}
}

// S3.appt.04: with simulated appointments, the page sends no appointment request, and the route returns 404.
func TestSimulatedAppointmentsAnswerNotFound(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Features.Appointments = office.AppointmentsSimulated })
	for _, role := range []string{"", "reception", "admin"} {
		if w := f.call(t, role, "POST", "/api/appointments", form(t, nil)); w.Code != http.StatusNotFound {
			t.Errorf("role %q: answered %d %s", role, w.Code, w.Body)
		}
	}
}

func TestReceptionChangesRequests(t *testing.T) {
	f := newFront(t, roomy)
	f.store.clock = at(morning)
	var ids []string
	for i := range 5 {
		w := f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"name": fmt.Sprintf("Visitor %d", i)}))
		ids = append(ids, decode[bookingAnswer](t, w.Body.Bytes()).Appointment.ID)
	}
	set := func(id, status string) *fault.Body {
		w := f.call(t, "reception", "PUT", "/api/appointments/"+id, `{"status":"`+status+`"}`)
		if w.Code == http.StatusOK {
			if got := decode[bookingAnswer](t, w.Body.Bytes()).Appointment; got.Status != status || got.ID != id {
				t.Errorf("%s answered %+v", status, got)
			}
			return nil
		}
		rejected := decode[fault.Body](t, w.Body.Bytes())
		return &rejected
	}
	for _, step := range []string{"confirmed", "confirmed", "done", "done"} {
		if rejected := set(ids[0], step); rejected != nil {
			t.Errorf("%s: %+v", step, rejected)
		}
	}
	if rejected := set(ids[0], "declined"); rejected == nil || rejected.Code != "illegal_transition" ||
		rejected.Error != "Cannot change status from done to declined" {
		t.Errorf("the change of a final request answered %+v", rejected)
	}
	for _, wrong := range []string{"pending", "new", ""} {
		if rejected := set(ids[1], wrong); rejected == nil || rejected.Error != statusWrong.Sentence {
			t.Errorf("the status %q answered %+v", wrong, rejected)
		}
	}
	if rejected := set(ids[2], "declined"); rejected != nil {
		t.Errorf("declined: %+v", rejected)
	}
	// Setting the current status publishes no event.
	published := f.events(t, contract.AppointmentConfirmed, contract.AppointmentDone, contract.AppointmentDeclined)
	if len(published) != 3 || published[0].Type != contract.AppointmentConfirmed ||
		published[1].Type != contract.AppointmentDone || published[2].EntityID != ids[2] ||
		published[0].Actor.Role != "reception" {
		t.Errorf("published %+v", published)
	}
	f.checkPages(t, ids)
}

// checkPages checks the pages of five requests: ids[0] is done, ids[2] declined, the others are pending.
func (f *front) checkPages(t *testing.T, ids []string) {
	t.Helper()
	for _, c := range []struct {
		query        string
		first        string
		rows         int
		total, pages int
	}{
		{"", ids[4], 5, 5, 1}, {"?limit=2", ids[4], 2, 5, 3}, {"?limit=2&page=3", ids[0], 1, 5, 3}, {"?page=9", "", 0, 5, 1},
		{"?status=pending", ids[4], 3, 3, 1}, {"?status=done", ids[0], 1, 1, 1}, {"?status=confirmed", "", 0, 0, 0},
		{"?status=&page=", ids[4], 5, 5, 1},
	} {
		page := decode[appointmentsAnswer](t, f.call(t, "admin", "GET", "/api/appointments"+c.query, "").Body.Bytes())
		if len(page.Appointments) != c.rows || page.Pagination.Total != c.total || page.Pagination.Pages != c.pages ||
			c.rows > 0 && page.Appointments[0].ID != c.first {
			t.Errorf("%q answered %d rows, %+v", c.query, len(page.Appointments), page.Pagination)
		}
	}
	for _, wrong := range []string{"?page=0", "?page=x", "?page=99999999999999999999", "?limit=0", "?limit=101",
		"?status=new", "?status=%00"} {
		if w := f.call(t, "admin", "GET", "/api/appointments"+wrong, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%q answered %d", wrong, w.Code)
		}
	}
}

// A time that is available on other days is rejected if the office closes earlier on this day.
func TestAppointmentIsWithinTheOpeningHours(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	for day, want := range map[string]int{"2026-11-20": http.StatusCreated, "2026-11-21": http.StatusBadRequest} {
		body := form(t, map[string]any{"preferredDate": day, "preferredTime": "17:00"})
		w := f.call(t, "", "POST", "/api/appointments", body) // Saturday closes at 5 PM
		if w.Code != want {
			t.Errorf("17:00 of %s answered %d %s", day, w.Code, w.Body)
		}
		if w.Code != http.StatusBadRequest {
			continue
		}
		if got := decode[fault.Body](t, w.Body.Bytes()); got.Fields["preferredTime"] != timeClosed.Sentence {
			t.Errorf("17:00 of %s answered %+v", day, got)
		}
	}
}

// A time within the lead of the office has not passed, but cannot be requested either.
func TestAnAppointmentIsRequestedInTime(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Appointments.LeadMinutes = 60 })
	f.store.clock = at(morning)
	for hour, want := range map[string]string{
		"10:00": "This time has passed. Please choose a later one.", "11:00": "Please choose a later time.", "12:00": "",
	} {
		body := form(t, map[string]any{"preferredDate": "2026-11-20", "preferredTime": hour})
		got := decode[fault.Body](t, f.call(t, "", "POST", "/api/appointments", body).Body.Bytes())
		code := string(got.FieldCodes["preferredTime"])
		if got.Fields["preferredTime"] != want || (want != "") != (code == "time_in_past") {
			t.Errorf("%s answered %+v", hour, got)
		}
	}
}

func TestRequestsOfADay(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	for _, day := range []string{"2026-11-20", "2026-11-23"} {
		f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"preferredDate": day, "name": "Of " + day}))
	}
	w := f.call(t, "reception", "GET", "/api/appointments?date=2026-11-23&status=pending", "")
	got := decode[appointmentsAnswer](t, w.Body.Bytes())
	if len(got.Appointments) != 1 || got.Appointments[0].Name != "Of 2026-11-23" || got.Pagination.Total != 1 {
		t.Errorf("answered %s", w.Body)
	}
	if w := f.call(t, "reception", "GET", "/api/appointments?date=tomorrow", ""); w.Code != http.StatusBadRequest {
		t.Errorf("a text that is no day answered %d", w.Code)
	}
}

func TestARequestForAClosedServiceIsRejected(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	for _, one := range decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services {
		if one.Name == "ITR Filing" { // the service that form requests
			f.call(t, "admin", "PUT", "/api/services/"+one.ID, `{"name":"ITR Filing","est_minutes":30,"is_active":0}`)
		}
	}
	w := f.call(t, "", "POST", "/api/appointments", form(t, nil))
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusUnprocessableEntity ||
		got.Code != "service_unknown" {
		t.Errorf("answered %d %+v", w.Code, got)
	}
}

func TestAppointmentIsNotBeforeTheOfficeOpens(t *testing.T) {
	from, to := "12 PM", "7 PM"
	f := newFront(t, func(d *office.Document) {
		d.Hours = []office.Hours{{Days: "Monday-Saturday", Open: &from, Close: &to}}
	})
	f.store.clock = at(morning)
	w := f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"preferredDate": "2026-11-23"})) // 11:00
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusBadRequest ||
		got.Fields["preferredTime"] != timeClosed.Sentence {
		t.Errorf("11:00 answered %d %+v", w.Code, got)
	}
}

// A time in the past and a day that is too far ahead are rejected with a sentence that says which times are possible.
func TestAnAppointmentIsAtATimeThatCanBeHad(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	for at, want := range map[string]struct{ field, code, sentence string }{
		"2026-11-20 09:00": {"preferredTime", "time_in_past", "This time has passed. Please choose a later one."},
		"2026-11-20 10:00": {"preferredTime", "time_in_past", "This time has passed. Please choose a later one."},
		"2026-11-20 11:00": {},
		"2026-11-23 09:00": {},
		"2027-11-19 09:00": {},
		"2027-11-22 09:00": {"preferredDate", "date_too_far", "Appointments can be requested until 20 November 2027."},
		"9999-12-30 09:00": {"preferredDate", "date_too_far", "Appointments can be requested until 20 November 2027."},
	} {
		day, hour, _ := strings.Cut(at, " ")
		body := form(t, map[string]any{"preferredDate": day, "preferredTime": hour})
		w := f.call(t, "", "POST", "/api/appointments", body)
		got := decode[fault.Body](t, w.Body.Bytes())
		if want.field == "" && w.Code != http.StatusCreated ||
			got.Fields[want.field] != want.sentence || string(got.FieldCodes[want.field]) != want.code {
			t.Errorf("%s answered %d %s", at, w.Code, w.Body)
		}
	}
}
