package directory

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/office"
)

// An admin sets a service's name and description in each language. Staff and the public page get them.
func TestAServiceIsTranslated(t *testing.T) {
	f := newFront(t)
	w := f.call(t, "admin", "POST", "/api/services", `{"name":"Notice Reply","est_minutes":25,
		"texts":{"kn":{"name":" ನೋಟಿಸ್ ಉತ್ತರ ","description":""},"hi":{"name":"","description":" "}}}`)
	made := decode[serviceAnswer](t, w.Body.Bytes()).Service
	want := map[string]contract.ServiceText{"kn": {Name: "ನೋಟಿಸ್ ಉತ್ತರ"}}
	if w.Code != http.StatusCreated || !reflect.DeepEqual(made.Texts, want) {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	w = f.call(t, "admin", "PUT", "/api/services/"+made.ID, `{"name":"Notice Reply","est_minutes":40}`)
	if kept := decode[serviceAnswer](t, w.Body.Bytes()).Service; !reflect.DeepEqual(kept.Texts, want) {
		t.Errorf("a change without translations answered %d %s", w.Code, w.Body)
	}
	published := len(f.events(t, contract.ServiceUpdated))
	same := `{"name":"Notice Reply","est_minutes":40,"texts":{"kn":{"name":"ನೋಟಿಸ್ ಉತ್ತರ","description":""}}}`
	f.call(t, "admin", "PUT", "/api/services/"+made.ID, same)
	if n := len(f.events(t, contract.ServiceUpdated)); n != published {
		t.Errorf("the same translations published %d events", n-published)
	}
	w = f.call(t, "reception", "GET", "/api/services", "")
	for _, service := range decode[servicesAnswer](t, w.Body.Bytes()).Services {
		if service.ID == made.ID && !reflect.DeepEqual(service.Texts, want) {
			t.Errorf("reception gets %v", service.Texts)
		}
	}
	if public := f.call(t, "", "GET", "/api/office", "").Body.String(); !strings.Contains(public, "ನೋಟಿಸ್ ಉತ್ತರ") {
		t.Error("the public page does not get the translation")
	}
	w = f.call(t, "admin", "PUT", "/api/services/"+made.ID, `{"name":"Notice Reply","est_minutes":40,"texts":{}}`)
	if none := decode[serviceAnswer](t, w.Body.Bytes()).Service; len(none.Texts) != 0 {
		t.Errorf("removed translations are %s", w.Body)
	}
}

func TestAWrongTranslationIsRejected(t *testing.T) {
	f := newFront(t)
	long := strings.Repeat("ಕ", office.MaxServiceName+1)
	for _, texts := range []string{
		`5`, `{"xx":{"name":"a","description":""}}`, `{"kn":{"name":"` + long + `","description":""}}`, `{"kn":"ITR"}`,
		`{"kn":{"name":"a\u0000b","description":""}}`,
		`{"kn":{"name":"","description":"` + strings.Repeat("a", office.MaxServiceDescription+1) + `"}}`,
	} {
		w := f.call(t, "admin", "POST", "/api/services", `{"name":"Notice Reply","est_minutes":25,"texts":`+texts+`}`)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"texts"`) {
			t.Errorf("%.60s answered %d %s", texts, w.Code, w.Body)
		}
	}
}
