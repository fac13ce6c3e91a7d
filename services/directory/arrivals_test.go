package directory

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/directory/places"
	"baari.dev/services/office"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// visits is the source of visits' events in a test.
type visits struct {
	*testkit.Source
	f *front
}

func (f *front) visits(t *testing.T) visits {
	t.Helper()
	redis := testkit.NewRedis(t)
	source := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	f.follow(t, source, redis, f.FollowVisits())
	return visits{source, f}
}

// happens publishes an event of a visit with an appointment, and waits until it is applied.
func (v visits) happens(t *testing.T, kind, stage, visit, appointment, day string) {
	t.Helper()
	v.Publish(t, outbox.Change{Type: kind, Entity: contract.EntityVisit, EntityID: visit, After: contract.Visit{
		ID: visit, Stage: stage, Day: day, AppointmentID: &appointment,
	}})
	v.f.caughtUp(t, v.Source)
}

// An appointment arrives with its visit, and returns when this visit is cancelled, also by an undo.
func TestAnAppointmentArrivesWithItsVisit(t *testing.T) {
	f, _ := timed(t)
	v := f.visits(t)
	made := f.book(t, map[string]any{"date": "2026-11-20"})
	one, two := uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String()
	check := func(step, status, visit string) {
		t.Helper()
		got := f.row(t, made.ID)
		if got.Status != status || (got.VisitID == nil) != (visit == "") || visit != "" && *got.VisitID != visit ||
			got.Place != 1 {
			t.Errorf("%s: %s with the visit %v in place %d", step, got.Status, got.VisitID, got.Place)
		}
	}
	v.happens(t, contract.VisitCreated, contract.StageNew, one, made.ID, "2026-11-21")
	check("registered on another day", "confirmed", "")
	for range 2 {
		v.happens(t, contract.VisitCreated, contract.StageNew, one, made.ID, "2026-11-20")
		check("registered", "arrived", one)
	}
	v.happens(t, contract.VisitCreated, contract.StageNew, two, made.ID, "2026-11-20")
	check("registered twice", "arrived", one)
	v.happens(t, contract.VisitCancelled, contract.StageCancelled, two, made.ID, "2026-11-20")
	check("the other cancelled", "arrived", one)
	if got, status, _ := f.change(t, "pa", "PUT", made.ID, `{"status":"done"}`); status != http.StatusOK ||
		got.Status != "arrived" {
		t.Errorf("done after the arrival: %d %+v", status, got)
	}
	for range 2 {
		v.happens(t, contract.VisitUndone, contract.StageCancelled, one, made.ID, "2026-11-20")
		check("undone", "confirmed", "")
	}
	v.happens(t, contract.VisitReopened, contract.StageWaiting, one, made.ID, "2026-11-20")
	check("reopened", "arrived", one)
	v.happens(t, contract.VisitCompleted, contract.StageCompleted, one, made.ID, "2026-11-20")
	check("completed", "arrived", one)
	want := []string{"appointment_booked", "appointment_arrived", "appointment_returned", "appointment_arrived"}
	if kinds := f.versions(t, made.ID); !slices.Equal(kinds, want) {
		t.Errorf("published %v", kinds)
	}
	v.happens(t, contract.VisitCreated, contract.StageNew, two, "not-an-id", "2026-11-20")
	v.happens(t, contract.VisitCreated, contract.StageNew, two, two, "2026-11-20")
}

// A client who comes after all gets a place, even above the capacity.
func TestANoShowArrivesLater(t *testing.T) {
	f, c := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 1 })
	v := f.visits(t)
	made := f.book(t, map[string]any{"date": "2026-11-20"})
	f.change(t, "pa", "PUT", made.ID, `{"status":"done"}`)
	other := f.book(t, map[string]any{"date": "2026-11-20"})
	visit := uuid.Must(uuid.NewV7()).String()
	v.happens(t, contract.VisitCreated, contract.StageNew, visit, made.ID, "2026-11-20")
	if got := f.row(t, made.ID); got.Status != "arrived" || got.Place != 2 {
		t.Errorf("done and then arrived: %+v", got)
	}
	f.change(t, "pa", "PUT", other.ID, `{"status":"cancelled"}`)
	c.pass(time.Hour)
	v.happens(t, contract.VisitCreated, contract.StageNew, uuid.Must(uuid.NewV7()).String(), other.ID, "2026-11-20")
	if got := f.row(t, other.ID); got.Status != "cancelled" {
		t.Errorf("cancelled and then arrived: %+v", got)
	}
}

