package directory

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

func TestRoutesMatchTheAPIDocument(t *testing.T) {
	f := newFront(t)
	f.contract.SameRoutes(t, f.table)
}

// The API document must reject additional and missing fields, because otherwise the contract tests would prove nothing.
func TestContractRejectsExtraOrMissingFields(t *testing.T) {
	f := newFront(t)
	for _, target := range []string{"/api/services", "/api/office"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer token-admin")
		w := httptest.NewRecorder()
		f.table.ServeHTTP(w, r)
		body := w.Body.String()
		check := func(text string) error { return f.contract.Check(r, w.Code, w.Header(), []byte(text)) }
		if err := check(body); err != nil {
			t.Fatalf("the answer does not match the document: %v", err)
		}
		// ASVS 15.3.1
		if check(strings.Replace(body, `"name":`, `"secret":1,"name":`, 1)) == nil {
			t.Errorf("%s: an extra field passed", target)
		}
		if check(strings.Replace(body, `"est_minutes":30,`, ``, 1)) == nil &&
			check(strings.Replace(body, `,"est_minutes":30`, ``, 1)) == nil {
			t.Errorf("%s: a missing field passed", target)
		}
	}
}

func TestUnknownIDsAnswerNotFound(t *testing.T) {
	f := newFront(t)
	services, err := f.Services(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	offered := services[0].ID
	const unknown = "0198f3a0-0000-7000-8000-00000000dead"
	for _, call := range []struct{ method, target, body string }{
		{"PUT", "/api/services/" + unknown, `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/services/not-an-id", `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/services/urn:uuid:" + offered, `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/services/%00", `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/consultants/" + testkit.ID("unknown"), `{"specialization":["GST"]}`},
		{"PUT", "/api/consultants/%00", `{"specialization":["GST"]}`},
		{"PUT", "/api/appointments/" + unknown, `{"status":"done"}`},
		{"PUT", "/api/appointments/x", `{"status":"done"}`},
	} {
		if w := f.call(t, "admin", call.method, call.target, call.body); w.Code != http.StatusNotFound {
			t.Errorf("%s %s answered %d %s", call.method, call.target, w.Code, w.Body)
		}
	}
}

// The service visits fetches records that its projection does not have yet. A token signed by lobby is rejected.
func TestInternalRoutesReturnOneRecord(t *testing.T) {
	f := newFront(t)
	consultant := testkit.ID("rao")
	f.addConsultants(t, consultant)
	url := f.internal(t)
	ask := identity.NewClient(url, testkit.Keys(contract.SourceVisits), contract.SourceDirectory)

	services, err := f.Services(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	var service serviceBody
	if status, err := ask.Call(t.Context(), "GET", "/internal/services/"+services[2].ID, nil, &service); err != nil ||
		status != 200 || !reflect.DeepEqual(service, serviceOf(services[2])) {
		t.Errorf("answered %d %+v, %v", status, service, err)
	}
	var rao contract.Consultant
	if status, err := ask.Call(t.Context(), "GET", "/internal/consultants/"+consultant, nil, &rao); err != nil ||
		status != 200 || rao.Name != "CA Rao" || !rao.IsActive {
		t.Errorf("answered %d %+v, %v", status, rao, err)
	}
	for _, path := range []string{"/internal/services/" + consultant,
		"/internal/services/0198f3a0-0000-7000-8000-00000000dead", "/internal/consultants/unknown",
		"/internal/consultants/%00"} {
		if status, err := ask.Call(t.Context(), "GET", path, nil, &rao); err != nil || status != 404 {
			t.Errorf("%s answered %d, %v", path, status, err)
		}
	}
	other := testkit.Keys(contract.SourceVisits)
	other.Private = testkit.Keys(contract.SourceLobby).Private
	stranger := identity.NewClient(url, other, contract.SourceDirectory)
	if status, err := stranger.Call(t.Context(), "GET", "/internal/consultants/"+consultant, nil, &rao); err != nil ||
		status != 401 {
		t.Errorf("with the key of another service: answered %d, %v", status, err)
	}
}

func TestABodyThatSaysNothingIsRefused(t *testing.T) {
	f := newFront(t)
	f.contract.RefusesBodiesThatSayNothing(t, map[string]string{"id": uuid.NewString(), "language": "en"},
		func(role, method, path, body string) (int, string) {
			token := ""
			if role != "" {
				token = "token-" + role
			}
			w := f.contract.Call(t, f.table, token, method, path, body)
			return w.Code, w.Body.String()
		})
}
