package lobby

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/platform/testkit"
)

// The page needs no account and no script, and has nothing of the person.
func TestThePageOfAnAppointmentHasWhatItsClientNeeds(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	capitals := strings.Replace(pageOf(id), "/q/a/", "/Q/A/", 1)
	for _, path := range []string{pageOf(id), capitals, strings.ToLower(pageOf(id))} {
		w := p.get(path)
		html := w.Body.String()
		for _, want := range []string{
			"Confirmed", "11:00", "ITR Filing", "PAN card", "Form 16 (if you have it)", "12 MG Road", "080 0000 0142",
			pageOf(id) + "?move", pageOf(id) + "?cancel", pageOf(id) + "/appointment.ics",
		} {
			if !strings.Contains(html, want) {
				t.Errorf("%s does not have %q:\n%s", path, want, html)
			}
		}
		for _, secret := range append(client, "<script") {
			if strings.Contains(html, secret) {
				t.Errorf("the page has %q", secret)
			}
		}
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") ||
			w.Header().Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	}
	for _, other := range []string{"/q/a/00000000000000000000", "/q/a/x", "/q/a/" + codeOf(id)} {
		if w := p.get(other); w.Code != http.StatusNotFound {
			t.Errorf("%s is %d", other, w.Code)
		}
	}
}

