package visits_test

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// newerAppointments are appointments of directory whose last event has not arrived in visits.
type newerAppointments struct {
	mu    sync.Mutex
	all   map[string]contract.Appointment
	asked []string // ids for which directory was asked
}

func (n *newerAppointments) set(a contract.Appointment) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = map[string]contract.Appointment{}
	}
	n.all[a.ID] = a
}

func (n *newerAppointments) answer(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	id, known := strings.CutPrefix(r.URL.Path, "/internal/appointments/")
	if known {
		n.asked = append(n.asked, id)
	}
	a, known := n.all[path.Base(r.URL.Path)]
	if !known {
		http.NotFound(w, r)
		return
	}
	_ = json.MarshalWrite(w, a) // the test reads the response
}

func (n *newerAppointments) times() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.asked)
}

// dayIn returns the day in a time zone.
func (d *desk) dayIn(zone string) (day string) {
	d.t.Helper()
	if err := d.owner.QueryRow(d.t.Context(), `SELECT (now() AT TIME ZONE $1)::date::text`, zone).Scan(&day); err != nil {
		d.t.Fatal(err)
	}
	return day
}

// changed is an event about an appointment with its present state.
func changed(kind string, a contract.Appointment) outbox.Change {
	return outbox.Change{Type: kind, Entity: contract.EntityAppointment, EntityID: a.ID, After: a}
}

// A visit can have an appointment while the appointment is confirmed or was noted as no-show.
func TestWhichAppointmentsAVisitCanHave(t *testing.T) {
	d, zone := newDesk(t).midday()
	for status, usable := range map[string]bool{
		contract.AppointmentStatusPending: false, contract.AppointmentStatusConfirmed: true,
		contract.AppointmentStatusArrived: false, contract.AppointmentStatusNoShow: true,
		contract.AppointmentStatusCancelled: false, contract.AppointmentStatusDeclined: false,
		contract.AppointmentStatusDone: false,
	} {
		id := d.appointment(zone, 30, status)
		if !usable {
			d.rejects(status, d.comes(id), http.StatusUnprocessableEntity, "appointment_unknown")
			continue
		}
		if a := d.comes(id); a.Visit == nil || a.Visit.Queue.Class != "appointment" {
			t.Errorf("%s: %d %s", status, a.status, a.text)
		}
	}
}

// Each kind of event changes the copy, and a version that is not higher does not. Events of the release before have no
// version and are applied in their order.
func TestTheCopyOfAnAppointmentHasItsHighestVersion(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	service, rao, seq := uuid.NewString(), testkit.ID("consultant"), int64(0)
	a := contract.Appointment{
		ID: uuid.NewString(), Service: "ITR Filing", PreferredDate: "2026-12-01", PreferredTime: "09:00",
	}
	publish := func(kind, status, at string, version int64, consultant string) {
		t.Helper()
		next := a
		next.Status, next.PreferredTime, next.Version, next.ConsultantID = status, at, version, consultant
		if version > 0 {
			next.ServiceID = service
		}
		directory.Publish(t, changed(kind, next))
		seq++
		testkit.Eventually(t, kind+" has arrived", func() bool { return follower.Position().Seq == seq })
	}
	has := func(status, at string, version int64, consultant string) {
		t.Helper()
		if count(t, d, `SELECT count(*) FROM appointments WHERE status = $1 AND to_char(slot, 'HH24:MI') = $2
			AND coalesce(version, 0) = $3 AND coalesce(consultant_id, '') = $4`, status, at, version, consultant) != 1 {
			t.Errorf("after event %d the copy is not %s at %s in version %d for %q", seq, status, at, version, consultant)
		}
	}
	publish(contract.AppointmentRequested, "pending", "09:00", 0, "")
	publish(contract.AppointmentConfirmed, "confirmed", "09:00", 0, "")
	has("confirmed", "09:00", 0, "")
	version := int64(0)
	for _, step := range [][3]string{
		{contract.AppointmentMoved, "confirmed", "10:00"}, {contract.AppointmentUpdated, "confirmed", "10:00"},
		{contract.AppointmentArrived, "arrived", "10:00"}, {contract.AppointmentReturned, "confirmed", "10:00"},
		{contract.AppointmentNoShow, "no-show", "10:00"}, {contract.AppointmentUndone, "confirmed", "10:00"},
		{contract.AppointmentCancelled, "cancelled", "10:00"}, {contract.AppointmentBooked, "confirmed", "11:00"},
		{contract.AppointmentDone, "done", "11:00"}, {contract.AppointmentDeclined, "declined", "11:00"},
		{contract.AppointmentErased, "cancelled", "11:00"},
	} {
		version++
		publish(step[0], step[1], step[2], version, rao)
		has(step[1], step[2], version, rao)
	}
	publish(contract.AppointmentConfirmed, "confirmed", "09:00", version, "")
	publish(contract.AppointmentConfirmed, "confirmed", "09:00", version-1, "")
	has("cancelled", "11:00", version, rao)
	publish(contract.AppointmentConfirmed, "confirmed", "12:00", 0, "")
	has("confirmed", "12:00", 0, rao)
	publish(contract.AppointmentMoved, "confirmed", "13:00", version+1, "")
	has("confirmed", "13:00", version+1, "")
}

