package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/tools/proof/checker"
)

// The robots' work with appointments. They choose among a few slots, so that they race for the last places.

// appointment is an appointment as staff see it, reduced to the fields that robots read.
type appointment struct {
	ID, Name, Phone, Status      string
	PreferredDate, PreferredTime string
	ServiceID                    *string
	Version                      int64
}

var (
	appointmentRecord = checker.Subject{Source: "directory", Entity: "appointment"}
	hotSlots          = []string{"11:00", "15:00"}
)

// arrange requests, books or changes an appointment.
func (r *robot) arrange(ctx context.Context, crew *crew) {
	switch r.random.IntN(8) {
	case 0:
		r.requestAppointment(ctx, crew)
	case 1, 2, 3:
		r.book(ctx, crew)
	default:
		r.rearrange(ctx, crew)
	}
}

// slot returns one of a few slots of the office's today and tomorrow. Slots that are over are rejected.
func (r *robot) slot(crew *crew) (date, at string) {
	day := time.Now().In(crew.zone).AddDate(0, 0, r.random.IntN(2))
	return day.Format(time.DateOnly), pick(r, hotSlots...)
}

// requestAppointment requests an appointment, as a visitor of the public page does, and then confirms it.
func (r *robot) requestAppointment(ctx context.Context, crew *crew) {
	date, at := r.slot(crew)
	got := r.save(ctx, appointmentRecord, "pending", http.MethodPost, "/api/appointments", map[string]any{
		"name": "Asha Patil", "phone": phone(r.random), "email": "asha@chaos.example",
		"service":       crew.serviceNames[r.random.IntN(len(crew.services))],
		"preferredDate": date, "preferredTime": at, "message": "chaos", "messages": r.random.IntN(2) == 0,
	})
	var made struct{ Appointment appointment }
	if json.Unmarshal(got, &made) != nil || made.Appointment.ID == "" {
		return
	}
	r.setStatus(ctx, made.Appointment, "confirmed")
}

// book books an appointment for a client, sometimes with a consultant.
func (r *robot) book(ctx context.Context, crew *crew) {
	date, at := r.slot(crew)
	if made := r.bookSlot(ctx, crew, date, at); made.ID != "" && r.random.IntN(6) == 0 {
		r.takeBack(ctx, made)
	}
}

// bookSlot books an appointment. It returns the zero value if the request was not answered with success.
func (r *robot) bookSlot(ctx context.Context, crew *crew, date, at string) appointment {
	body := map[string]any{
		"name": crew.names[r.random.IntN(len(crew.names))], "phone": phone(r.random), "date": date, "time": at,
		"service_id": crew.services[r.random.IntN(len(crew.services))], "messages": r.random.IntN(2) == 0,
	}
	if r.random.IntN(3) == 0 {
		body["consultant_id"] = crew.consultants[r.random.IntN(len(crew.consultants))].id
	}
	op := checker.Op{Kind: checker.Save, Record: appointmentRecord, Value: "booked"}
	header := map[string]string{"Idempotency-Key": uuid.NewString()}
	_, got := r.request(ctx, op, http.MethodPost, "/api/appointments/book", body, header)
	var made struct{ Appointment appointment }
	if json.Unmarshal(got.Body, &made) != nil {
		return appointment{}
	}
	return made.Appointment
}

// rearrange changes an appointment that is confirmed, or registers its client when it is of today.
func (r *robot) rearrange(ctx context.Context, crew *crew) {
	_, got := r.ask(ctx, http.MethodGet, "/api/appointments?status=confirmed&limit=20", nil)
	var list struct{ Appointments []appointment }
	if json.Unmarshal(got.Body, &list) != nil || len(list.Appointments) == 0 {
		return
	}
	chosen := list.Appointments[r.random.IntN(len(list.Appointments))]
	today := time.Now().In(crew.zone).Format(time.DateOnly)
	switch task := r.random.IntN(6); {
	case task <= 2 && r.role != "pa" && chosen.PreferredDate == today && chosen.ServiceID != nil:
		r.checkIn(ctx, crew, chosen)
	case task <= 3:
		date, at := r.slot(crew)
		if date == chosen.PreferredDate && at == chosen.PreferredTime {
			return // changes nothing, so it leaves no record
		}
		r.save(ctx, recordOf(chosen), "moved to "+date+" "+at, http.MethodPost, "/api/appointments/"+chosen.ID+"/move",
			map[string]any{"date": date, "time": at})
		if r.random.IntN(3) == 0 {
			r.takeBack(ctx, chosen)
		}
	case task == 4:
		r.setStatus(ctx, chosen, "cancelled")
		if r.random.IntN(2) == 0 {
			r.takeBack(ctx, chosen)
		}
	default:
		r.setStatus(ctx, chosen, pick(r, "no-show", "declined"))
	}
}