func TestAClientMovesTheAppointment(t *testing.T) {
	p := newPorch(t)
	id := p.books(func(a *contract.Appointment) { a.Tell = false })
	html := p.get(pageOf(id) + "?move").Body.String()
	day := time.Now().In(kolkata).AddDate(0, 0, 3).Format(time.DateOnly)
	if !strings.Contains(html, `name="date" value="`+day+`"`) || !strings.Contains(html, "<option>15:00</option>") ||
		strings.Contains(html, "10:00") {
		t.Errorf("the page offers\n%s", html)
	}
	w := p.post(pageOf(id)+"/move", "date="+day+"&time=15:00")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != pageOf(id) {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	p.caughtUp()
	if html := p.get(pageOf(id)).Body.String(); !strings.Contains(html, "15:00") {
		t.Errorf("the page shows\n%s", html)
	}
	p.tells(time.Now().Add(time.Second))
	p.wants(id, "mail moved sent")
	p.bookings.mu.Lock()
	asked := slices.Clone(p.bookings.asked)
	p.bookings.full = true
	p.bookings.mu.Unlock()
	want := "/internal/appointments/" + id + "/visitor " +
		fmt.Sprintf(`{"action":"move","date":%q,"time":"15:00","version":1}`, day)
	if !slices.Contains(asked, want) {
		t.Errorf("directory was asked %q, want %s", asked, want)
	}
	w = p.post(pageOf(id)+"/move", "date="+day+"&time=15:00")
	if w.Header().Get("Location") != pageOf(id)+"?move&taken" {
		t.Errorf("a full slot: %v", w.Header())
	}
	if html := p.get(pageOf(id) + "?move&taken").Body.String(); !strings.Contains(html, "This time is taken.") {
		t.Errorf("the page does not say so:\n%s", html)
	}
}

func TestAClientCancelsTheAppointmentAndIsToldAtOnce(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	if html := p.get(pageOf(id) + "?cancel").Body.String(); !strings.Contains(html, pageOf(id)+"/cancel") {
		t.Errorf("the page does not ask:\n%s", html)
	}
	p.post(pageOf(id)+"/cancel", "")
	p.caughtUp()
	p.tells(time.Now().Add(time.Second))
	p.wants(id, "mail confirmed dropped, mail cancelled sent")
	html := p.get(pageOf(id)).Body.String()
	if !strings.Contains(html, "Cancelled") || strings.Contains(html, "?move") {
		t.Errorf("the page shows\n%s", html)
	}
}

// Directory is not asked for a change that is too late, one too many, or from another site.
func TestAClientCannotChangeWhatTheOfficeDoesNotAllow(t *testing.T) {
	p := newPorch(t)
	moved := p.books(func(a *contract.Appointment) { a.Moves = 3 })
	soonDue := time.Now().In(kolkata).Add(time.Hour)
	late := p.books(func(a *contract.Appointment) {
		a.PreferredDate, a.PreferredTime = soonDue.Format(time.DateOnly), soonDue.Format("15:04")
	})
	done := p.books(func(a *contract.Appointment) { a.Status = contract.AppointmentStatusDone })
	for id, want := range map[string]string{
		moved: "It was moved three times.", late: "It is too late to change this here. Please call 080 0000 0142.",
		done: "This appointment is over.",
	} {
		if html := p.get(pageOf(id)).Body.String(); !strings.Contains(html, want) || strings.Contains(html, "?move") {
			t.Errorf("the page does not say %q:\n%s", want, html)
		}
		if w := p.post(pageOf(id)+"/move", "date=2030-01-01&time=10:00"); w.Code != http.StatusSeeOther {
			t.Errorf("a move is answered %d", w.Code)
		}
	}
	p.post(pageOf(late)+"/cancel", "")
	open := p.books()
	for _, form := range []string{"move", "cancel", "quiet", "lang"} {
		if w := p.post(pageOf(open)+"/"+form, "lang=hi", "Origin", "https://other.example"); w.Code != http.StatusForbidden {
			t.Errorf("%s from another site is %d", form, w.Code)
		}
	}
	if len(p.bookings.asked) != 0 {
		t.Errorf("directory was asked %q", p.bookings.asked)
	}
}

func TestTheEntryIsPublished(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	w := p.get(pageOf(id) + "/appointment.ics")
	entry := w.Body.String()
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/calendar") ||
		!strings.Contains(entry, "METHOD:PUBLISH\r\n") || !strings.Contains(entry, "UID:"+id+"@baari.test\r\n") ||
		strings.Contains(entry, "ATTENDEE") {
		t.Errorf("%d %v\n%s", w.Code, w.Header(), entry)
	}
	pending := p.books(func(a *contract.Appointment) { a.Status = contract.AppointmentStatusPending })
	if w := p.get(pageOf(pending) + "/appointment.ics"); w.Code != http.StatusNotFound {
		t.Errorf("without a confirmation it is %d", w.Code)
	}
}

func TestAfterCheckInTheLinkLeadsToTheVisit(t *testing.T) {
	p := newPorch(t)
	id, visit := p.books(), p.arrive()
	p.rebooks(contract.AppointmentArrived, id, func(a *contract.Appointment) {
		a.Status, a.VisitID = contract.AppointmentStatusArrived, &visit
	})
	if w := p.get(pageOf(id)); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/q/"+codeOf(visit) {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestTheLinkEndsADayAfterTheSlotAndWithTheAddress(t *testing.T) {
	p := newPorch(t)
	yesterday := time.Now().In(kolkata).Add(-23 * time.Hour)
	id := p.books(func(a *contract.Appointment) {
		a.PreferredDate, a.PreferredTime = yesterday.Format(time.DateOnly), yesterday.Format("15:04")
	})
	if w := p.get(pageOf(id)); w.Code != http.StatusOK {
		t.Errorf("it is %d", w.Code)
	}
	p.ahead("90 minutes")
	if w := p.get(pageOf(id)); w.Code != http.StatusGone {
		t.Errorf("a day later it is %d", w.Code)
	}
	if err := p.store.forgetAddresses(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b, err := p.store.bookedByID(t.Context(), id); err != nil || b.Email != nil || b.Phone != nil {
		t.Errorf("the address is kept: %+v %v", b.appointment, err)
	}
	p.ahead("9 days")
	if err := p.store.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := p.get(pageOf(id)); w.Code != http.StatusNotFound {
		t.Errorf("nine days later it is %d", w.Code)
	}
}

// Addresses are only stored encrypted. After an erasure nothing is sent, and the link is unknown.
func TestAnErasedAppointmentLeavesNothing(t *testing.T) {
	p := newPorch(t)
	id := p.books(func(a *contract.Appointment) { a.Messages = true })
	if found := p.db.Find(t, client...); len(found) > 0 {
		t.Errorf("the database has what it must encrypt: %v", found)
	}
	p.rebooks(contract.AppointmentErased, id, func(a *contract.Appointment) {
		a.Name, a.Phone, a.Email, a.Messages, a.Status = "", "", "", false, contract.AppointmentStatusCancelled
	})
	p.tells(soonAfter())
	if w := p.get(pageOf(id)); w.Code != http.StatusNotFound || len(p.postbox.got()) != 0 {
		t.Errorf("it is %d, %d mails", w.Code, len(p.postbox.got()))
	}
	var kept bool
	row := p.db.Pool.QueryRow(t.Context(),
		`SELECT email IS NOT NULL OR phone IS NOT NULL FROM appointments WHERE id = $1`, id)
	if err := row.Scan(&kept); err != nil || kept {
		t.Errorf("the address is kept: %v %v", kept, err)
	}
	w := p.contract.Call(t, p.table, "token-reception", http.MethodGet, "/api/lobby/appointments/"+id+"/link", "")
	if w.Code != http.StatusNotFound {
		t.Errorf("reception is answered %d", w.Code)
	}
}

// A rebuild of the projection sends nothing again, and keeps what the client wants.
func TestARebuildMailsNothingAgain(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	p.tells(soonAfter())
	p.post(pageOf(id)+"/quiet", "")
	testkit.Exec(t, p.db.Owner(t), `UPDATE feed_cursor SET epoch = 'another' WHERE source = 'directory'`)
	p.publishOffice("confirm")
	testkit.Eventually(t, "the appointment is projected again", func() bool {
		b, err := p.store.bookedByID(t.Context(), id)
		return err == nil && b.known && b.quiet
	})
	p.tells(soonAfter().Add(time.Minute))
	p.wants(id, "mail confirmed sent")
	if got := len(p.postbox.got()); got != 1 {
		t.Errorf("%d mails", got)
	}
}

func TestStaffReadAndReplaceTheLink(t *testing.T) {
	p := newPorch(t)
	id := p.books()
	p.tells(soonAfter())
	path := "/api/lobby/appointments/" + id + "/link"
	for role, want := range map[string]int{"reception": 200, "pa": 200, "admin": 200, "consultant": 403} {
		w := p.contract.Call(t, p.table, "token-"+role, http.MethodGet, path, "")
		if w.Code != want {
			t.Errorf("%s is answered %d %s", role, w.Code, w.Body)
		}
	}
	read := func(method string) appointmentLinkBody {
		var answer appointmentLink
		w := p.contract.Call(t, p.table, "token-pa", method, path, "")
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err, w.Body)
		}
		return answer.Link
	}
	first := read(http.MethodGet)
	told := toldBookedBody{Channel: "mail", Kind: "confirmed", State: "sent"}
	if first.URL != strings.ToUpper(base)+"/Q/A/"+link.AppointmentCode(key, id, 1) || len(first.Told) != 1 ||
		first.Told[0].Channel != told.Channel || first.Told[0].Kind != told.Kind || first.Told[0].State != told.State {
		t.Errorf("the link is %+v", first)
	}
	second := read(http.MethodPost)
	if again := read(http.MethodPost); second.URL != again.URL || second.URL == first.URL {
		t.Errorf("replaced: %s, again: %s", second.URL, again.URL)
	}
	if w := p.get(pageOf(id)); w.Code != http.StatusGone {
		t.Errorf("the link before is %d", w.Code)
	}
	w := p.contract.Call(t, p.table, "token-pa", http.MethodGet, "/api/lobby/channels", "")
	if got := strings.TrimSpace(w.Body.String()); got != `{"mail":true,"sms":true,"whatsapp":false}` {
		t.Errorf("the channels are %s", got)
	}
}
