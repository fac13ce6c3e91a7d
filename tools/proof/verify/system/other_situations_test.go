package system

import (
	"testing"
)

// otherSituations returns the situations of analytics, the stream, telemetry, and paths that the gateway never routes.
func otherSituations() map[string]situation {
	stream := func(pairs func(sender *person) []string) situation {
		return situation{ask: asking(func(sender *person) ask {
			return ask{method: "GET", path: "/api/stream" + query(pairs(sender)...)}
		})}
	}
	another := map[string]string{"reception": "pa", "pa": "reception", "consultant": "admin", "admin": "pa", "": "admin",
		"display": "admin"}
	all := map[string]situation{
		"GET /api/analytics/dashboard": {ask: plain("GET", "/api/analytics/dashboard", nil)},
		"GET /api/analytics/audit":     {ask: plain("GET", "/api/analytics/audit", nil)},
		"GET /api/analytics/export":    {ask: plain("GET", "/api/analytics/export", nil)},
		"GET /api/analytics/export | session older than 10 min": {
			caller: seasoned, ask: plain("GET", "/api/analytics/export", nil),
		},
		"GET /api/analytics/consultants/{id}": {ask: plain("GET", "/api/analytics/consultants/"+unknownUser, nil)},
		"GET /api/analytics/services/{id}":    {ask: plain("GET", "/api/analytics/services/"+unknownRecord, nil)},
		"GET /api/analytics/period":           {ask: plain("GET", "/api/analytics/period", nil)},
		"GET /api/analytics/register":         {ask: plain("GET", "/api/analytics/register", nil)},
		"GET /api/analytics/backup":           {ask: plain("GET", "/api/analytics/backup", nil)},
		"GET /api/stream | own role and id": stream(func(sender *person) []string {
			return []string{"role", sender.role, "user_id", sender.id}
		}),
		"GET /api/stream | another role and own id": stream(func(sender *person) []string {
			return []string{"role", another[sender.role], "user_id", sender.id}
		}),
		"GET /api/stream | role or id missing": stream(func(sender *person) []string {
			return []string{"user_id", sender.id}
		}),
		"GET /api/stream | own role and another's id": {ask: func(_ *testing.T, o *office, sender *person) ask {
			return ask{method: "GET", path: "/api/stream" + query("role", sender.role, "user_id", o.consultant.id)}
		}},
		"POST /api/stream/notify": {ask: plain("POST", "/api/stream/notify", object{
			"message": "Tea is ready", "sender": "Somebody else",
		})},
		"GET /api/stream/notifications": {ask: plain("GET", "/api/stream/notifications", nil), own: ownNotifications},
		"POST /api/telemetry": {ask: plain("POST", "/api/telemetry", object{
			"items": []object{{"kind": "vital", "name": "LCP", "value": 1200}},
		})},
	}
	for _, kind := range []string{"consultants", "services"} {
		all["GET /api/analytics/"+kind+"/{id}"] = situation{ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{
				method: "GET",
				path: "/api/analytics/" + kind + "/" + map[string]string{
					"consultants": o.consultant.id, "services": o.serviceID,
				}[kind],
			}
		}}
	}
	for _, path := range []string{
		"/healthz", "/readyz", "/metrics", "/internal/events", "/internal/audit-anchors", "/internal/line",
	} {
		all["GET "+path] = situation{ask: plain("GET", path, nil)}
	}
	for _, path := range []string{
		"/internal/introspect", "/internal/sessions/active", "/internal/sessions/end", "/internal/admins",
		"/internal/import", "/internal/audit-anchors", "/internal/audit/verify",
	} {
		all["POST "+path] = situation{ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: path, body: object{"token": sender.token}}
		})}
	}
	for call, body := range map[string]object{
		"visitor": {"action": "left"}, "withdraw": {"purpose": "messages"}, "requests": {"kind": "access", "last4": "0000"},
	} {
		all["POST /internal/visits/{id}/"+call] = situation{ask: plain(
			"POST", "/internal/visits/"+unknownRecord+"/"+call, body,
		)}
	}
	for _, kind := range []string{"services", "consultants"} {
		all["GET /internal/"+kind+"/{id}"] = situation{ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "GET", path: "/internal/" + kind + "/" + o.serviceID}
		}}
	}
	return all
}

// ownNotifications checks that a user's list has a notification for the user's role, and none for other roles.
func ownNotifications(t *testing.T, o *office, sender *person, _ reply) {
	var sent struct{ Notification struct{ ID string } }
	for _, role := range roles {
		o.way.must(
			t, o.admin, "POST", "/api/stream/notify", object{"message": "For " + role, "target_roles": []string{role}},
			&sent,
		)
		var list struct{ Notifications []struct{ ID string } }
		o.way.must(t, sender, "GET", "/api/stream/notifications", nil, &list)
		seen := len(list.Notifications) > 0 && list.Notifications[0].ID == sent.Notification.ID
		if seen != (role == sender.role) {
			t.Errorf("%s received a notification for %s: %v", sender.what, role, seen)
		}
	}
}
