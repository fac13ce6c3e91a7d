package directory

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/testkit"
)

// clock is a clock that a test moves. It begins at morning.
type clock struct{ now time.Time }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

// timed returns a front whose clock the test moves.
func timed(t *testing.T, edits ...func(*office.Document)) (*front, *clock) {
	t.Helper()
	f, c := newFront(t, edits...), &clock{morning}
	f.store.clock = func() *time.Time { return &c.now }
	return f, c
}

// serviceID returns the id of a service of the office.
func (f *front) serviceID(t *testing.T, name string) (id string) {
	t.Helper()
	err := f.db.Pool.QueryRow(t.Context(), `SELECT id::text FROM services WHERE name = $1`, name).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// booking returns the body of a booking at the desk, with some fields changed.
func (f *front) booking(t *testing.T, edits map[string]any) string {
	t.Helper()
	fields := map[string]any{
		"name": "Asha Rao", "phone": "9876543210", "email": "asha@example.com", "date": "2026-11-23", "time": "11:00",
		"service_id": f.serviceID(t, "ITR Filing"),
	}
	for key, value := range edits {
		fields[key] = value
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// book books an appointment as reception and returns it.
func (f *front) book(t *testing.T, edits map[string]any) bookingBody {
	t.Helper()
	w := f.call(t, "reception", "POST", "/api/appointments/book", f.booking(t, edits))
	if w.Code != http.StatusCreated {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	return decode[bookingAnswer](t, w.Body.Bytes()).Appointment
}

// change sends a change of an appointment and returns it, or the rejection.
func (f *front) change(t *testing.T, role, method, path, body string) (got bookingBody, status int, code string) {
	t.Helper()
	w := f.call(t, role, method, "/api/appointments/"+path, body)
	if w.Code >= http.StatusBadRequest {
		return got, w.Code, decode[fault.Body](t, w.Body.Bytes()).Code
	}
	return decode[bookingAnswer](t, w.Body.Bytes()).Appointment, w.Code, ""
}

// row is what the tests read of a stored appointment.
func (f *front) row(t *testing.T, id string) Booking {
	t.Helper()
	found, err := f.store.appointment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// versions checks that the events of an appointment have the versions 1, 2, 3 and so on, that each begins where the one
// before ended, and that the last is the stored row. It returns their types.
func (f *front) versions(t *testing.T, id string) (kinds []string) {
	t.Helper()
	var last contract.Appointment
	for _, e := range f.events(t) {
		if e.EntityID != id {
			continue
		}
		after := decode[contract.Appointment](t, e.After)
		if after.Version != last.Version+1 {
			t.Errorf("%s has version %d after %d", e.Type, after.Version, last.Version)
		}
		if before := string(e.Before); before != "" {
			if !sameAppointment(decode[contract.Appointment](t, e.Before), last) {
				t.Errorf("%s begins with %s, the event before ended with %+v", e.Type, before, last)
			}
		}
		kinds, last = append(kinds, e.Type), after
	}
	if row := f.row(t, id).Appointment; !sameAppointment(row, last) {
		t.Errorf("the row is %+v, the last event %+v", row, last)
	}
	return kinds
}

// sameAppointment compares all fields but Tell and the parts of a second that the API does not have.
func sameAppointment(one, other contract.Appointment) bool {
	one.Tell, other.Tell = false, false
	first, err1 := json.Marshal(one)
	second, err2 := json.Marshal(other)
	return err1 == nil && err2 == nil && string(first) == string(second)
}

func TestABookedAppointmentIsConfirmedAndTold(t *testing.T) {
	f, _ := timed(t)
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	made := f.book(t, map[string]any{"consultant_id": rao, "language": "en", "messages": true, "message": "Papers"})
	if made.Status != "confirmed" || made.Source != "desk" || made.Consultant == nil || made.Consultant.Name != "CA Rao" ||
		made.Version != 1 || !made.Messages || made.Undo == nil || made.Undo.Action != "book" {
		t.Errorf("answered %+v", made)
	}
	event := f.events(t, contract.AppointmentBooked)[0]
	after := decode[contract.Appointment](t, event.After)
	if !after.Tell || after.Place != 1 || after.ConsultantName != "CA Rao" || event.Actor.Role != "reception" {
		t.Errorf("published %+v by %+v", after, event.Actor)
	}
	silent := f.book(t, map[string]any{"tell": false, "time": "12:00", "email": ""})
	events := f.events(t, contract.AppointmentBooked)
	if decode[contract.Appointment](t, events[1].After).Tell || silent.Email != "" {
		t.Error("a booking without a message tells the client")
	}
	f.versions(t, made.ID)
}

// A consultant has one appointment at a time, and a slot as many as its capacity.
func TestASlotHasItsCapacity(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 2 })
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	first := f.book(t, map[string]any{"consultant_id": rao})
	w := f.call(t, "pa", "POST", "/api/appointments/book", f.booking(t, map[string]any{"consultant_id": rao}))
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != 409 || got.Code != "consultant_booked" ||
		got.Error != "CA Rao has another appointment at this time." || got.Params["consultant"] != "CA Rao" {
		t.Errorf("the same consultant: %d %+v", w.Code, got)
	}
	second := f.book(t, nil)
	w = f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"preferredDate": "2026-11-23"}))
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != 409 || got.Code != "slot_full" ||
		got.Params["free"] != "09:00,10:00,12:00,14:00,15:00,16:00,17:00" {
		t.Errorf("the third: %d %+v", w.Code, got)
	}
	if _, status, _ := f.change(t, "admin", "PUT", first.ID, `{"status":"cancelled"}`); status != 200 {
		t.Fatalf("the cancellation answered %d", status)
	}
	third := f.book(t, nil)
	if f.row(t, second.ID).Place != 2 || f.row(t, third.ID).Place != 1 || f.row(t, first.ID).Place != 0 {
		t.Error("the freed place is not the lowest free one")
	}
	for body, code := range map[string]string{
		f.booking(t, map[string]any{"service_id": testkit.ID("x")}):                               "validation",
		f.booking(t, map[string]any{"service_id": "0198f3a0-0000-7000-8000-00000000dead"}):        "service_unknown",
		f.booking(t, map[string]any{"consultant_id": testkit.ID("gone"), "time": "12:00"}):        "consultant_unavailable",
		f.booking(t, map[string]any{"date": "2026-11-22"}):                                        "validation", // a Sunday
		f.booking(t, map[string]any{"date": "2026-11-20", "time": "09:00"}):                       "validation", // over
		f.booking(t, map[string]any{"date": "2027-11-22"}):                                        "validation", // too far
		f.booking(t, map[string]any{"time": "13:00"}):                                             "validation",
		f.booking(t, map[string]any{"time": "9"}):                                                 "validation",
		f.booking(t, map[string]any{"language": "xx"}):                                            "validation",
		f.booking(t, map[string]any{"phone": "98", "messages": "yes", "tell": 1, "date": "2x26"}): "validation",
	} {
		w := f.call(t, "reception", "POST", "/api/appointments/book", body)
		if got := decode[fault.Body](t, w.Body.Bytes()); got.Code != code {
			t.Errorf("%s answered %+v", body, got)
		}
	}
}

