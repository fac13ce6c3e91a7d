package directory

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"baari.dev/services/office"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/testkit"
)

// mailbox is a mailer that stores mails. It rejects the first mails; reject is their number.
type mailbox struct {
	mu       sync.Mutex
	mails    []mail.Message
	reject   int
	rejected int
}

// Send implements mail.Mailer.
func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rejected < m.reject {
		m.rejected++
		return errors.New("the mail server is unavailable")
	}
	m.mails = append(m.mails, message)
	return nil
}

func (m *mailbox) received() []mail.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.mails)
}

// postOf returns a Post that does not run yet.
func (f *front) postOf(box *mailbox) *Post {
	return NewPost(f.Service, box, "https://desk.example/", slog.New(slog.DiscardHandler))
}

// S2.appt.11: an appointment request is mailed to the office at once, with all its fields and the visitor's address in
// Reply-To.
func TestRequestIsMailedToTheOffice(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Email = "front@lekha.example" })
	f.store.clock = at(morning)
	box := &mailbox{}
	testkit.Background(t, f.postOf(box).Run)
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	testkit.Eventually(t, "the office has the mail", func() bool { return len(box.received()) == 1 })
	got := box.received()[0]
	if got.To != "front@lekha.example" || got.ReplyTo != "asha@example.com" ||
		got.Subject != "Appointment request: ITR Filing, 2026-11-20 11:00" {
		t.Errorf("mailed %+v", got)
	}
	for _, part := range []string{"Asha Rao", "9876543210", "asha@example.com", "ITR Filing", "2026-11-20, 11:00",
		"With my father",
		"https://desk.example/dashboard/receptionist?tab=appointments"} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("%q is not in the mail:\n%s", part, got.Text)
		}
	}
}

// Two replicas share the mails. A mail that the server rejects becomes due again.
func TestEachRequestIsMailedOnceAfterAnOutage(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	box := &mailbox{reject: 1}
	first, second := f.postOf(box), f.postOf(box)
	for range 3 {
		f.call(t, "", "POST", "/api/appointments", form(t, nil))
	}
	var both sync.WaitGroup
	for _, post := range []*Post{first, second} {
		both.Go(func() { post.deliver(t.Context()) })
	}
	both.Wait()
	if n := len(box.received()); n != 2 {
		t.Fatalf("%d of three requests were mailed while one was rejected", n)
	}
	first.deliver(t.Context())
	if n := len(box.received()); n != 2 {
		t.Errorf("the rejected mail was sent again without a pause: %d mails", n)
	}
	testkit.Exec(t, f.db.Pool, `UPDATE appointments SET mail_due = mail_due - interval '1 minute'`)
	first.deliver(t.Context())
	second.deliver(t.Context())
	if n := len(box.received()); n != 3 {
		t.Errorf("%d mails for three requests", n)
	}
}

// Without a mail server no mail is scheduled, so that old requests are not mailed if a server is configured later.
func TestNoMailIsDueWithoutAMailServer(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	box := &mailbox{}
	f.postOf(box).deliver(t.Context())
	if mails := box.received(); len(mails) != 0 {
		t.Errorf("mailed %+v", mails)
	}
}

// An appointment request that was erased before its mail was sent is not mailed.
func TestAnErasedRequestIsNotMailed(t *testing.T) {
	f := newFront(t)
	box := &mailbox{}
	post := f.postOf(box) // Each request has a due mail from now on.
	f.requestAsAsha(t)
	if _, err := f.eraseSubject(t.Context(), "9811122233"); err != nil {
		t.Fatal(err)
	}
	post.deliver(t.Context())
	if mails := box.received(); len(mails) != 1 || strings.Contains(mails[0].Text, "Erased") {
		t.Errorf("mailed %+v, want the other visitor's request only", mails)
	}
}

// An appointment request is not mailed if it is a day old, so that a repaired mail server does not send old requests.
func TestAnOldRequestIsNotMailed(t *testing.T) {
	f := newFront(t)
	f.store.clock = at(morning)
	box := &mailbox{}
	post := f.postOf(box)
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	testkit.Exec(t, f.db.Owner(t), `UPDATE appointments SET created_at = now() - interval '25 hours'`)
	post.deliver(t.Context())
	if mails := box.received(); len(mails) != 0 {
		t.Errorf("mailed %+v", mails)
	}
}