// An appointment that the copy does not have as usable is asked for once. The copy then has directory's state, whose
// event changes nothing more.
func TestAnAppointmentWhoseEventHasNotArrivedCanBeUsed(t *testing.T) {
	d, zone := newDesk(t).midday()
	newest := contract.Appointment{
		Service: "ITR Filing", PreferredDate: d.dayIn(zone), PreferredTime: "23:00", Status: "confirmed", Version: 3,
	}
	for i, id := range []string{
		uuid.NewString(), d.appointment(zone, 30, "pending"), d.appointment(zone, 13*60, "confirmed"),
	} {
		newest.ID = id
		d.newer.set(newest)
		if a := d.comes(id); a.status != http.StatusCreated {
			t.Errorf("appointment %d: %d %s", i, a.status, a.text)
		}
		if asked := d.newer.times(); asked != i+1 {
			t.Errorf("after %d appointments directory was asked %d times", i+1, asked)
		}
	}
	asked := d.newer.times()
	d.rejects("a second visit", d.comes(newest.ID), http.StatusUnprocessableEntity, "appointment_unknown")
	if d.newer.times() != asked {
		t.Error("directory was asked for an appointment that has a visit")
	}
	gone := newest
	gone.ID, gone.Status = uuid.NewString(), "cancelled"
	d.newer.set(gone)
	d.rejects("a cancelled one", d.comes(gone.ID), http.StatusUnprocessableEntity, "appointment_unknown")
}

// A visit says for whom its appointment was booked, in the answer and in lists, and is not pinned.
func TestAVisitSaysForWhomItsAppointmentWasBooked(t *testing.T) {
	d, zone := newDesk(t).midday()
	booked := d.appointment(zone, 30, "confirmed")
	exec(t, d.owner, `UPDATE appointments SET consultant_id = $2 WHERE id = $1`, booked, testkit.ID("consultant"))
	first, other := d.comes(booked), d.comes(d.appointment(zone, 30, "confirmed"))
	want := fmt.Sprintf(`"askedFor":{"id":%q,"name":"The consultant"}`, testkit.ID("consultant"))
	if !strings.Contains(first.text, want) || !strings.Contains(other.text, `"askedFor":null`) {
		t.Errorf("the answers are %s and %s", first.text, other.text)
	}
	if first.Visit.Queue.Pinned {
		t.Error("the visit is pinned")
	}
	for _, list := range []string{"/api/visits/today", "/api/visits/pending-approval"} {
		if a := d.as("pa", http.MethodGet, list, ""); !strings.Contains(a.text, want) {
			t.Errorf("%s: %s", list, a.text)
		}
	}
}