func TestARepeatedBookingIsOneAppointment(t *testing.T) {
	f, _ := timed(t)
	send := func(role, body, key string) (id string, w int, replayed string) {
		r := f.call(t, role, "POST", "/api/appointments/book", body, "Idempotency-Key", key)
		return decode[bookingAnswer](t, r.Body.Bytes()).Appointment.ID, r.Code, r.Header().Get("Idempotency-Replayed")
	}
	body := f.booking(t, nil)
	first, _, replayed := send("reception", body, "key-of-asha")
	again, code, twice := send("reception", body, "key-of-asha")
	if first == "" || first != again || code != 201 || replayed != "" || twice != "true" {
		t.Errorf("%s, then %s: %d %q", first, again, code, twice)
	}
	if _, code, _ := send("reception", f.booking(t, map[string]any{"time": "12:00"}), "key-of-asha"); code != 422 {
		t.Errorf("another booking with the key answered %d", code)
	}
	if other, _, _ := send("pa", body, "key-of-asha"); other == first {
		t.Error("the key of another user was replayed")
	}
	request := form(t, map[string]any{"preferredDate": "2026-11-23"})
	one := f.call(t, "", "POST", "/api/appointments", request, "Idempotency-Key", "key-of-page")
	two := f.call(t, "", "POST", "/api/appointments", request, "Idempotency-Key", "key-of-page")
	if one.Body.String() != two.Body.String() || two.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("the page: %s, then %s", one.Body, two.Body)
	}
	if n := len(f.events(t, contract.AppointmentBooked, contract.AppointmentRequested)); n != 3 {
		t.Errorf("%d appointments are published", n)
	}
}

