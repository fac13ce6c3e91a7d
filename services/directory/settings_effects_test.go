package directory

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/testkit"
)

// A preview stores nothing and names the appointments that then need a new time.
func TestAPreviewNamesWhatIsAffected(t *testing.T) {
	f := newFront(t)
	today, err := f.Today(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, f.db.Pool, `INSERT INTO appointments (id, name, phone, email, service, preferred_date, preferred_time,
		message, status, notice_version) SELECT gen_random_uuid(), 'Asha ' || n, '9876543210', '', 'ITR Filing',
		$1::text::date + 1 + (8 - extract(isodow FROM $1::text::date)::int) % 7, '09:00', '',
		CASE n WHEN 4 THEN 'declined' ELSE 'pending' END, '' FROM generate_series(1, 4) n`, today)
	preview := func(section string, value any) string {
		body, err := json.Marshal(map[string]any{"value": value})
		if err != nil {
			t.Fatal(err)
		}
		w := f.call(t, "admin", http.MethodPost, "/api/office/settings/"+section+"/preview", string(body))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", section, w.Code, w.Body)
		}
		return w.Body.String()
	}
	d := f.office.Load()
	late := "10 AM"
	hours := append([]office.Hours{}, d.Hours...)
	for i := range hours {
		if hours[i].Open != nil {
			hours[i].Open = &late
		}
	}
	got := preview("hours", map[string]any{"hours": hours, "yearly": []any{}, "specialDays": []any{}})
	for _, want := range []string{
		`"key":"/hours/0/open","before":"9 AM","after":"10 AM"`, `"code":"appointments_outside"`, `"count":3`,
		`"text":"Asha 1","date":"20`, `"time":"09:00"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the preview of the hours lacks %s: %s", want, got)
		}
	}
	appointments := d.Appointments
	appointments.PerSlot = 1
	got = preview("appointments", map[string]any{
		"appointmentSlots": d.AppointmentSlots, "appointments": appointments,
		"features": map[string]any{"appointments": "live"},
	})
	if !strings.Contains(got, `"code":"appointments_over"`) || !strings.Contains(got, `"count":2`) {
		t.Errorf("the preview of fewer places: %s", got)
	}
	if f.office.Load().Version != 1 || len(f.events(t, contract.OfficeChanged)) != 0 {
		t.Error("the preview was stored")
	}
}

func TestRegistrationAndClosingTodayHaveEffects(t *testing.T) {
	f := newFront(t, func(d *office.Document) {
		d.Features.Registration = "approval"
		for i := range d.Hours {
			open, shut := "9 AM", "5 PM"
			d.Hours[i].Open, d.Hours[i].Close = &open, &shut
		}
	})
	w := f.put(t, "access", `{"value":{"features":{"registration":"open","debug":false}},"version":1}`)
	if !strings.Contains(w.Body.String(), "registration_open") {
		t.Errorf("open registration: %s", w.Body)
	}
	today, err := f.Today(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	closed, err := json.Marshal(map[string]any{"version": 1, "value": map[string]any{
		"hours": f.office.Load().Hours, "yearly": []any{}, "specialDays": []office.SpecialDay{{Date: today}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if w := f.put(t, "hours", string(closed)); !strings.Contains(w.Body.String(), "closed_today") {
		t.Errorf("closed today: %s", w.Body)
	}
}

const newHours = `{"value":{"hours":[{"days":"Monday-Friday","open":"9 AM","close":"4 PM"}],"yearly":[],
	"specialDays":[]},"version":1}`

// The checklist knows what an admin has saved; the rest is ticked.
func TestTheChecklistOfANewOffice(t *testing.T) {
	f := newFront(t)
	done := func() string {
		var answer struct {
			Setup struct {
				Dismissed bool
				Items     []struct {
					Key  string
					Done bool
				}
			}
		}
		w := f.call(t, "admin", http.MethodGet, "/api/office/setup", "")
		if err := json.Unmarshal(w.Body.Bytes(), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, item := range answer.Setup.Items {
			if item.Done {
				keys = append(keys, item.Key)
			}
		}
		return strings.Join(keys, " ") + fmt.Sprint(" ", answer.Setup.Dismissed)
	}
	if got := done(); got != " false" {
		t.Errorf("a new office has done %q", got)
	}
	f.call(t, "admin", http.MethodPost, "/api/services", `{"name":"Appeals","est_minutes":90}`)
	f.call(t, "admin", http.MethodPut, "/api/office/setup/backup", `{"done":true}`)
	f.addConsultants(t, "c-1", "c-2")
	f.call(t, "admin", http.MethodPost, "/api/office/setup/dismiss", `{"dismissed":true}`)
	if got := done(); got != "services backup true" {
		t.Errorf("done %q", got)
	}
	testkit.Exec(t, f.db.Pool, `UPDATE consultants SET counter = '1'`)
	f.call(t, "admin", http.MethodPut, "/api/office/setup/backup", `{"done":false}`)
	if got := done(); got != "services desks true" {
		t.Errorf("done %q", got)
	}
	f.call(t, "admin", http.MethodPut, "/api/office/setup/services", `{"done":false}`)
	if got := done(); got != "desks true" {
		t.Errorf("done %q", got)
	}
	f.call(t, "admin", http.MethodPost, "/api/services", `{"name":"Refunds","est_minutes":30}`)
	if got := done(); got != "services desks true" {
		t.Errorf("after a service was saved, done %q", got)
	}
	for _, key := range []string{"people", "desks", "screen", "nothing"} {
		w := f.call(t, "admin", http.MethodPut, "/api/office/setup/"+key, `{"done":true}`)
		if w.Code != http.StatusNotFound {
			t.Errorf("%s is no item to tick: %d", key, w.Code)
		}
	}
	f.put(t, "board", board(3, 1))
	f.put(t, "desks", `{"value":{"offline":{"on":true}},"version":1}`)
	f.put(t, "hours", newHours)
	if got := done(); got != "hours services desks true" {
		t.Errorf("done %q", got)
	}
}

func TestHolidaysAreOffered(t *testing.T) {
	f := newFront(t)
	var answer struct {
		Holidays []struct {
			Month, Day *int
			Name       string
			Texts      map[string]string
		}
	}
	w := f.call(t, "admin", http.MethodGet, "/api/office/holidays", "")
	if err := json.Unmarshal(w.Body.Bytes(), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	fixed := 0
	for _, holiday := range answer.Holidays {
		if len(holiday.Texts) != len(office.Languages)-1 {
			t.Errorf("%s is in %d languages", holiday.Name, len(holiday.Texts))
		}
		if holiday.Day != nil {
			fixed++
		}
	}
	if fixed != 7 || len(answer.Holidays) != 11 {
		t.Errorf("%d holidays, %d of them fixed", len(answer.Holidays), fixed)
	}
}
