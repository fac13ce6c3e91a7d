package directory

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/testkit"
)

// flood stores appointment requests that are to be mailed. It writes them without the limits of the office.
func (f *front) flood(t *testing.T, from, to int) {
	t.Helper()
	const insert = `
INSERT INTO appointments
  (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, mail_due)
SELECT gen_random_uuid(), 'Asha Rao', (9876500000 + n)::text, 'asha@example.com', 'ITR Filing', '2026-11-20', '11:00',
  '', 'pending', '2026-11', now()
FROM generate_series($1::integer, $2::integer - 1) n`
	testkit.Exec(t, f.db.Pool, insert, from, to)
}

// split separates mails about one appointment request from mails about several.
func split(mails []mail.Message) (single, together []mail.Message) {
	for _, m := range mails {
		if m.ReplyTo == "" {
			together = append(together, m)
		} else {
			single = append(single, m)
		}
	}
	return single, together
}

// due makes all unsent mails due now.
func (f *front) due(t *testing.T) {
	t.Helper()
	testkit.Exec(t, f.db.Pool, `UPDATE appointments SET mail_due = now() WHERE mail_due IS NOT NULL`)
}

func TestAPhoneNumberRequestsFiveAppointmentsAnHour(t *testing.T) {
	f := newFront(t, roomy)
	f.store.clock = at(morning)
	f.limited(t)
	for n := range 7 {
		w := f.call(t, "", "POST", "/api/appointments", form(t, nil))
		want := http.StatusCreated
		if n >= 5 {
			want = http.StatusTooManyRequests
		}
		if w.Code != want || (want != http.StatusCreated) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("request %d: %d %s", n, w.Code, w.Body)
		}
	}
	if w := f.call(t, "", "POST", "/api/appointments", form(t, map[string]any{"phone": "9876500000"})); w.Code != 201 {
		t.Errorf("another number: %d %s", w.Code, w.Body)
	}
	if requested := f.events(t, contract.AppointmentRequested); len(requested) != 6 {
		t.Errorf("%d requests are stored", len(requested))
	}
}

// Two hundred appointment requests cause twenty mails and one mail about all the other requests. All requests are on
// reception's list.
func TestAFloodOfRequestsIsNoFloodOfMails(t *testing.T) {
	f := newFront(t, func(d *office.Document) { d.Email = "front@lekha.example" })
	box := &mailbox{}
	post := f.postOf(box)
	f.limited(t)
	f.flood(t, 0, 200)
	post.deliver(t.Context())
	single, together := split(box.received())
	if len(single) != 20 || len(together) != 1 {
		t.Fatalf("%d mails of one request and %d of several", len(single), len(together))
	}
	m := together[0]
	if m.To != "front@lekha.example" || !strings.Contains(m.Subject, "180") || !strings.Contains(m.Text, "180") ||
		!strings.Contains(m.Text, "https://desk.example/dashboard/receptionist?tab=appointments") ||
		strings.Contains(m.Text, "Asha") {
		t.Errorf("mailed %+v", m)
	}
	all, err := f.Appointments(as(t, contract.RoleReception), listRequest{Page: 1, Limit: 1})
	if err != nil || all.Total != 200 {
		t.Errorf("%d requests on the list, %v", all.Total, err)
	}
}

// After a mail about several requests, further requests wait up to a quarter of an hour, and none is lost.
func TestRequestsAfterAFloodAreMailedLater(t *testing.T) {
	f := newFront(t)
	box := &mailbox{}
	post := f.postOf(box)
	redis := f.limited(t)
	f.flood(t, 0, 30)
	post.deliver(t.Context())
	f.flood(t, 30, 40)
	post.deliver(t.Context())
	f.due(t)
	post.deliver(t.Context())
	if single, together := split(box.received()); len(single) != 20 || len(together) != 1 {
		t.Errorf("%d mails of one request and %d of several", len(single), len(together))
	}
	var waiting int
	var latest time.Duration
	if err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*), max(mail_due) - now() FROM appointments
WHERE mail_due > now() + interval '10 minutes'`).Scan(&waiting, &latest); err != nil {
		t.Fatal(err)
	}
	if waiting != 10 || latest > 15*time.Minute {
		t.Errorf("%d requests wait, %v at most", waiting, latest)
	}
	forget(t, redis)
	f.due(t)
	post.deliver(t.Context())
	if single, _ := split(box.received()); len(single) != 30 {
		t.Errorf("%d mails of one request after the pause", len(single))
	}
}

// If the mail server rejects a mail about several appointment requests, each of the requests is mailed later.
func TestARejectedMailAboutSeveralIsSentAgain(t *testing.T) {
	f := newFront(t)
	box := &mailbox{}
	post := f.postOf(box)
	redis := f.limited(t)
	f.flood(t, 0, 20)
	post.deliver(t.Context())
	f.flood(t, 20, 25)
	box.reject = 1
	post.deliver(t.Context())
	if single, together := split(box.received()); len(single) != 20 || len(together) != 0 {
		t.Fatalf("%d mails of one request and %d of several", len(single), len(together))
	}
	forget(t, redis)
	f.due(t)
	post.deliver(t.Context())
	if single, _ := split(box.received()); len(single) != 25 {
		t.Errorf("%d mails of one request after the pause", len(single))
	}
}

// forget resets all counts of limits.
func forget(t *testing.T, redis *testkit.Redis) {
	t.Helper()
	if err := redis.Client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
}