func TestAnAppointmentMoves(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 1 })
	rao, anand := testkit.ID("rao"), testkit.ID("anand")
	f.addConsultants(t, rao, anand)
	made := f.book(t, map[string]any{"consultant_id": rao})
	other := f.book(t, map[string]any{"time": "12:00", "consultant_id": anand})
	move := func(body string) (bookingBody, int, string) { return f.change(t, "pa", "POST", made.ID+"/move", body) }

	if got, status, _ := move(`{"date":"2026-11-23","time":"11:00"}`); status != 200 || got.Version != 1 {
		t.Errorf("to its own slot: %d %+v", status, got)
	}
	if _, status, code := move(`{"date":"2026-11-23","time":"12:00"}`); status != 409 || code != "slot_full" {
		t.Errorf("to a full slot: %d %s", status, code)
	}
	got, _, _ := move(`{"date":"2026-11-24","time":"12:00","version":1}`)
	if got.PreferredDate != "2026-11-24" || got.PreferredTime != "12:00" || got.Sequence != 1 || got.Version != 2 ||
		got.Status != "confirmed" || got.Consultant.ID != rao {
		t.Errorf("moved to %+v", got)
	}
	if got, _, _ := move(`{"date":"2026-11-24","time":"12:00","consultant_id":""}`); got.Consultant != nil ||
		got.Sequence != 2 {
		t.Errorf("without the consultant: %+v", got)
	}
	_, status, code := move(`{"date":"2026-11-24","time":"09:00","version":1}`)
	if status != 412 || code != "stale_version" {
		t.Errorf("with an old version: %d %s", status, code)
	}
	for _, wrong := range []string{`{"date":"2026-11-22","time":"09:00"}`, `{"date":"2026-11-20","time":"10:00"}`,
		`{"date":"2026-11-19","time":"10:00"}`, `{"date":"2027-11-22","time":"10:00"}`,
		`{"date":"2026-11-24","time":"13:00"}`} {
		if _, status, _ := move(wrong); status != 400 {
			t.Errorf("%s answered %d", wrong, status)
		}
	}
	f.change(t, "pa", "PUT", other.ID, `{"status":"done"}`)
	_, status, code = f.change(t, "pa", "POST", other.ID+"/move", `{"date":"2026-11-24","time":"14:00"}`)
	if status != 409 || code != "illegal_transition" {
		t.Errorf("of one that is over: %d %s", status, code)
	}
	f.book(t, nil) // the slot that it has left
	f.versions(t, made.ID)
}

func TestDetailsAreCorrected(t *testing.T) {
	f, _ := timed(t)
	made := f.book(t, nil)
	audit := f.serviceID(t, "GST Registration")
	got, status, _ := f.change(t, "pa", "PUT", made.ID+"/details",
		`{"name":"Asha Iyer","phone":"9876500000","email":"","messages":true,"service_id":"`+audit+`","version":1}`)
	if status != 200 || got.Name != "Asha Iyer" || got.Email != "" || got.Service != "GST Registration" || !got.Messages ||
		got.Sequence != 0 || got.Undo != nil {
		t.Errorf("%d %+v", status, got)
	}
	if same, _, _ := f.change(t, "pa", "PUT", made.ID+"/details", `{"name":"Asha Iyer"}`); same.Version != 2 {
		t.Errorf("the same name: %+v", same)
	}
	for body, want := range map[string]int{`{"phone":"1"}`: 400, `{"language":"xx"}`: 400, `{"name":"b","version":1}`: 412,
		`{"service_id":"0198f3a0-0000-7000-8000-00000000dead"}`: 422} {
		if _, status, _ := f.change(t, "pa", "PUT", made.ID+"/details", body); status != want {
			t.Errorf("%s answered %d", body, status)
		}
	}
	if kinds := f.versions(t, made.ID); !slices.Equal(kinds, []string{"appointment_booked", "appointment_updated"}) {
		t.Errorf("published %v", kinds)
	}
}

