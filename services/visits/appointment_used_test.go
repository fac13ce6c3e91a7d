package visits_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"
)

// appointed registers the visitor of an appointment.
func (d *desk) appointed(appointment string) answer {
	d.t.Helper()
	body := d.createBody(`"name":"Asha","phone":"9876543210","appointment_id":"` + appointment + `"`)
	return d.as("reception", http.MethodPost, "/api/visits", body)
}

// booked stores a confirmed appointment for today.
func (d *desk) booked() (id string) {
	d.t.Helper()
	id = uuid.NewString()
	exec(d.t, d.owner, `INSERT INTO appointments (id, service_name, slot, status)
		SELECT $1, 'ITR Filing', (now() AT TIME ZONE 'Asia/Kolkata')::date + interval '23 hours', 'confirmed'`, id)
	return id
}

// If an appointment is used for another visit after its visit was cancelled, the cancelled visit cannot be reopened,
// nor can its cancellation be undone.
func TestACancelledVisitWhoseAppointmentIsUsedStaysCancelled(t *testing.T) {
	for _, action := range []string{"undo", "reopen"} {
		d := newDesk(t)
		appointment := d.booked()
		first := d.appointed(appointment)
		d.must("cancel", d.act("reception", first.Visit.ID, "cancel", `{}`), "cancelled")
		if second := d.appointed(appointment); second.status != http.StatusCreated {
			t.Fatalf("the second visit answered %d %s", second.status, second.text)
		}
		d.rejects(action, d.act("reception", first.Visit.ID, action, `{}`), http.StatusConflict, "appointment_used")
	}
}

func TestTwoReplicasRegisterAnAppointmentOnce(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	replicas := []*desk{d, d.replica(zone)}
	for range 10 {
		appointment := d.booked()
		var together sync.WaitGroup
		answers := make([]answer, len(replicas))
		for i, replica := range replicas {
			together.Go(func() { answers[i] = replica.appointed(appointment) })
		}
		together.Wait()
		made := 0
		for _, a := range answers {
			switch {
			case a.status == http.StatusCreated:
				made++
			case a.Code != "appointment_used" && a.Code != "appointment_unknown":
				t.Errorf("it answered %d %s", a.status, a.text)
			}
		}
		if made != 1 {
			t.Fatalf("%d visits were made", made)
		}
	}
}