// The confirmed appointments of a day end an hour after closing. Days without opening hours close at midnight.
func TestTheSweepNotesWhoDidNotCome(t *testing.T) {
	f, c := timed(t)
	today := f.book(t, map[string]any{"date": "2026-11-20"})
	saturday := f.book(t, map[string]any{"date": "2026-11-21"})
	w := f.call(t, "", "POST", "/api/appointments", form(t, nil))
	pending := decode[bookingAnswer](t, w.Body.Bytes()).Appointment.ID
	f.office.Load().SpecialDays = []office.SpecialDay{{Date: "2026-11-21", Name: "Festival"}}
	closing := morning.Add(9 * time.Hour) // 19:00
	for _, step := range []struct {
		at              time.Time
		today, saturday string
	}{
		{closing.Add(59 * time.Minute), "confirmed", "confirmed"},
		{closing.Add(60 * time.Minute), "no-show", "confirmed"},
		{closing.Add(29*time.Hour + 59*time.Minute), "no-show", "confirmed"}, // 00:59 of Sunday
		{closing.Add(30 * time.Hour), "no-show", "no-show"},
	} {
		c.now = step.at
		for range 2 {
			if err := f.SweepOnce(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if one, two := f.row(t, today.ID).Status, f.row(t, saturday.ID).Status; one != step.today || two != step.saturday {
			t.Errorf("at %v: %s and %s", step.at, one, two)
		}
	}
	if got := f.row(t, pending); got.Status != "pending" {
		t.Errorf("a request without an answer is %s", got.Status)
	}
	swept := f.events(t, contract.AppointmentNoShow)
	if len(swept) != 2 || swept[0].Actor != nil {
		t.Errorf("published %+v", swept)
	}
}

// The holder of the link moves three times and cancels, until some minutes before the slot.
func TestTheVisitorChangesTheAppointment(t *testing.T) {
	f, c := timed(t)
	made := f.book(t, map[string]any{"date": "2026-11-20", "time": "17:00"})
	lobby := identity.NewClient(f.internal(t), testkit.Keys(contract.SourceLobby), contract.SourceDirectory)
	call := func(id string, body map[string]any) (got contract.Appointment, status int) {
		t.Helper()
		status, err := lobby.Call(t.Context(), http.MethodPost, "/internal/appointments/"+id+"/visitor", body, &got)
		if err != nil {
			t.Fatal(err)
		}
		return got, status
	}
	move := func(at string, version int) map[string]any {
		return map[string]any{"action": "move", "date": "2026-11-20", "time": at, "version": version}
	}
	for n, at := range []string{"14:00", "15:00", "16:00"} {
		got, status := call(made.ID, move(at, n+1))
		if status != http.StatusOK || got.PreferredTime != at || got.Moves != n+1 {
			t.Errorf("move %d: %d %+v", n+1, status, got)
		}
	}
	for body, want := range map[*map[string]any]int{
		{"action": "move", "date": "2026-11-20", "time": "17:00", "version": 4}: 409, // the fourth
		{"action": "cancel", "version": 3}:                                      412,
		{"action": "cancel"}:                                                    400,
		{"action": "undo", "version": 4}:                                        400,
		{"action": "move", "version": 4}:                                        400,
	} {
		if _, status := call(made.ID, *body); status != want {
			t.Errorf("%v answered %d", *body, status)
		}
	}
	c.now = morning.Add(4*time.Hour + time.Minute) // 14:01, less than two hours before 16:00
	if _, status := call(made.ID, map[string]any{"action": "cancel", "version": 4}); status != 409 {
		t.Errorf("too late answered %d", status)
	}
	c.pass(-time.Minute)
	got, status := call(made.ID, map[string]any{"action": "cancel", "version": 4})
	if status != http.StatusOK || got.Status != "cancelled" || got.Sequence != 4 {
		t.Errorf("%d %+v", status, got)
	}
	event := f.events(t, contract.AppointmentCancelled)[0]
	if event.Actor.Name != "Visitor" || event.Actor.ID != "" || !decode[contract.Appointment](t, event.After).Tell {
		t.Errorf("published %+v by %+v", event, event.Actor)
	}
	if kinds := f.versions(t, made.ID); len(kinds) != 5 {
		t.Errorf("published %v", kinds)
	}
	if _, status := call("0198f3a0-0000-7000-8000-00000000dead", move("12:00", 1)); status != 404 {
		t.Errorf("an unknown id answered %d", status)
	}
}

func TestOtherServicesReadAppointmentsAndSlots(t *testing.T) {
	f, _ := timed(t)
	rao := testkit.ID("rao")
	f.addConsultants(t, rao)
	made := f.book(t, map[string]any{"consultant_id": rao})
	url := f.internal(t)
	ask := func(by, path string, into any) int {
		t.Helper()
		client := identity.NewClient(url, testkit.Keys(by), contract.SourceDirectory)
		status, err := client.Call(t.Context(), http.MethodGet, path, nil, into)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	var got contract.Appointment
	if status := ask(contract.SourceVisits, "/internal/appointments/"+made.ID, &got); status != 200 ||
		!sameAppointment(got, f.row(t, made.ID).Appointment) {
		t.Errorf("%d %+v", status, got)
	}
	for _, id := range []string{"x", "0198f3a0-0000-7000-8000-00000000dead"} {
		path := "/internal/appointments/" + id
		if status := ask(contract.SourceVisits, path, &got); status != 404 {
			t.Errorf("%s answered %d", path, status)
		}
	}
	states := func(query string) (state places.State) {
		var slots slotsAnswer
		if status := ask(contract.SourceLobby, "/internal/slots?from=2026-11-23&days=1"+query, &slots); status != 200 {
			t.Fatalf("%s answered %d", query, status)
		}
		for _, one := range slots.Days[0].Slots {
			if one.Time == "11:00" {
				state = one.State
			}
		}
		return state
	}
	if all, raos := states(""), states("&consultant_id="+rao); all != places.Free || raos != places.Full {
		t.Errorf("the slot is %s, for the consultant %s", all, raos)
	}
}

// After an erasure the place is free, and no column has the person.
func TestAnErasedAppointmentFreesItsPlace(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.PerSlot = 1 })
	edits := map[string]any{"language": "en", "messages": true}
	for key, value := range ashas {
		edits[key] = value
	}
	body := f.booking(t, edits)
	w := f.call(t, "reception", "POST", "/api/appointments/book", body, "Idempotency-Key", "key-of-asha")
	made := decode[bookingAnswer](t, w.Body.Bytes()).Appointment
	if _, err := f.eraseSubject(t.Context(), ashas["phone"].(string)); err != nil {
		t.Fatal(err)
	}
	for _, value := range ashas {
		if found := f.db.Find(t, value.(string)); len(found) > 0 {
			t.Errorf("not erased: %v", found)
		}
	}
	var left int
	if err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM appointments WHERE request_key IS NOT NULL
OR request_digest IS NOT NULL OR undo IS NOT NULL OR language <> '' OR messages`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows have more of the person, %v", left, err)
	}
	got := f.row(t, made.ID)
	if got.Status != "cancelled" || got.Place != 0 || got.EndedAt == nil || got.Version != 2 {
		t.Errorf("it is %+v", got)
	}
	erased := f.events(t, contract.AppointmentErased)
	after := decode[contract.Appointment](t, erased[0].After)
	if after.Tell || after.Version != 2 || after.Language != "" {
		t.Errorf("published %+v", after)
	}
	f.book(t, nil)
}
