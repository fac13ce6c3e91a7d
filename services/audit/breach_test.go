package audit

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// P4: after a breach the trail says who exported which days and who read it, and who people are.
func TestTheTrailSaysWhatHasLeft(t *testing.T) {
	o := newOffice(t)
	own, auth := o.own(t), o.source(t, contract.SourceAuth)
	o.follow(t, own)
	o.follow(t, auth)
	admin := testkit.ID("admin")
	auth.Publish(t, outbox.Change{Type: contract.SessionSignedIn, Entity: contract.EntitySession, EntityID: admin, Actor: &outbox.Actor{ID: admin, Name: "Asha Rao", Email: "asha@example.com", Role: contract.RoleAdmin}})
	for _, target := range []string{"/api/analytics/export?start_date=2026-01-01&end_date=2026-01-31", "/api/analytics/export?start_date=2026-01-01&end_date=2026-01-31", "/api/analytics/audit", "/api/analytics/audit?page=2"} {
		if w := o.call(t, "admin", target); w.Code != http.StatusOK {
			t.Fatalf("%s answered %d %s", target, w.Code, w.Body)
		}
	}
	o.caughtUp(t, own)
	o.caughtUp(t, auth)

	table, err := endpoint.New(endpoint.Deps{Service: contract.SourceAudit, Secret: testkit.ServiceSecret, Log: slog.New(slog.DiscardHandler)}, o.InternalRoutes()...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(table)
	defer server.Close()
	ask := func(path string, body, into any) int {
		t.Helper()
		status, err := identity.NewClient(server.URL, testkit.ServiceSecret, "operator", contract.SourceAudit).Call(t.Context(), http.MethodPost, path, body, into)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	day := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

	var left breachAnswer
	ask("/internal/breach", map[string]string{"from": day(-1), "to": day(1)}, &left)
	if len(left.Exports) != 1 || left.Exports[0].UserID != admin || left.Exports[0].Times != 2 || left.Exports[0].Start != "2026-01-01" || left.Exports[0].End != "2026-01-31" {
		t.Errorf("exported %+v", left.Exports)
	}
	if len(left.Reads) != 1 || left.Reads[0].Times != 2 {
		t.Errorf("read %+v", left.Reads)
	}
	ask("/internal/breach", map[string]string{"from": day(-9), "to": day(-2)}, &left)
	if len(left.Exports)+len(left.Reads) != 0 {
		t.Errorf("before those days %+v", left)
	}
	var who peopleAnswer
	ask("/internal/people", map[string][]string{"ids": {admin, "nobody"}}, &who)
	if len(who.People) != 1 || who.People[0] != (member{admin, "Asha Rao", "asha@example.com", contract.RoleAdmin}) {
		t.Errorf("people are %+v", who.People)
	}
	if status := ask("/internal/breach", map[string]string{"from": "2026-1-1", "to": "x"}, nil); status != http.StatusBadRequest {
		t.Errorf("days that are none answered %d", status)
	}
}
