package directory

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/testkit"
)

// putServes sets a consultant's services by the API.
func (f *front) putServes(t *testing.T, id, serves string) (code int, body []byte) {
	t.Helper()
	w := f.call(t, "admin", "PUT", "/api/consultants/"+id, `{"specialization":["GST"],"serves":`+serves+`}`)
	return w.Code, w.Body.Bytes()
}

func TestServedServicesAreKeptOnceAndInOrder(t *testing.T) {
	f := newFront(t)
	id := testkit.ID("consultant")
	f.addConsultants(t, id)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	first, second := list[0].ID, list[1].ID
	f.call(t, "admin", "PUT", "/api/services/"+second, `{"name":"Old","est_minutes":30,"is_active":0}`)
	want := []string{first, second}
	slices.Sort(want)
	for range 2 {
		code, body := f.putServes(t, id, fmt.Sprintf(`[%q,%q,%q]`, second, strings.ToUpper(first), second))
		if got := decode[consultantAnswer](t, body).Consultant; code != http.StatusOK || !slices.Equal(got.Serves, want) {
			t.Fatalf("answered %d %s", code, body)
		}
	}
	w := f.call(t, "admin", "PUT", "/api/consultants/"+id, `{"specialization":["GST"]}`)
	if got := decode[consultantAnswer](t, w.Body.Bytes()).Consultant; !slices.Equal(got.Serves, want) {
		t.Errorf("without serves the services changed: %s", w.Body)
	}
	w = f.call(t, "pa", "GET", "/api/users/consultants", "")
	if got := decode[consultantsAnswer](t, w.Body.Bytes()).Consultants[0]; !slices.Equal(got.Serves, want) {
		t.Errorf("listed %s", w.Body)
	}
	published := f.events(t, contract.ConsultantUpdated)
	if len(published) != 1 {
		t.Fatalf("the same services twice published %d events", len(published))
	}
	before := decode[contract.Consultant](t, published[0].Before)
	after := decode[contract.Consultant](t, published[0].After)
	if len(before.Serves) != 0 || !slices.Equal(after.Serves, want) {
		t.Errorf("published a change from %v to %v", before.Serves, after.Serves)
	}
	if one, err := f.Consultant(t.Context(), id); err != nil || !slices.Equal(one.Serves, want) {
		t.Errorf("the internal call answers %+v, %v", one, err)
	}
	if code, body := f.putServes(t, id, `[]`); code != http.StatusOK ||
		len(decode[consultantAnswer](t, body).Consultant.Serves) != 0 {
		t.Errorf("all services: answered %d %s", code, body)
	}
}

func TestUnknownServicesCannotBeServed(t *testing.T) {
	f := newFront(t)
	id := testkit.ID("consultant")
	f.addConsultants(t, id)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	for _, serves := range []string{`["x"]`, `[""]`, fmt.Sprintf(`[%q,%q]`, list[0].ID, uuid.NewString())} {
		code, body := f.putServes(t, id, serves)
		if got := decode[fault.Body](t, body); code != http.StatusUnprocessableEntity || got.Code != "service_unknown" {
			t.Errorf("%s answered %d %s", serves, code, body)
		}
	}
	many := `["` + list[0].ID + `"` + repeat(`,"`+list[0].ID+`"`, 100) + `]`
	for serves, want := range map[string]fault.Message{
		`"all"`: servesWrong, `[1]`: servesWrong, `{}`: servesWrong, many: servesMany,
	} {
		code, body := f.putServes(t, id, serves)
		if got := decode[fault.Body](t, body).Error; code != http.StatusBadRequest || got != want.Sentence {
			t.Errorf("%.40s answered %d %s", serves, code, body)
		}
	}
	if published := f.events(t, contract.ConsultantUpdated); len(published) != 0 {
		t.Errorf("rejected requests published %d events", len(published))
	}
}

// A request can change the desk number alone. The number stays when the skills change.
func TestAConsultantHasADeskNumber(t *testing.T) {
	f := newFront(t)
	id := testkit.ID("consultant")
	f.addConsultants(t, id)
	put := func(body string) (int, consultantBody, fault.Body) {
		w := f.call(t, "admin", "PUT", "/api/consultants/"+id, body)
		return w.Code, decode[consultantAnswer](t, w.Body.Bytes()).Consultant, decode[fault.Body](t, w.Body.Bytes())
	}
	for _, c := range []struct{ body, counter, specialization string }{
		{`{"counter":" 3 "}`, "3", "GST"}, {`{"specialization":["Audit"]}`, "3", "Audit"}, {`{"serves":[]}`, "3", "Audit"},
		{`{"counter":"Room 12 left"}`, "Room 12 left", "Audit"}, {`{"counter":""}`, "", "Audit"},
	} {
		code, got, _ := put(c.body)
		if code != http.StatusOK || got.Counter != c.counter || got.Specialization[0] != c.specialization {
			t.Errorf("%s answered %d %+v", c.body, code, got)
		}
	}
	for body, want := range map[string]fault.Message{
		`{"counter":"1234567890123"}`: counterLong, `{"counter":"3\u0000"}`: counterIllegal, `{}`: specializationMissing,
	} {
		if code, _, got := put(body); code != http.StatusBadRequest || got.Error != want.Sentence {
			t.Errorf("%s answered %d %+v", body, code, got)
		}
	}
	published := f.events(t, contract.ConsultantUpdated)
	if len(published) != 4 {
		t.Fatalf("%d events", len(published))
	}
	after := decode[contract.Consultant](t, published[0].After)
	if before := decode[contract.Consultant](t, published[0].Before); *before.Counter != "" || *after.Counter != "3" {
		t.Errorf("published a change from %q to %q", *before.Counter, *after.Counter)
	}
}

func TestOfficeHasTheWholePolicyOfTheLine(t *testing.T) {
	f := newFront(t)
	published := f.events(t, contract.OfficeLoaded)[0]
	for what, document := range map[string][]byte{
		"the event": published.After, "the API": f.call(t, "", "GET", "/api/office", "").Body.Bytes(),
	} {
		for _, key := range []string{`"queue":`, `"maxBypass":3`, `"return":"after:2"`, `"handPick":true`,
			`"requireCounter":false`, `"nudgeAfterSeconds":120`, `"hours":`} {
			if !strings.Contains(strings.ReplaceAll(string(document), ": ", ":"), key) {
				t.Errorf("%s lacks %s: %s", what, key, document)
			}
		}
	}
}
