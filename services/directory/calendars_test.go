package directory

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/platform/testkit"
)

// consultants are two consultants; one of them is the signed-in user.
func (f *front) twoConsultants(t *testing.T) (own, other string) {
	t.Helper()
	own, other = testkit.ID("consultant"), testkit.ID("other")
	for id, name := range map[string]string{own: "CA Rao", other: "CA Iyer"} {
		testkit.Exec(t, f.db.Pool, `INSERT INTO consultants VALUES ($1, $2, '{GST}', true)`, id, name)
	}
	return own, other
}

// madeCalendar makes the address of a calendar and returns it with its path.
func (f *front) madeCalendar(t *testing.T, role, body string) (made calendarBody, path string) {
	t.Helper()
	f.baseURL = "https://baari.example"
	w := f.call(t, role, "POST", "/api/calendars", body)
	if w.Code != http.StatusCreated {
		t.Fatalf("making a calendar answered %d %s", w.Code, w.Body)
	}
	made = decode[calendarAnswer](t, w.Body.Bytes()).Calendar
	path, ok := strings.CutPrefix(made.URL, f.baseURL)
	if !ok || !strings.HasPrefix(path, "/api/calendar/") || !strings.HasSuffix(path, ".ics") {
		t.Fatalf("the address is %s", made.URL)
	}
	return made, path
}

func (f *front) calendar(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return f.contract.Call(t, f.table, "", "GET", path, "", headers...)
}

func ofConsultant(id string) string { return `{"consultant_id":"` + id + `"}` }

func TestWhoManagesWhichCalendars(t *testing.T) {
	f := newFront(t)
	own, other := f.twoConsultants(t)
	const office = `{"consultant_id":null}`
	_, _ = f.madeCalendar(t, "consultant", ofConsultant(own))
	foreign, _ := f.madeCalendar(t, "admin", ofConsultant(other))
	whole, _ := f.madeCalendar(t, "admin", office)
	for body, want := range map[string]int{office: 403, ofConsultant(other): 403, `{}`: 400, `{"consultant_id":5}`: 400} {
		if w := f.call(t, "consultant", "POST", "/api/calendars", body); w.Code != want {
			t.Errorf("POST %s answered %d %s", body, w.Code, w.Body)
		}
	}
	if w := f.call(t, "admin", "POST", "/api/calendars", ofConsultant("gone")); w.Code != 422 {
		t.Errorf("the calendar of an unknown consultant answered %d", w.Code)
	}
	for role, want := range map[string][]string{"consultant": {"CA Rao"}, "admin": {"", "CA Iyer", "CA Rao"}} {
		var names []string
		all := decode[calendarsAnswer](t, f.call(t, role, "GET", "/api/calendars", "").Body.Bytes())
		for _, one := range all.Calendars {
			if one.URL != "" {
				t.Error("a list has the address")
			}
			name := ""
			if one.Consultant != nil {
				name = one.Consultant.Name
			}
			names = append(names, name)
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s sees the calendars of %q", role, names)
		}
	}
	for _, id := range []string{foreign.ID, whole.ID} {
		if w := f.call(t, "consultant", "DELETE", "/api/calendars/"+id, ""); w.Code != http.StatusForbidden {
			t.Errorf("a consultant's DELETE of another calendar answered %d", w.Code)
		}
	}
	for _, want := range []int{204, 404} {
		if w := f.call(t, "admin", "DELETE", "/api/calendars/"+whole.ID, ""); w.Code != want {
			t.Errorf("DELETE answered %d, want %d", w.Code, want)
		}
	}
}

// A calendar has the confirmed and arrived appointments from 30 days back to 180 ahead, with the service and the time.
func TestACalendarHasTheTimesAndServicesOfAppointments(t *testing.T) {
	f, _ := timed(t)
	own, other := f.twoConsultants(t)
	add := func(name, service, date, status, consultant string) {
		t.Helper()
		testkit.Exec(t, f.db.Pool, `INSERT INTO appointments
			(id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, service_id,
			consultant_id, version)
			SELECT gen_random_uuid(), $1, '9876543210', 'asha@example.com', $2, $3::text::date, '11:00', 'Secret', $4, '', id,
			nullif($5, ''), 1 FROM services WHERE name = 'ITR Filing'`, name, service, date, status, consultant)
	}
	add("Asha Rao", "Mine", "2026-11-23", "confirmed", own)
	add("Ravi Iyer", "Came", "2026-11-20", "arrived", own)
	add("Ravi Iyer", "Theirs", "2026-11-24", "confirmed", other)
	add("Ravi Iyer", "Anyone", "2026-11-25", "confirmed", "")
	add("Ravi Iyer", "Oldest", day(t, f, -30), "confirmed", "")
	add("Ravi Iyer", "Farthest", day(t, f, 180), "confirmed", "")
	for _, status := range []string{"pending", "cancelled", "declined", "done", "no-show"} {
		add("Ravi Iyer", "Not "+status, "2026-11-23", status, own)
	}
	add("Ravi Iyer", "Not so old", day(t, f, -31), "confirmed", own)
	add("Ravi Iyer", "Not so far", day(t, f, 181), "confirmed", own)
	for body, want := range map[string][]string{
		`{"consultant_id":null}`: {"Oldest", "Came", "Mine", "Theirs", "Anyone", "Farthest"},
		ofConsultant(own):        {"Came", "Mine"},
	} {
		_, path := f.madeCalendar(t, "admin", body)
		w := f.calendar(t, path)
		text := w.Body.String()
		var got []string
		for line := range strings.SplitSeq(text, "\r\n") {
			if summary, ok := strings.CutPrefix(line, "SUMMARY:"); ok {
				got = append(got, summary)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the calendar of %s has %q", body, got)
		}
		for _, secret := range []string{"Asha", "Ravi", "9876543210", "example.com", "Secret"} {
			if strings.Contains(text, secret) {
				t.Errorf("the calendar has %q", secret)
			}
		}
		if w.Header().Get("Cache-Control") != "private, max-age=300" ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/calendar") {
			t.Errorf("the header is %v", w.Header())
		}
		if !strings.Contains(text, "DTSTART:20261123T053000Z") {
			t.Errorf("11:00 in Kolkata is not 5:30 in UTC:\n%s", text)
		}
		if again := f.calendar(t, path, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("the same calendar answered %d", again.Code)
		}
	}
}

