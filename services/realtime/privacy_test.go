package realtime

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/testkit"
)

func TestMessagesThatNameTheSubjectAreErased(t *testing.T) {
	a := newAPI(t, nil)
	for _, message := range []string{"asha deshpande is waiting since ten", "Please call 9811122233", "Lunch is here"} {
		if status, _, _ := a.call(t, contract.RoleReception, http.MethodPost, "/api/stream/notify",
			`{"message":"`+message+`"}`); status != http.StatusAccepted {
			t.Fatalf("%s answered %d", message, status)
		}
	}
	table, err := endpoint.New(endpoint.Deps{Service: contract.SourceRealtime, Keys: testkit.Keys(contract.SourceRealtime),
		Log: slog.New(slog.DiscardHandler)}, a.service.InternalRoutes()...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(table)
	defer server.Close()
	client := identity.NewClient(server.URL, testkit.Keys("operator"), contract.SourceRealtime)
	ask := func(call string, into any) {
		t.Helper()
		person := map[string]any{"phone": "9811122233", "names": []string{"Asha Deshpande", "Al"}}
		if status, err := client.Call(t.Context(), http.MethodPost, "/internal/subject/"+call, person, into); err != nil ||
			status != http.StatusOK {
			t.Fatalf("%s answered %d, %v", call, status, err)
		}
	}
	var stored subjectAnswer
	ask("export", &stored)
	if len(stored.Notifications) != 2 {
		t.Errorf("exported %+v", stored)
	}
	var erased, again privacy.Erased
	ask("erase", &erased)
	ask("erase", &again)
	if len(erased.Erased) != 2 || len(again.Erased) != 0 {
		t.Errorf("erased %v, then %v", erased.Erased, again.Erased)
	}
	if found := a.db.Find(t, "asha deshpande", "9811122233"); len(found) > 0 {
		t.Errorf("not erased: %v", found)
	}
	if len(a.db.Find(t, "Lunch is here")) == 0 {
		t.Error("another message was erased, too")
	}
	if count, last := a.events(t); count != 5 || last.Type != contract.NotificationErased {
		t.Errorf("%d events, the last is %s", count, last.Type)
	}
}