func recordOf(a appointment) checker.Subject {
	subject := appointmentRecord
	subject.ID = a.ID
	return subject
}

func (r *robot) setStatus(ctx context.Context, a appointment, to string) {
	r.save(ctx, recordOf(a), to, http.MethodPut, "/api/appointments/"+a.ID, map[string]any{"status": to})
}

// takeBack undoes the robot's last change of an appointment. A repeated undo is rejected, so it has no second attempt.
func (r *robot) takeBack(ctx context.Context, a appointment) {
	op := checker.Op{Kind: checker.Save, Record: recordOf(a), Value: "undone " + uuid.NewString()}
	r.request(ctx, op, http.MethodPost, "/api/appointments/"+a.ID+"/undo", nil, nil)
}

// checkIn registers the client of an appointment. Sometimes the visit is cancelled, as after a mistake, so that the
// appointment is open again.
func (r *robot) checkIn(ctx context.Context, crew *crew, a appointment) {
	made := r.receiveClient(ctx, crew, a)
	if made.Outcome == checker.OK && r.random.IntN(3) == 0 {
		r.perform(ctx, crew, checker.Cancel, checker.Op{Visit: made.Visit})
	}
}

const (
	crowd         = 12 // clients who want one slot
	checkIns      = 4
	arrivedWithin = 2 * time.Second // longer than directory takes to follow a visit
)

// crowdSlot books more appointments of one slot than it has places, at the same time. Then it registers some of the
// clients and cancels their visits. It waits for the office's midnight, because the day's slots are open after it.
func crowdSlot(ctx context.Context, r *run, c *crew) error {
	sleep(ctx, time.Until(r.midnight))
	reception := r.twin(c.firstOf("reception"), "reception-slot")
	booked := make([]appointment, crowd)
	var all sync.WaitGroup
	for i := range booked {
		client := r.twin(c.firstOf("pa"), fmt.Sprintf("pa-slot-%d", i+1))
		all.Go(func() { booked[i] = client.bookSlot(ctx, c, time.Now().In(c.zone).Format(time.DateOnly), hotSlots[0]) })
	}
	all.Wait()
	booked = slices.DeleteFunc(booked, func(a appointment) bool { return a.ID == "" || a.ServiceID == nil })
	for _, a := range booked[:min(len(booked), checkIns)] {
		if made := reception.receiveClient(ctx, c, a); made.Outcome == checker.OK {
			sleep(ctx, arrivedWithin)
			reception.perform(ctx, c, checker.Cancel, checker.Op{Visit: made.Visit})
		}
	}
	return nil
}

// receiveClient registers the client of an appointment that has a service.
func (r *robot) receiveClient(ctx context.Context, crew *crew, a appointment) checker.Op {
	return r.enter(ctx, crew, map[string]any{
		"name": a.Name, "phone": a.Phone, "service_id": *a.ServiceID, "appointment_id": a.ID,
	})
}

// followLimit is how long directory may need to follow visits.
const followLimit = 30 * time.Second

const (
	followedVisits = `SELECT coalesce(max(seq), 0) FROM feed_cursor WHERE source = 'visits'`
	markedMessages = `SELECT appointment_id::text, channel, kind, count(*) FROM appointment_messages
WHERE state <> 'queued' GROUP BY 1, 2, 3`
)

// awaitArrivals waits until directory has followed visits, or until the time limit: only then an appointment has
// arrived with its visit.
func (r *run) awaitArrivals(ctx context.Context, _ *checker.Evidence) error {
	heads, err := r.readHeads(ctx)
	if err != nil {
		return err
	}
	poll(ctx, followLimit, 200*time.Millisecond, func() bool {
		var seq int64
		err = r.row(ctx, "directory", followedVisits, nil, &seq)
		return err != nil || seq >= heads["visits"].Head
	})
	return err
}

// readMarked reads which messages about appointments lobby has marked.
func (r *run) readMarked(ctx context.Context, e *checker.Evidence) error {
	e.Marked = map[checker.Told]int{}
	return r.each(ctx, "lobby", markedMessages, nil, func(row pgx.CollectableRow) error {
		var message checker.Told
		var count int
		err := row.Scan(&message.Appointment, &message.Channel, &message.Kind, &count)
		e.Marked[message] = count
		return err
	})
}
