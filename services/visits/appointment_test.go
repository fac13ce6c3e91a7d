package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// appointment stores an appointment that begins some minutes from now, as if directory had published it.
func (d *desk) appointment(zone string, minutes int, status string) (id string) {
	d.t.Helper()
	id = uuid.NewString()
	exec(d.t, d.owner, `INSERT INTO appointments (id, service_name, slot, status)
		VALUES ($1, 'ITR Filing', (now() AT TIME ZONE $2) + make_interval(mins => $3::int), $4)`, id, zone, minutes, status)
	return id
}

// comes registers the visitor of an appointment.
func (d *desk) comes(appointment string) answer {
	d.t.Helper()
	body := strings.TrimSuffix(d.visitor("Asha"), "}") + fmt.Sprintf(`,"appointment_id":%q}`, appointment)
	return d.as("reception", http.MethodPost, "/api/visits", body)
}

func TestAnAppointmentHasItsClassAndTheRankOfItsSlotUntilItIsLate(t *testing.T) {
	d, zone := newDesk(t).midday()
	for _, c := range []struct {
		minutes     int
		class, rank string
	}{
		{60, "appointment", "appointment_at"},
		{-14, "appointment", "created_at"},
		{-16, "normal", "created_at"},
	} {
		id := d.appointment(zone, c.minutes, "confirmed")
		a := d.comes(id)
		if a.status != http.StatusCreated {
			t.Fatalf("%d minutes from now it answered %d %s", c.minutes, a.status, a.text)
		}
		if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND appointment_id = $2 AND class = $3
			AND appointment_at IS NOT NULL AND rank_at = `+c.rank, a.Visit.ID, id, c.class); n != 1 {
			t.Errorf("%d minutes from now: %s", c.minutes, a.text)
		}
	}
}

func TestHowLateAnAppointmentMayBeIsTheOfficesRule(t *testing.T) {
	d, zone := newDesk(t).midday()
	exec(t, d.owner, `INSERT INTO office (notice_version, policy) VALUES ('', '{"lateAppointmentMinutes":60}')`)
	if a := d.comes(d.appointment(zone, -45, "confirmed")); a.Visit == nil || a.Visit.Queue.Class != "appointment" {
		t.Errorf("45 minutes late of 60: %s", a.text)
	}
}

func TestAnAppointmentThatCannotBeUsedIsRejected(t *testing.T) {
	d, zone := newDesk(t).midday()
	used := d.appointment(zone, 30, "confirmed")
	first := d.comes(used)
	if first.status != http.StatusCreated {
		t.Fatal(first.text)
	}
	for what, id := range map[string]string{
		"unknown":                  uuid.NewString(),
		"not confirmed":            d.appointment(zone, 30, "pending"),
		"of yesterday":             d.appointment(zone, -13*60, "confirmed"),
		"of tomorrow":              d.appointment(zone, 13*60, "confirmed"),
		"of a visitor who is here": used,
	} {
		d.rejects(what, d.comes(id), http.StatusUnprocessableEntity, "appointment_unknown")
	}
	d.must("cancel", d.act("reception", first.Visit.ID, "cancel", `{}`), "cancelled")
	if again := d.comes(used); again.status != http.StatusCreated {
		t.Errorf("after a registration by mistake was cancelled it answered %d %s", again.status, again.text)
	}
}

// An appointment that directory declines after its confirmation cannot be used. An appointment that directory moves has
// the new slot.
func TestAppointmentsFollowDirectory(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	d, zone := d.midday()
	directory, follower := d.follow(t, redis)
	var today string
	if err := d.owner.QueryRow(t.Context(), `SELECT (now() AT TIME ZONE $1)::date::text`, zone).Scan(&today); err != nil {
		t.Fatal(err)
	}
	published := func(kind, id, at, status string) outbox.Change {
		return outbox.Change{Type: kind, Entity: contract.EntityAppointment, EntityID: id, After: contract.Appointment{
			ID: id, Service: "ITR Filing", PreferredDate: today, PreferredTime: at, Status: status,
		}}
	}
	declined, moved := uuid.NewString(), uuid.NewString()
	directory.Publish(t,
		published(contract.AppointmentRequested, declined, "13:00", "pending"),
		published(contract.AppointmentConfirmed, declined, "13:00", "confirmed"),
		published(contract.AppointmentDeclined, declined, "13:00", "declined"),
		published(contract.AppointmentConfirmed, moved, "13:00", "confirmed"),
		published(contract.AppointmentConfirmed, moved, "14:00", "confirmed"),
	)
	testkit.Eventually(t, "the events have arrived", func() bool { return follower.Position().Seq == 5 })
	d.rejects("a declined one", d.comes(declined), http.StatusUnprocessableEntity, "appointment_unknown")
	if a := d.comes(moved); a.status != http.StatusCreated || count(t, d, `SELECT count(*) FROM visits
		WHERE to_char(appointment_at AT TIME ZONE $1, 'HH24:MI') = '14:00'`, zone) != 1 {
		t.Errorf("a moved one answered %d %s", a.status, a.text)
	}
}

// A visitor who is late for an appointment keeps the class that reception has set. A visitor in time gets the class
// appointment.
func TestALateAppointmentKeepsTheClassThatReceptionGives(t *testing.T) {
	d, zone := newDesk(t).midday()
	for minutes, want := range map[int]string{30: "appointment", -30: "priority"} {
		body := strings.TrimSuffix(d.visitor("Asha"), "}") + fmt.Sprintf(`,"class":"priority","appointment_id":%q}`,
			d.appointment(zone, minutes, "confirmed"))
		if a := d.as("reception", http.MethodPost, "/api/visits", body); a.Visit == nil || a.Visit.Queue.Class != want {
			t.Errorf("%d minutes from now it answered %d %s, want class %s", minutes, a.status, a.text, want)
		}
	}
}
