package directory

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/directory/office"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/testkit"
)

// mailbox keeps what was mailed; it refuses the first messages as told.
type mailbox struct {
	mu      sync.Mutex
	mails   []mail.Message
	refuse  int
	refused int
}

// Send implements mail.Mailer.
func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refused < m.refuse {
		m.refused++
		return errors.New("the mail server is away")
	}
	m.mails = append(m.mails, message)
	return nil
}

func (m *mailbox) received() []mail.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.mails)
}

// postOf makes the post of a front; the test decides when it runs.
func (f *front) postOf(box *mailbox) *Post {
	return NewPost(f.Directory, box, "https://desk.example/", slog.New(slog.DiscardHandler))
}

// S2.appt.11: the office has the request in its mailbox at once, with all that the visitor wrote, and an answer reaches
// the visitor.
func TestARequestIsMailedToTheOffice(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Email = "front@lekha.example" })
	f.clock = at(noon)
	box := &mailbox{}
	testkit.Background(t, f.postOf(box).Run)
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	testkit.Eventually(t, 10*time.Second, "the office has the mail", func() bool { return len(box.received()) == 1 })
	got := box.received()[0]
	if got.To != "front@lekha.example" || got.ReplyTo != "asha@example.com" || got.Subject != "Appointment request: ITR Filing, 2026-11-20 11:00" {
		t.Errorf("mailed %+v", got)
	}
	for _, part := range []string{"Asha Rao", "9876543210", "asha@example.com", "ITR Filing", "2026-11-20, 11:00", "With my father",
		"https://desk.example/dashboard/receptionist?tab=appointments"} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("%q is not in the mail:\n%s", part, got.Text)
		}
	}
}

// Whatever is away, each request is mailed once: two replicas share the work, and what a mail server refused is due again.
func TestEachRequestIsMailedOnceEvenAfterAnOutage(t *testing.T) {
	f := newFront(t)
	f.clock = at(noon)
	box := &mailbox{refuse: 1}
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
		t.Fatalf("%d of three requests were mailed while one was refused", n)
	}
	first.deliver(t.Context())
	if n := len(box.received()); n != 2 {
		t.Errorf("the refused request was tried again without a pause: %d mails", n)
	}
	if _, err := f.db.Pool.Exec(t.Context(), `UPDATE appointments SET mail_due = mail_due - interval '1 minute'`); err != nil {
		t.Fatal(err)
	}
	first.deliver(t.Context())
	second.deliver(t.Context())
	if n := len(box.received()); n != 3 {
		t.Errorf("%d mails for three requests", n)
	}
}

// Without a mail server nothing is kept to be mailed: a server set up later does not send old requests.
func TestWithoutAMailServerNothingIsDue(t *testing.T) {
	f := newFront(t)
	f.clock = at(noon)
	f.call(t, "", "POST", "/api/appointments", form(t, nil))
	box := &mailbox{}
	f.postOf(box).deliver(t.Context())
	if mails := box.received(); len(mails) != 0 {
		t.Errorf("mailed %+v", mails)
	}
}
