package lobby

import (
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/mails"
	"baari.dev/services/office"
	"baari.dev/services/platform/calendar"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// The mail has the papers in the client's language, the required first, the link, and an entry for the calendar.
func TestAConfirmationIsMailedOnceAndCannotBeUndoneAnyMore(t *testing.T) {
	p := newPorch(t)
	id := p.books(func(a *contract.Appointment) { a.Language = "kn" })
	p.tells(time.Now().Add(25 * time.Second))
	if got := p.postbox.got(); len(got) != 0 {
		t.Fatalf("a change that can be undone is told: %v", got)
	}
	for range 3 {
		p.tells(soonAfter())
	}
	got := p.postbox.got()
	if len(got) != 1 {
		t.Fatalf("%d mails", len(got))
	}
	m := got[0]
	required, other := strings.Index(m.Text, "- ಪ್ಯಾನ್ ಕಾರ್ಡ್\n"), strings.Index(m.Text, "- ಫಾರ್ಮ್ 16 (ಇದ್ದರೆ)")
	if m.To != client[2] || m.ReplyTo != "desk@lekha.example" || required < 0 || other < required ||
		!strings.Contains(m.Subject, "ದೃಢೀಕರಿಸಲಾಗಿದೆ") || !strings.Contains(m.Text, base+pageOf(id)) {
		t.Errorf("the mail is %+v", m)
	}
	for _, secret := range client[:2] {
		if strings.Contains(m.Text+m.Calendar.Text, secret) {
			t.Errorf("the mail has %s", secret)
		}
	}
	if m.Calendar == nil || m.Calendar.Method != calendar.Request || !strings.Contains(m.Calendar.Text, "SEQUENCE:0\r\n") {
		t.Errorf("the entry is %+v", m.Calendar)
	}
	p.wants(id, "mail confirmed sent")
}

func TestWithoutTellNothingIsSent(t *testing.T) {
	p := newPorch(t)
	quiet := func(a *contract.Appointment) { a.Tell = false }
	id := p.books(quiet)
	p.rebooks(contract.AppointmentMoved, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "12:00", 1 })
	p.rebooks(contract.AppointmentDone, id, func(a *contract.Appointment) { a.Status = "done" })
	requested := p.books(func(a *contract.Appointment) { a.Status, a.Tell = contract.AppointmentStatusPending, false })
	p.tells(soonAfter())
	p.wants(id, "")
	p.wants(requested, "")
}

func TestAnUndoSendsNothing(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	p.rebooks(contract.AppointmentUndone, id, func(a *contract.Appointment) {
		a.Status, a.Sequence, a.Tell = contract.AppointmentStatusCancelled, 1, true
	})
	p.tells(soonAfter())
	p.wants(id, "mail confirmed dropped")
	if got := p.postbox.got(); len(got) != 0 {
		t.Errorf("it is told: %v", got)
	}
}

func TestAMoveBeforeTheConfirmationWentOutSendsThat(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	p.rebooks(contract.AppointmentMoved, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "12:00", 1 })
	p.tells(soonAfter())
	got := p.postbox.got()
	if len(got) != 1 || !strings.Contains(got[0].Subject, "confirmed") || !strings.Contains(got[0].Subject, "12:00") {
		t.Fatalf("the mails are %v", got)
	}
	p.rebooks(contract.AppointmentMoved, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "13:00", 2 })
	p.tells(soonAfter())
	got = p.postbox.got()
	if len(got) != 2 || !strings.Contains(got[1].Subject, "moved") ||
		!strings.Contains(got[1].Calendar.Text, "SEQUENCE:2\r\n") {
		t.Errorf("the mails are %v", got)
	}
}

// After an undo of a move, the confirmation that waited for it is sent with the first time.
func TestAnUndoneMoveDoesNotLoseTheConfirmation(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	p.rebooks(contract.AppointmentMoved, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "12:00", 1 })
	p.rebooks(contract.AppointmentUndone, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "11:00", 2 })
	p.tells(soonAfter())
	if got := p.postbox.got(); len(got) != 1 || !strings.Contains(got[0].Subject, "11:00") {
		t.Errorf("the mails are %v", got)
	}
}

