package directory

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/office"
)

// A new database has the checklists of the office file, in every language.
func TestServicesOfTheOfficeFileHaveChecklists(t *testing.T) {
	f := newFront(t)
	w := f.call(t, "reception", "GET", "/api/services", "")
	for _, service := range decode[servicesAnswer](t, w.Body.Bytes()).Services {
		if len(service.Documents) == 0 {
			t.Errorf("%s has no checklist", service.Name)
		}
		for _, document := range service.Documents {
			if len(document.Labels) != len(office.Languages)-1 {
				t.Errorf("%s of %s has %d labels", document.Label, service.Name, len(document.Labels))
			}
		}
	}
	if public := f.call(t, "", "GET", "/api/office", "").Body.String(); strings.Contains(public, "PAN card") {
		t.Error("the public document has the checklists")
	}
}

// An admin edits the checklist of a service. A paper keeps its key when its label changes.
func TestAChecklistIsEdited(t *testing.T) {
	f := newFront(t)
	w := f.call(t, "admin", "POST", "/api/services", `{"name":"Notice Reply","est_minutes":25,
		"documents":[{"label":" Notice ","required":true,"labels":{"kn":" ನೋಟಿಸ್ ","hi":" "}},
		{"key":"pan","label":"PAN card"}]}`)
	made := decode[serviceAnswer](t, w.Body.Bytes()).Service
	if w.Code != http.StatusCreated || len(made.Documents) != 2 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	key := made.Documents[0].Key
	want := []contract.ServiceDocument{
		{Key: key, Label: "Notice", Required: true, Labels: map[string]string{"kn": "ನೋಟಿಸ್"}},
		{Key: "pan", Label: "PAN card", Labels: map[string]string{}},
	}
	if !reflect.DeepEqual(made.Documents, want) || !office.ValidDocumentKey(key) {
		t.Errorf("the checklist is %+v", made.Documents)
	}
	save := func(documents string) serviceBody {
		t.Helper()
		w := f.call(t, "admin", "PUT", "/api/services/"+made.ID, `{"name":"Notice Reply","est_minutes":25`+documents+`}`)
		if w.Code != http.StatusOK {
			t.Fatalf("answered %d %s", w.Code, w.Body)
		}
		return decode[serviceAnswer](t, w.Body.Bytes()).Service
	}
	published := len(f.events(t, contract.ServiceUpdated))
	same := `,"documents":[{"key":"` + key + `","label":"Notice","required":true,"labels":{"kn":"ನೋಟಿಸ್"}},` +
		`{"key":"pan","label":"PAN card"}]`
	if kept := save(""); !reflect.DeepEqual(kept.Documents, want) {
		t.Errorf("a change without a checklist made it %+v", kept.Documents)
	}
	save(same)
	if n := len(f.events(t, contract.ServiceUpdated)); n != published {
		t.Errorf("the same checklist published %d events", n-published)
	}
	renamed := save(strings.Replace(same, `"Notice"`, `"Notice of the department"`, 1))
	if renamed.Documents[0].Key != key {
		t.Errorf("the renamed paper is %+v", renamed.Documents[0])
	}
	if none := save(`,"documents":[]`); len(none.Documents) != 0 {
		t.Errorf("the removed checklist is %+v", none.Documents)
	}
}

func TestAWrongChecklistIsRejected(t *testing.T) {
	f := newFront(t)
	long := strings.Repeat("ಕ", office.MaxDocumentLabel+1)
	for _, documents := range []string{
		`5`, `["pan"]`, `[{"label":""}]`, `[{"label":"` + long + `"}]`, `[{"label":"a\u0000b"}]`,
		`[{"key":"A b","label":"PAN"}]`,
		`[{"key":"pan","label":"PAN"},{"key":"pan","label":"PAN"}]`, `[{"label":"PAN","labels":{"xx":"PAN"}}]`,
		`[{"label":"PAN","labels":{"kn":"` + long + `"}}]`, `[` + strings.Repeat(`{"label":"PAN"},`, 30) + `{"label":"PAN"}]`,
	} {
		w := f.call(t, "admin", "POST", "/api/services", `{"name":"Notice Reply","est_minutes":25,"documents":`+documents+`}`)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"documents"`) {
			t.Errorf("%.60s answered %d %s", documents, w.Code, w.Body)
		}
	}
}