// A user takes back the own last change within 30 seconds. The place must be free still.
func TestAChangeIsTakenBack(t *testing.T) {
	f, c := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 1 })
	undo := func(role, id string) (bookingBody, int, string) {
		return f.change(t, role, "POST", id+"/undo", "")
	}
	made := f.book(t, nil)
	f.change(t, "pa", "PUT", made.ID, `{"status":"cancelled"}`)
	if _, status, code := undo("reception", made.ID); status != 409 || code != "undo_gone" {
		t.Errorf("by another user: %d %s", status, code)
	}
	got, _, _ := undo("pa", made.ID)
	if got.Status != "confirmed" || got.Sequence != 2 || got.EndedAt != nil || got.Undo != nil {
		t.Errorf("the cancellation taken back: %+v", got)
	}
	if _, _, code := undo("pa", made.ID); code != "undo_gone" {
		t.Errorf("twice: %s", code)
	}
	f.change(t, "pa", "POST", made.ID+"/move", `{"date":"2026-11-23","time":"12:00"}`)
	if got, _, _ = undo("pa", made.ID); got.PreferredTime != "11:00" || got.Sequence != 4 {
		t.Errorf("the move taken back: %+v", got)
	}
	f.change(t, "pa", "PUT", made.ID, `{"status":"declined"}`)
	f.book(t, nil)
	if _, status, code := undo("pa", made.ID); status != 409 || code != "slot_full" {
		t.Errorf("with the place taken: %d %s", status, code)
	}
	late := f.book(t, map[string]any{"time": "14:00"})
	c.pass(31 * time.Second)
	if _, _, code := undo("reception", late.ID); code != "undo_gone" {
		t.Errorf("too late: %s", code)
	}
	booked := f.book(t, map[string]any{"time": "15:00"})
	if got, _, _ := undo("reception", booked.ID); got.Status != "cancelled" || got.EndedAt == nil || got.Sequence != 0 {
		t.Errorf("the booking taken back: %+v", got)
	}
	last := f.events(t, contract.AppointmentUndone)
	if decode[contract.Appointment](t, last[len(last)-1].After).Tell {
		t.Error("an undo tells the client")
	}
	f.versions(t, made.ID)
	f.versions(t, booked.ID)
}

func TestStatusesAreSet(t *testing.T) {
	f, c := timed(t)
	made := f.book(t, map[string]any{"date": "2026-11-20"})
	set := func(body string) (bookingBody, int, string) { return f.change(t, "pa", "PUT", made.ID, body) }
	c.now = morning.Add(74 * time.Minute) // 11:14
	w := f.call(t, "pa", "PUT", "/api/appointments/"+made.ID, `{"status":"no-show"}`)
	if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != 409 || got.Code != "too_early" ||
		got.Error != "This can be noted from 11:15." || got.Params["time"] != "11:15" || got.Params["from"] != "11:15" {
		t.Errorf("before the visitor is late: %d %+v", w.Code, got)
	}
	c.pass(time.Minute)
	if got, _, _ := set(`{"status":"no-show"}`); got.Status != "no-show" || got.EndedAt == nil {
		t.Errorf("%+v", got)
	}
	if _, status, code := set(`{"status":"confirmed"}`); status != 409 || code != "illegal_transition" {
		t.Errorf("confirmed after the end: %d %s", status, code)
	}
	got, _, _ := f.change(t, "pa", "POST", made.ID+"/undo", "")
	if got.Status != "confirmed" || f.row(t, made.ID).Place != 1 {
		t.Errorf("taken back: %+v", got)
	}
	if _, status, code := set(`{"status":"done","version":1}`); status != 412 || code != "stale_version" {
		t.Errorf("an old version: %d %s", status, code)
	}
	if w := f.call(t, "pa", "PUT", "/api/appointments/"+made.ID, `{"status":"done"}`, "If-Match", `"3"`); w.Code != 200 {
		t.Errorf("If-Match answered %d %s", w.Code, w.Body)
	}
	want := []string{"appointment_booked", "appointment_no_show", "appointment_undone", "appointment_done"}
	if kinds := f.versions(t, made.ID); !slices.Equal(kinds, want) {
		t.Errorf("published %v", kinds)
	}
}
