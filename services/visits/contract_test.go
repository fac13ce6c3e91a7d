package visits_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheRoutesAreTheDocuments(t *testing.T) {
	d := newDesk(t)
	d.contract.SameRoutes(t, d.table)
}

// If the document accepted a response with an additional or a missing field, tests against it would prove nothing, so
// the document must reject both.
func TestAnAnswerWithAFieldMoreOrLessIsRefused(t *testing.T) {
	d := newDesk(t)
	d.arrive("Asha")
	r := httptest.NewRequest(http.MethodGet, "/api/visits/today", nil)
	r.Header.Set("Authorization", "Bearer token-reception")
	w := httptest.NewRecorder()
	d.table.ServeHTTP(w, r)
	body := w.Body.String()
	check := func(text string) error { return d.contract.Check(r, w.Code, w.Header(), []byte(text)) }
	if err := check(body); err != nil {
		t.Fatalf("the answer itself is rejected: %v", err)
	}
	// ASVS 15.3.1
	if check(strings.Replace(body, `"token":`, `"secret":1,"token":`, 1)) == nil {
		t.Error("an extra field passed")
	}
	if check(strings.Replace(body, `"paNotes":"",`, ``, 1)) == nil {
		t.Error("a missing field passed")
	}
}

// createBody returns the body of a registration, with the given members and the id of an offered service.
func (d *desk) createBody(members string) string {
	return `{` + members + `,"service_id":"` + d.offered + `"}`
}

// badCreate is the body of an invalid registration, with the expected message.
type badCreate struct{ what, body, sentence string }

func (d *desk) badCreates() []badCreate {
	long := strings.Repeat("a", 101)
	create := d.createBody
	return []badCreate{
		{"no name", create(`"phone":"9876543210"`), "Name is required"},
		{"a name of blanks", create(`"name":"   ","phone":"9876543210"`), "Name is required"},
		{"an invisible name", create(`"name":"\u200b\u200d","phone":"9876543210"`), "Name is required"},
		{
			"a name of 101 letters",
			create(`"name":"` + long + `","phone":"9876543210"`),
			"Please shorten the name to 100 characters",
		},
		{
			"a name with a bidi control",
			create(`"name":"a\u202eb","phone":"9876543210"`),
			"Please use only letters, digits and punctuation in the name",
		},
		{
			"a name with NUL",
			create(`"name":"a\u0000b","phone":"9876543210"`),
			"Please use only letters, digits and punctuation in the name",
		},
		{"a name that is a number", create(`"name":5,"phone":"9876543210"`), "Name is required"},
		{"no phone", create(`"name":"Asha"`), "Phone number is required"},
		{"9 digits", create(`"name":"Asha","phone":"987654321"`), "Please enter a valid 10-digit phone number"},
		{"11 digits", create(`"name":"Asha","phone":"98765432101"`), "Please enter a valid 10-digit phone number"},
		{"letters", create(`"name":"Asha","phone":"98765abcde"`), "Please enter a valid 10-digit phone number"},
		{
			"Devanagari digits",
			create(`"name":"Asha","phone":"९८७६५४३२१०"`),
			"Please enter a valid 10-digit phone number",
		},
		{
			"a phone that is a number",
			create(`"name":"Asha","phone":9876543210`),
			"Please enter a valid 10-digit phone number",
		},
		{"no service", `{"name":"Asha","phone":"9876543210"}`, "Please choose a service from the list"},
		{
			"two services",
			create(`"name":"Asha","phone":"9876543210","serviceId":"other"`),
			"Please choose a service from the list",
		},
		{
			"notes of 2,001 letters",
			create(`"name":"Asha","phone":"9876543210","notes":"` + strings.Repeat("a", 2001) + `"`),
			"Please shorten the notes to 2,000 characters",
		},
		{
			"a key twice",
			create(`"name":"Asha","name":"Rao","phone":"9876543210"`),
			"The request could not be read. Please try again.",
		},
		{
			"a key in another case",
			create(`"name":"Asha","NAME":"Rao","phone":"9876543210"`),
			"The request could not be read. Please try again.",
		},
		{
			"a lone surrogate",
			create(`"name":"\ud800","phone":"9876543210"`),
			"The request could not be read. Please try again.",
		},
		{
			"more than one object",
			create(`"name":"Asha","phone":"9876543210"`) + `{}`,
			"The request could not be read. Please try again.",
		},
		{"a list", `[]`, "The request could not be read. Please try again."},
		{"nothing", ` `, "The request could not be read. Please try again."},
	}
}

