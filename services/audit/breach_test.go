package audit

import (
	"net/http"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/testkit"
)

// A breach report lists the reads of the trail, and the exports with their days. It takes the names of users from the
// trail.
func TestBreachReportListsExportsAndReads(t *testing.T) {
	o := newOffice(t)
	own, auth := o.own(t), o.source(t, contract.SourceAuth)
	o.follow(t, own)
	o.follow(t, auth)
	admin := testkit.ID("admin")
	auth.Publish(t, outbox.Change{Type: contract.SessionSignedIn, Entity: contract.EntitySession, EntityID: admin,
		Actor: &outbox.Actor{ID: admin, Name: "Asha Rao", Email: "asha@example.com", Role: contract.RoleAdmin}})
	for _, target := range []string{"/api/analytics/export?start_date=2026-01-01&end_date=2026-01-31",
		"/api/analytics/export?start_date=2026-01-01&end_date=2026-01-31", "/api/analytics/audit",
		"/api/analytics/audit?page=2"} {
		if w := o.call(t, "admin", target); w.Code != http.StatusOK {
			t.Fatalf("%s answered %d %s", target, w.Code, w.Body)
		}
	}
	o.caughtUp(t, own)
	o.caughtUp(t, auth)

	client := identity.NewClient(o.internal(t), testkit.Keys(contract.SourceVisits), contract.SourceAudit)
	ask := func(path string, body, into any) int {
		t.Helper()
		status, err := client.Call(t.Context(), http.MethodPost, path, body, into)
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	day := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

	var report breachAnswer
	ask("/internal/breach", map[string]string{"from": day(-1), "to": day(1)}, &report)
	if len(report.Exports) != 1 || report.Exports[0].UserID != admin || report.Exports[0].Times != 2 ||
		report.Exports[0].Start != "2026-01-01" || report.Exports[0].End != "2026-01-31" {
		t.Errorf("exports are %+v", report.Exports)
	}
	if len(report.Reads) != 1 || report.Reads[0].Times != 2 {
		t.Errorf("reads are %+v", report.Reads)
	}
	if report.Exports[0].Rows != 0 {
		t.Errorf("an export of a day without visits has %d rows", report.Exports[0].Rows)
	}
	var uses, earlier privacy.Uses
	ask("/internal/uses", map[string]string{"from": day(-1), "to": day(1)}, &uses)
	if len(uses.Uses) != 2 || uses.Uses[0].Call != "export" || uses.Uses[1].Call != "trail" || uses.Uses[0].Times != 2 ||
		uses.Uses[0].UserID != admin || uses.Uses[0].Role != contract.RoleAdmin || uses.Uses[1].Times != 2 {
		t.Errorf("uses are %+v", uses.Uses)
	}
	ask("/internal/uses", map[string]string{"from": day(-9), "to": day(-2)}, &earlier)
	if len(earlier.Uses) != 0 {
		t.Errorf("for an earlier period: %+v", earlier.Uses)
	}
	ask("/internal/breach", map[string]string{"from": day(-9), "to": day(-2)}, &report)
	if len(report.Exports)+len(report.Reads) != 0 {
		t.Errorf("for an earlier period, reported %+v", report)
	}
	var users peopleAnswer
	ask("/internal/people", map[string][]string{"ids": {admin, "unknown"}}, &users)
	if len(users.People) != 1 || users.People[0] != (member{admin, "Asha Rao", "asha@example.com", contract.RoleAdmin}) {
		t.Errorf("people are %+v", users.People)
	}
	invalid := map[string]string{"from": "2026-1-1", "to": "x"}
	if status := ask("/internal/breach", invalid, nil); status != http.StatusBadRequest {
		t.Errorf("invalid days answered %d", status)
	}
}

func TestPeopleAreNamedByTheirOwnLatestRecord(t *testing.T) {
	o := newOffice(t)
	auth := o.source(t, contract.SourceAuth)
	o.follow(t, auth)
	signedIn := func(name string) outbox.Change {
		return outbox.Change{Type: contract.SessionSignedIn, Entity: contract.EntitySession, EntityID: "rao",
			Actor: &outbox.Actor{ID: "rao", Name: name, Email: "rao@example.com", Role: contract.RoleConsultant}}
	}
	auth.Publish(t, signedIn("R. Sharma"), signedIn("R. Rao"), outbox.Change{
		Type: contract.UserRoleChanged, Entity: contract.EntityUser, EntityID: "rao",
		Actor: &outbox.Actor{ID: "asha", Name: "Asha", Email: "asha@example.com", Role: contract.RoleAdmin},
	})
	o.caughtUp(t, auth)
	people, err := o.store.people(t.Context(), []string{"rao"})
	want := member{"rao", "R. Rao", "rao@example.com", contract.RoleConsultant}
	if err != nil || len(people) != 1 || people[0] != want {
		t.Errorf("people are %+v: %v", people, err)
	}
}
