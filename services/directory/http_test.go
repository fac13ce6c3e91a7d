package directory

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

func TestTheRoutesAreTheDocuments(t *testing.T) {
	f := newFront(t)
	f.contract.SameRoutes(t, f.table)
}

// A document that lets an extra or a missing field pass would prove nothing: both are refused.
func TestAnAnswerWithAFieldMoreOrLessIsRefused(t *testing.T) {
	f := newFront(t)
	for _, target := range []string{"/api/services", "/api/office"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer token-admin")
		w := httptest.NewRecorder()
		f.table.ServeHTTP(w, r)
		body := w.Body.String()
		check := func(text string) error { return f.contract.Check(r, w.Code, w.Header(), []byte(text)) }
		if err := check(body); err != nil {
			t.Fatalf("the answer itself is refused: %v", err)
		}
		// ASVS 15.3.1
		if check(strings.Replace(body, `"name":`, `"secret":1,"name":`, 1)) == nil {
			t.Errorf("%s: an extra field passed", target)
		}
		if check(strings.Replace(body, `"est_minutes":30,`, ``, 1)) == nil && check(strings.Replace(body, `,"est_minutes":30`, ``, 1)) == nil {
			t.Errorf("%s: a missing field passed", target)
		}
	}
}

func TestWhatIsUnknownIsNotFound(t *testing.T) {
	f := newFront(t)
	const nobody = "0198f3a0-0000-7000-8000-00000000dead"
	for _, call := range []struct{ method, target, body string }{
		{"PUT", "/api/services/" + nobody, `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/services/not-an-id", `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/services/%00", `{"name":"a","est_minutes":1}`},
		{"PUT", "/api/consultants/" + testkit.ID("nobody"), `{"specialization":["GST"]}`},
		{"PUT", "/api/consultants/%00", `{"specialization":["GST"]}`},
		{"PUT", "/api/appointments/" + nobody, `{"status":"done"}`},
		{"PUT", "/api/appointments/x", `{"status":"done"}`},
	} {
		if w := f.call(t, "admin", call.method, call.target, call.body); w.Code != http.StatusNotFound {
			t.Errorf("%s %s answered %d %s", call.method, call.target, w.Code, w.Body)
		}
	}
}

// Visits asks for ids its copy does not know; nobody else can.
func TestOtherServicesAskForOne(t *testing.T) {
	f := newFront(t)
	consultant := testkit.ID("rao")
	if _, err := f.db.Pool.Exec(t.Context(), `INSERT INTO consultants VALUES ($1, 'CA Rao', '{GST}', true)`, consultant); err != nil {
		t.Fatal(err)
	}
	table, err := endpoint.New(endpoint.Deps{Service: contract.SourceDirectory, Secret: testkit.ServiceSecret, Log: slog.New(slog.DiscardHandler)}, f.InternalRoutes()...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(table)
	defer server.Close()
	ask := identity.NewClient(server.URL, testkit.ServiceSecret, contract.SourceVisits, contract.SourceDirectory)

	services, err := f.Services(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	var service serviceBody
	if status, err := ask.Call(t.Context(), "GET", "/internal/services/"+services[2].ID, nil, &service); err != nil || status != 200 || service != serviceOf(services[2]) {
		t.Errorf("answered %d %+v, %v", status, service, err)
	}
	var rao contract.Consultant
	if status, err := ask.Call(t.Context(), "GET", "/internal/consultants/"+consultant, nil, &rao); err != nil || status != 200 || rao.Name != "CA Rao" || !rao.IsActive {
		t.Errorf("answered %d %+v, %v", status, rao, err)
	}
	for _, path := range []string{"/internal/services/" + consultant, "/internal/services/0198f3a0-0000-7000-8000-00000000dead", "/internal/consultants/nobody", "/internal/consultants/%00"} {
		if status, err := ask.Call(t.Context(), "GET", path, nil, &rao); err != nil || status != 404 {
			t.Errorf("%s answered %d, %v", path, status, err)
		}
	}
	stranger := identity.NewClient(server.URL, "another secret of thirty-two characters", contract.SourceVisits, contract.SourceDirectory)
	if status, err := stranger.Call(t.Context(), "GET", "/internal/consultants/"+consultant, nil, &rao); err != nil || status != 401 {
		t.Errorf("a stranger was answered %d, %v", status, err)
	}
}