func TestACancelledAppointmentLeavesTheCalendarAndADeclinedOneWasNeverInIt(t *testing.T) {
	p := newPorch(t)
	p.rebooks(contract.AppointmentCancelled, p.books(), func(a *contract.Appointment) {
		a.Status, a.Sequence = contract.AppointmentStatusCancelled, 1
	})
	p.rebooks(contract.AppointmentDeclined, p.books(), func(a *contract.Appointment) {
		a.Status = contract.AppointmentStatusDeclined
	})
	p.tells(soonAfter())
	for _, m := range p.postbox.got() {
		cancelled := strings.Contains(m.Subject, "cancelled")
		if cancelled != (m.Calendar != nil) || cancelled && m.Calendar.Method != calendar.Cancel {
			t.Errorf("%s: %+v", m.Subject, m.Calendar)
		}
	}
	if got := p.postbox.got(); len(got) != 2 {
		t.Errorf("%d mails", len(got))
	}
}

func TestRemindersAreDueAtTheirTimes(t *testing.T) {
	slot := time.Date(2026, 11, 30, 11, 0, 0, 0, kolkata)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, kolkata) }
	both := office.DefaultAppointments()
	none := office.Appointments{}
	for name, c := range map[string]struct {
		rules     office.Appointments
		confirmed time.Time
		now       time.Time
		want      mails.Kind
	}{
		"before five":                   {both, at(1, 9, 0), at(29, 16, 59), ""},
		"at five":                       {both, at(1, 9, 0), at(29, 17, 0), mails.DayBefore},
		"half an hour late":             {both, at(1, 9, 0), at(29, 17, 30), mails.DayBefore},
		"later":                         {both, at(1, 9, 0), at(29, 17, 31), ""},
		"two hours before":              {both, at(1, 9, 0), at(30, 9, 0), mails.Soon},
		"just before that":              {both, at(1, 9, 0), at(30, 8, 59), ""},
		"switched off":                  {none, at(1, 9, 0), at(29, 17, 0), ""},
		"confirmed two hours ago":       {both, at(29, 15, 0), at(29, 17, 0), ""},
		"confirmed three hours ago":     {both, at(29, 14, 0), at(29, 17, 0), mails.DayBefore},
		"confirmed after the reminder":  {both, at(29, 17, 5), at(29, 17, 10), ""},
		"confirmed on the same morning": {both, at(30, 8, 0), at(30, 9, 0), ""},
	} {
		got := remindersOf(c.rules, slot, &c.confirmed, c.now)
		if len(got) > 1 || (len(got) == 1) != (c.want != "") || len(got) == 1 && got[0].kind != c.want {
			t.Errorf("%s: %v, want %q", name, got, c.want)
		}
	}
}

// A client is reminded once for each slot: anew after a move, but not after an undone cancellation.
func TestAReminderIsSentOnceForASlot(t *testing.T) {
	p := newPorch(t)
	id := p.books(func(a *contract.Appointment) { a.Tell = false })
	early := p.slotOf(id).Add(-2 * time.Hour)
	for range 2 {
		p.tells(early)
	}
	p.wants(id, "mail soon sent")
	p.rebooks(contract.AppointmentUndone, id, func(a *contract.Appointment) { a.Sequence = 2 })
	p.tells(early.Add(time.Minute))
	p.wants(id, "mail soon sent")
	p.rebooks(contract.AppointmentMoved, id, func(a *contract.Appointment) { a.PreferredTime, a.Sequence = "14:00", 3 })
	p.tells(p.slotOf(id).Add(-2 * time.Hour))
	p.wants(id, "mail soon sent, mail soon sent")
}