// S3.create.03, S5.reception.01-05, S3.status.02: each invalid field has its own message, and nothing is stored.
func TestBadBodiesChangeNothing(t *testing.T) {
	d := newDesk(t)
	v := d.arrive("Asha")
	for _, c := range d.badCreates() {
		// ASVS 1.3.3, 2.2.1, 2.2.2
		a := d.as("reception", http.MethodPost, "/api/visits", c.body)
		if a.status != http.StatusBadRequest || a.Error != c.sentence {
			t.Errorf("%s answered %d %s, want %q", c.what, a.status, a.text, c.sentence)
		}
	}
	large := d.as("reception", http.MethodPost, "/api/visits", d.createBody(`"name":"`+strings.Repeat("a", 64<<10)+`"`))
	if large.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over 64 KiB answered %d %s", large.status, large.text)
	}
	asha := d.createBody(`"name":"Asha"`)
	plain := d.as("reception", http.MethodPost, "/api/visits", asha, "Content-Type", "text/plain")
	if plain.status != http.StatusUnsupportedMediaType {
		t.Errorf("plain text answered %d %s", plain.status, plain.text)
	}
	for _, body := range []string{
		`{}`,
		`{"status":5}`,
		`{"status":"approved","assigned_consultant_id":5}`,
		`{"status":"denied","notes":5}`,
		`{"status":"denied","version":"x"}`,
		`{"status":"denied","STATUS":"approved"}`,
	} {
		if a := d.as("pa", http.MethodPut, "/api/visits/"+v.ID+"/status", body); a.status != http.StatusBadRequest {
			t.Errorf("%s answered %d %s", body, a.status, a.text)
		}
	}
	if n := count(t, d, `SELECT count(*) FROM outbox`); n != 1 {
		t.Errorf("bad bodies published events: %d events", n)
	}
}

// T9: a name of 100 letters and names with joiners of Indian scripts are accepted. Notes of 2,001 characters are not.
func TestTextAtItsEdgesIsKeptAsTyped(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{strings.Repeat("a", 100), "क्\u200dष", "ക്\u200cഷ", "O'Brien-Ñuñez", "Ⅷ"} {
		if v := d.arrive(name); v.Name != name {
			t.Errorf("%q became %q", name, v.Name)
		}
	}
	body := `{"name":"Asha","phone":"9876543210","service_id":"` + d.offered + `","notes":"` + strings.Repeat(
		"é",
		1998,
	) + `\n\t` + `x"}`
	if a := d.as("reception", http.MethodPost, "/api/visits", body); a.status != http.StatusBadRequest {
		t.Errorf("2,001 characters of notes answered %d", a.status)
	}
}

func TestUnknownPathsAndVerbs(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{http.MethodGet, "/api/visits/unknown", http.StatusNotFound},
		{http.MethodGet, "/api/visits//today", http.StatusNotFound},
		{http.MethodGet, "/api/visits/today/", http.StatusNotFound},
		{http.MethodDelete, "/api/visits/today", http.StatusMethodNotAllowed},
		{http.MethodGet, "/api/visits", http.StatusMethodNotAllowed},
	} {
		w := httptest.NewRecorder()
		d.table.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"request_id"`) {
			t.Errorf("%s %s answered %d %s", c.method, c.path, w.Code, w.Body)
		}
		if c.status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
			t.Errorf("%s %s has no header Allow", c.method, c.path)
		}
	}
}
