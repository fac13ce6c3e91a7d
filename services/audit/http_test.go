package audit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baari.dev/services/contract"
)

func TestRoutesMatchTheAPIDocument(t *testing.T) {
	o := newOffice(t)
	o.contract.SameRoutes(t, o.table)
}

// The API document must reject additional and missing fields, because otherwise the contract tests would prove nothing.
func TestContractRejectsExtraOrMissingFields(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	visits.Publish(t, newDay(t, 1).Events(5)...)
	o.caughtUp(t, visits)
	for target, change := range map[string][2]string{
		"/api/analytics/dashboard": {`"denied_visits":0`, `"new_visits":`},
		"/api/analytics/audit":     {`"ipAddress":"192.0.2.7",`, `"entityId":`},
		"/api/analytics/backup":    {`"at":null`, `"at":`},

		"/api/analytics/consultants/unknown": {`"denied_visits":0`, `"new_visits":`},
	} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer token-admin")
		w := httptest.NewRecorder()
		o.table.ServeHTTP(w, r)
		body := w.Body.String()
		check := func(text string) error { return o.contract.Check(r, w.Code, w.Header(), []byte(text)) }
		if err := check(body); err != nil {
			t.Fatalf("the answer does not match the document: %v", err)
		}
		less := strings.NewReplacer(","+change[0], "", change[0], "").Replace(body)
		more := strings.Replace(body, change[1], `"secret":1,`+change[1], 1)
		if less == body || more == body {
			t.Fatalf("%s answered %s", target, body)
		}
		// ASVS 15.3.1
		if check(more) == nil {
			t.Errorf("%s: an extra field passed", target)
		}
		if check(less) == nil {
			t.Errorf("%s: a missing field passed", target)
		}
	}
}

func TestAnalyticsRequireTheirRoles(t *testing.T) {
	o := newOffice(t)
	for target, allowed := range map[string]string{
		"/api/analytics/dashboard":               "reception pa consultant admin",
		"/api/analytics/audit":                   "admin",
		"/api/analytics/export":                  "admin",
		"/api/analytics/consultants/unknown":     "admin",
		"/api/analytics/services/" + someService: "admin",
		"/api/analytics/period":                  "admin",
		"/api/analytics/register":                "admin",
		"/api/analytics/backup":                  "admin",
	} {
		if w := o.call(t, "", target); w.Code != http.StatusUnauthorized {
			t.Errorf("%s without a session answered %d", target, w.Code)
		}
		for _, role := range []string{"reception", "pa", "consultant", "admin"} {
			want := http.StatusForbidden
			if strings.Contains(allowed, role) {
				want = http.StatusOK
			}
			// ASVS 16.4.2
			if w := o.call(t, role, target); w.Code != want {
				t.Errorf("%s as %s answered %d, want %d", target, role, w.Code, want)
			}
		}
	}
}