func TestAClientWhoWantsNoRemindersHasNone(t *testing.T) {
	p := newPorch(t)
	id := p.books(func(a *contract.Appointment) { a.Tell = false })
	if w := p.post(pageOf(id)+"/quiet", ""); w.Code != 303 {
		t.Fatal(w.Code)
	}
	if html := p.get(pageOf(id)).Body.String(); !strings.Contains(html, "No reminders are sent.") {
		t.Errorf("the page does not say so:\n%s", html)
	}
	p.tells(p.slotOf(id).Add(-2 * time.Hour))
	p.wants(id, "")
}

// Text messages are sent to clients who agree, in the hours of messages, and only for what has a template.
func TestATextNeedsConsentAndItsHours(t *testing.T) {
	p := newPorch(t)
	agreed := p.books(func(a *contract.Appointment) { a.Messages, a.Email = true, "" })
	refused := p.books(func(a *contract.Appointment) { a.Email = "" })
	noon := time.Now().Add(undoWindow + time.Second).In(kolkata)
	other := (noon.Hour() + 12) % 24
	p.publishOffice("off", func(document map[string]any) {
		document["messageHours"] = map[string]int{"from": other, "until": other + 1}
	})
	p.tells(noon)
	p.wants(agreed, "sms confirmed queued")
	p.publishOffice("off", func(document map[string]any) {
		document["messageHours"] = map[string]int{"from": 0, "until": 24}
	})
	p.tells(noon)
	p.wants(agreed, "sms confirmed sent")
	p.wants(refused, "")
	want := client[1] + " Confirmed: " + p.slotOf(agreed).Format("2 Jan 3 PM") + ", Lekha Tax"
	if got := p.aggregator.got(); len(got) != 1 || got[0] != want {
		t.Errorf("the aggregator got %q, want %q", got, want)
	}
	p.rebooks(contract.AppointmentCancelled, agreed, func(a *contract.Appointment) {
		a.Status, a.Sequence = contract.AppointmentStatusCancelled, 1
	})
	p.tells(noon.Add(time.Minute))
	p.wants(agreed, "sms confirmed sent")
}

// If a sender ends after it has sent a mail and before it has recorded the result, no other sender sends it again.
func TestAMailIsMarkedBeforeItIsSent(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	doomed, err := postgres.Open(t.Context(), p.db.URL, p.db.Settings)
	if err != nil {
		t.Fatal(err)
	}
	other := New(doomed, outbox.New(contract.SourceLobby, doomed), p.Service.visits, limit.New(p.redis.Client, "lobby"),
		p.options(), slog.New(slog.DiscardHandler))
	closed := make(chan struct{})
	p.postbox.after = func() {
		go func() { doomed.Close(); close(closed) }()
		for doomed.Ping(t.Context()) == nil {
			runtime.Gosched() // the loop ends when the pool rejects its callers
		}
	}
	if err := other.tellBooked(t.Context(), soonAfter()); err == nil {
		t.Error("the record of a killed sender was stored")
	}
	<-closed
	p.postbox.after = nil
	p.tells(soonAfter())
	p.tells(soonAfter().Add(2 * time.Minute))
	p.wants(id, "mail confirmed unknown")
	if got := p.postbox.got(); len(got) != 1 {
		t.Errorf("%d mails", len(got))
	}
}

// A mail that the server certainly has not taken is sent again, any other failure is final.
func TestAFailedMailIsSentAgainOnlyIfItWasNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"later":   {mail.ErrLater, "mail confirmed queued"},
		"refused": {mail.ErrRefused, "mail confirmed failed"},
		"unknown": {errors.New("the connection is lost"), "mail confirmed unknown"},
	} {
		p := newPorch(t)
		p.postbox.fails(c.err)
		id := p.books()
		p.tells(soonAfter())
		p.wants(id, c.want)
		p.postbox.fails(nil)
		p.tells(soonAfter().Add(2 * time.Minute))
		if got := len(p.postbox.got()); (got == 2) != (name == "later") {
			t.Errorf("%s: %d mails", name, got)
		}
	}
}
