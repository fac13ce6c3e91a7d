package system

import (
	"net/http"
	"testing"
)

func privacySituations() map[string]situation {
	received := object{"kind": "access", "phone": "9845012345", "text": "What do you hold?"}
	all := map[string]situation{
		"POST /api/privacy/requests": {ask: plain(http.MethodPost, "/api/privacy/requests", received)},
		"PUT /api/privacy/requests/{id}": {ask: func(t *testing.T, o *office, _ *person) ask {
			var made struct{ Request struct{ ID string } }
			o.way.must(t, o.admin, http.MethodPost, "/api/privacy/requests", received, &made)
			return ask{
				method: http.MethodPut, path: "/api/privacy/requests/" + made.Request.ID,
				body: object{"state": "answered", "answer": "Sent by post"},
			}
		}},
		"PUT /api/privacy/requests/{id} | unknown id": {ask: plain(http.MethodPut, "/api/privacy/requests/"+unknownRecord,
			object{"state": "answered", "answer": "Sent by post"})},
		"GET /api/privacy/uses": {ask: plain(http.MethodGet, "/api/privacy/uses?from=2026-11-01&to=2026-11-30", nil)},
	}
	find := object{"action": "find", "phone": "9845012345", "reason": "request"}
	kit := object{"from": "2026-11-01", "to": "2026-11-02", "what": "A test", "noticed_at": "2026-11-03T04:30:00.000Z"}
	for age, caller := range map[string]func(*testing.T, *office, string) *person{"younger": fresh, "older": seasoned} {
		variant := " | session " + age + " than 10 min"
		all["POST /api/privacy/subject"+variant] = situation{
			caller: caller, ask: plain(http.MethodPost, "/api/privacy/subject", find),
		}
		all["POST /api/privacy/breach"+variant] = situation{
			caller: caller, ask: plain(http.MethodPost, "/api/privacy/breach", kit),
		}
		all["GET /api/privacy/subject/{id}"+variant] = situation{caller: caller, ask: readsErasure}
	}
	return all
}

// readsErasure returns a request for the progress of an erasure that finds no data.
func readsErasure(t *testing.T, o *office, _ *person) ask {
	var begun struct{ Erasure struct{ ID string } }
	o.way.must(t, fresh(t, o, "admin"), http.MethodPost, "/api/privacy/subject", object{
		"action": "erase", "phone": "9845000001", "reason": "mistake",
	}, &begun)
	return ask{method: http.MethodGet, path: "/api/privacy/subject/" + begun.Erasure.ID}
}

// seasoned creates a user whose session began eleven minutes ago.
func seasoned(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := fresh(t, o, column)
	o.behind(t, "auth", `UPDATE sessions SET created_at = created_at - interval '11 minutes' WHERE user_id = $1`, p.id)
	return p
}