// day returns the day n days after the office's today.
func day(t *testing.T, f *front, n int) string {
	t.Helper()
	today, err := f.Today(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.DateOnly, today)
	if err != nil {
		t.Fatal(err)
	}
	return at.AddDate(0, 0, n).Format(time.DateOnly)
}

// With feedNames first, an entry has the first word of the name, until the person is erased.
func TestACalendarHasFirstNamesIfTheOfficeSaysSo(t *testing.T) {
	f, _ := timed(t, func(d *office.Document) { d.Appointments.FeedNames = office.FeedNamesFirst })
	booked := f.book(t, nil)
	_, path := f.madeCalendar(t, "admin", `{"consultant_id":null}`)
	if text := f.calendar(t, path).Body.String(); !strings.Contains(text, `SUMMARY:ITR Filing\, Asha`+"\r\n") {
		t.Error(text)
	}
	testkit.Exec(t, f.db.Pool, `UPDATE appointments SET name = 'Erased', erased_at = now(), version = version + 1
		WHERE id = $1`, booked.ID)
	if text := f.calendar(t, path).Body.String(); !strings.Contains(text, "SUMMARY:ITR Filing\r\n") {
		t.Error(text)
	}
}

// A code that is unknown, revoked, or of a consultant who has left gives the same answer.
func TestACodeThatIsNotInUseIsUnknown(t *testing.T) {
	f := newFront(t)
	own, other := f.twoConsultants(t)
	revoked, first := f.madeCalendar(t, "consultant", ofConsultant(own))
	_, second := f.madeCalendar(t, "admin", ofConsultant(other))
	if w := f.calendar(t, first); w.Code != http.StatusOK {
		t.Fatalf("a new calendar answered %d %s", w.Code, w.Body)
	}
	if w := f.call(t, "consultant", "DELETE", "/api/calendars/"+revoked.ID, ""); w.Code != http.StatusNoContent {
		t.Fatalf("DELETE answered %d", w.Code)
	}
	testkit.Exec(t, f.db.Pool, `UPDATE consultants SET is_active = false WHERE id = $1`, other)
	for _, path := range []string{
		first, second, strings.ToUpper(second), "/api/calendar/" + strings.Repeat("a", 26) + ".ics", "/api/calendar/x.ics",
		strings.TrimSuffix(second, ".ics"),
	} {
		if w := f.calendar(t, path); w.Code != http.StatusNotFound {
			t.Errorf("%s answered %d", path, w.Code)
		}
	}
	var codes int
	err := f.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM calendar_feeds
		WHERE length(code_hash) <> 32 OR position($1::bytea IN code_hash) > 0`, []byte(first[14:20])).Scan(&codes)
	if err != nil || codes != 0 {
		t.Errorf("%d codes are stored: %v", codes, err)
	}
}

func TestACalendarIsReadSixtyTimesAnHour(t *testing.T) {
	f := newFront(t)
	f.limited(t)
	_, path := f.madeCalendar(t, "admin", `{"consultant_id":null}`)
	_, another := f.madeCalendar(t, "admin", `{"consultant_id":null}`)
	for n := range calendarReads.Burst {
		if w := f.calendar(t, path); w.Code != http.StatusOK {
			t.Fatalf("read %d answered %d", n+1, w.Code)
		}
	}
	if w := f.calendar(t, path); w.Code != http.StatusTooManyRequests {
		t.Errorf("one more read answered %d", w.Code)
	}
	if w := f.calendar(t, another); w.Code != http.StatusOK {
		t.Errorf("another calendar answered %d", w.Code)
	}
}
