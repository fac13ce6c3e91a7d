package lobby

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
)

var papersOfITR = []contract.ServiceDocument{
	{Key: "form16", Label: "Form 16", Labels: map[string]string{"kn": "ಫಾರ್ಮ್ 16"}},
	{Key: "pan", Label: "PAN card", Required: true, Labels: map[string]string{"kn": "ಪ್ಯಾನ್ ಕಾರ್ಡ್"}},
}

// postbox records mails instead of sending them.
type postbox struct {
	mu    sync.Mutex
	mails []mail.Message
	err   error  // result of the next mails
	after func() // called when a mail has arrived, before its result is known
}

// Send implements mail.Mailer.
func (p *postbox) Send(_ context.Context, m mail.Message) error {
	p.mu.Lock()
	p.mails = append(p.mails, m)
	err, after := p.err, p.after
	p.mu.Unlock()
	if after != nil {
		after()
	}
	return err
}

func (p *postbox) got() []mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.mails)
}

// fails sets the result of the next mails.
func (p *postbox) fails(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

// bookings stands in for directory: it has the appointments, returns their slots, and carries out changes by clients.
type bookings struct {
	p      *porch
	client *identity.Client

	mu    sync.Mutex
	known map[string]contract.Appointment
	asked []string // paths and bodies of the requests
	full  bool     // every slot that is chosen is full
}

func newBookings(p *porch) *bookings {
	p.t.Helper()
	b := &bookings{p: p, known: map[string]contract.Appointment{}}
	server := httptest.NewServer(http.HandlerFunc(b.serve))
	p.t.Cleanup(server.Close)
	source := *p.office
	source.URL = server.URL
	b.client = source.Client(contract.SourceLobby)
	return b
}

func (b *bookings) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	b.asked = append(b.asked, r.URL.RequestURI()+" "+string(body))
	full := b.full
	b.mu.Unlock()
	if r.URL.Path == "/internal/slots" {
		day := time.Now().In(kolkata).AddDate(0, 0, 3).Format(time.DateOnly)
		_, _ = fmt.Fprintf(w, `{"days":[{"date":%q,"open":true,"name":"","slots":[{"time":"10:00","state":"full"},
{"time":"15:00","state":"free"}]},{"date":"2030-01-01","open":false,"name":"","slots":[]}],"nextFree":null}`, day)
		return
	}
	if full {
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":{"code":"slot_full","message":"This time is taken."}}`)
		return
	}
	var req appointmentChange
	if json.Unmarshal(body, &req) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/internal/appointments/"), "/visitor")
	b.mu.Lock()
	a := b.known[id]
	b.mu.Unlock()
	kind := contract.AppointmentMoved
	if req.Action == "cancel" {
		kind, a.Status = contract.AppointmentCancelled, contract.AppointmentStatusCancelled
	} else {
		a.PreferredDate, a.PreferredTime, a.Moves = req.Date, req.Time, a.Moves+1
	}
	a.Sequence++
	version := b.publish(kind, a, &outbox.Actor{Name: "Visitor", Role: roleVisitor})
	_, _ = fmt.Fprintf(w, `{"appointment":{"id":%q,"version":%d}}`, id, version)
}

// publish publishes a change of an appointment, and returns its new version.
func (b *bookings) publish(kind string, a contract.Appointment, actor *outbox.Actor) int64 {
	b.mu.Lock()
	a.Version++
	b.known[a.ID] = a
	b.mu.Unlock()
	b.p.office.Publish(b.p.t, outbox.Change{
		Type: kind, Entity: contract.EntityAppointment, EntityID: a.ID, Version: a.Version, After: a, Actor: actor,
	})
	return a.Version
}

// client has the values of a client that no page may contain.
var client = []string{"Asha Kulkarni", "9988776655", "asha@example.com"}

// books publishes a confirmed appointment at 11:00 in two days, whose client is told.
func (p *porch) books(edits ...func(*contract.Appointment)) string {
	p.t.Helper()
	a := contract.Appointment{
		ID: uuid.Must(uuid.NewV7()).String(), Name: client[0], Phone: client[1], Email: client[2],
		Service: "ITR Filing", ServiceID: itrFiling, PreferredTime: "11:00", Language: "en",
		PreferredDate: time.Now().In(kolkata).AddDate(0, 0, 2).Format(time.DateOnly),
		Status:        contract.AppointmentStatusConfirmed, Tell: true,
	}
	for _, edit := range edits {
		edit(&a)
	}
	kind := contract.AppointmentBooked
	if a.Status == contract.AppointmentStatusPending {
		kind = contract.AppointmentRequested
	}
	p.bookings.publish(kind, a, nil)
	p.caughtUp()
	return a.ID
}

// rebooks publishes a change of an appointment by staff.
func (p *porch) rebooks(kind, id string, edit func(*contract.Appointment)) {
	p.t.Helper()
	p.bookings.mu.Lock()
	a := p.bookings.known[id]
	p.bookings.mu.Unlock()
	edit(&a)
	p.bookings.publish(kind, a, nil)
	p.caughtUp()
}

func (p *porch) slotOf(id string) time.Time {
	p.t.Helper()
	b, err := p.store.bookedByID(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return b.SlotAt.In(kolkata)
}

// tells sends what is due at a time: reminders are queued first.
func (p *porch) tells(at time.Time) {
	p.t.Helper()
	if err := p.queueReminders(p.t.Context(), at); err != nil {
		p.t.Fatal(err)
	}
	if err := p.tellBooked(p.t.Context(), at); err != nil {
		p.t.Fatal(err)
	}
}

// soonAfter is a time at which a change can no longer be undone.
func soonAfter() time.Time { return time.Now().Add(undoWindow + time.Second) }

// toldOf returns the messages about an appointment, such as "mail confirmed sent".
func (p *porch) toldOf(id string) string {
	p.t.Helper()
	told, err := p.store.toldBooked(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	words := make([]string, len(told))
	for i, one := range told {
		words[i] = one.Channel + " " + one.Kind + " " + one.State
	}
	return strings.Join(words, ", ")
}

func pageOf(id string) string { return "/q/a/" + link.AppointmentCode(key, id, 1) }

// wants fails the test unless the messages about an appointment are these.
func (p *porch) wants(id, want string) {
	p.t.Helper()
	if got := p.toldOf(id); got != want {
		p.t.Errorf("the messages are %q, want %q", got, want)
	}
}
