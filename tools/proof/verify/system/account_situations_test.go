package system

import (
	"net/http"
	"testing"
)

// accountSituations returns the situations of the requests under /api/auth that concern the caller's own account.
func accountSituations() map[string]situation {
	post := func(call string, body any) func(*testing.T, *office, *person) ask {
		return plain("POST", "/api/auth/"+call, body)
	}
	ownAccount := func(call string) situation {
		return situation{ask: func(t *testing.T, o *office, sender *person) ask {
			return ask{method: "POST", path: "/api/auth/" + call, body: object{"accountId": accountOf(t, o, sender)}}
		}}
	}
	return map[string]situation{
		"GET /api/auth/list-sessions | fresh session": {
			ask: plain("GET", "/api/auth/list-sessions", nil), own: ownSessions,
		},
		"GET /api/auth/list-sessions | session older than 24 h": {
			caller: veteran, ask: plain("GET", "/api/auth/list-sessions", nil),
		},
		"POST /api/auth/revoke-session | own session": {ask: func(t *testing.T, o *office, sender *person) ask {
			return ask{method: "POST", path: "/api/auth/revoke-session", body: object{"token": otherHandle(t, o, sender)}}
		}, own: oneSession},
		"POST /api/auth/revoke-session | another's session": {ask: func(_ *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/auth/revoke-session", body: object{"token": o.consultant.token}}
		}, own: othersLive},
		"POST /api/auth/revoke-sessions": {caller: fresh, ask: post("revoke-sessions", object{}), own: signedOut},
		"POST /api/auth/revoke-other-sessions": {
			caller: fresh, ask: post("revoke-other-sessions", object{}), own: othersLive,
		},
		"POST /api/auth/update-user | name": {ask: asking(func(sender *person) ask {
			return ask{
				method: "POST", path: "/api/auth/update-user",
				body: object{"name": sender.name, "id": "another", "emailVerified": true},
			}
		}), own: unchanged},
		"POST /api/auth/update-user | role or isActive": {ask: post("update-user", object{"role": "admin"})},
		"POST /api/auth/update-user | cookie and foreign Origin": {ask: asking(func(sender *person) ask {
			return ask{
				method: "POST", path: "/api/auth/update-user", body: object{"name": sender.name}, byCookie: true, origin: foreign,
			}
		})},
		"POST /api/auth/change-password | current password": {caller: fresh, ask: post("change-password", object{
			"currentPassword": password, "newPassword": password + "3",
		})},
		"POST /api/auth/change-password | wrong current password": {ask: post("change-password", object{
			"currentPassword": "wrong" + password, "newPassword": password + "3",
		})},
		"POST /api/auth/change-email": {caller: fresh, ask: asking(func(*person) ask {
			return ask{method: "POST", path: "/api/auth/change-email", body: object{"newEmail": address(), "password": password}}
		}), own: unchanged},
		"POST /api/auth/change-email | no password and an old session": {caller: veteran, ask: post("change-email", object{
			"newEmail": address(),
		})},
		"POST /api/auth/stop-email-change": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "POST", path: "/api/auth/stop-email-change", body: object{"token": stopToken(t, o)}}
		}},
		"POST /api/auth/delete-user | password or fresh session": {caller: fresh, ask: post("delete-user", object{
			"password": password,
		}), own: signedOut},
		"POST /api/auth/delete-user | no password and an old session": {caller: veteran, ask: post("delete-user", object{})},
		"GET /api/auth/list-accounts": {
			ask: plain("GET", "/api/auth/list-accounts", nil), own: ownAccounts,
		},
		"GET /api/auth/account-info | own account": {ask: func(t *testing.T, o *office, sender *person) ask {
			return ask{method: "GET", path: "/api/auth/account-info" + query("accountId", accountOf(t, o, sender))}
		}},
		// better-auth 1.3 expects the account id at the provider, which for a password account is the user's id.
		"POST /api/auth/account-info | own account": {ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: "/api/auth/account-info", body: object{"accountId": sender.id}}
		})},
		"POST /api/auth/get-access-token | own account": ownAccount("get-access-token"),
		"POST /api/auth/refresh-token | own account":    ownAccount("refresh-token"),
		"POST /api/auth/unlink-account | own account":   ownAccount("unlink-account"),
		"POST /api/auth/unlink-account | session older than 24 h": {caller: veteran, ask: post("unlink-account", object{
			"accountId": "account",
		})},
		"POST /api/auth/link-social": {ask: post("link-social", object{"provider": "google"})},
	}
}

type listedSession struct{ ID, Token, UserID string }

func sessionsOf(t *testing.T, o *office, sender *person) []listedSession {
	t.Helper()
	var listed []listedSession
	o.way.must(t, sender, http.MethodGet, "/api/auth/list-sessions", nil, &listed)
	return listed
}

// ownSessions checks that the list has only the sender's sessions, and a real token only for the current session.
func ownSessions(t *testing.T, o *office, sender *person, _ reply) {
	other := sender.again(t, o.way)
	real := 0
	for _, session := range sessionsOf(t, o, sender) {
		if session.UserID != sender.id || session.Token == other.token {
			t.Errorf("%s received too much: %+v", sender.what, session)
		}
		if session.Token == sender.token {
			real++
		}
	}
	if real != 1 {
		t.Errorf("%s received its own token %d times", sender.what, real)
	}
	o.way.must(t, sender, http.MethodPost, "/api/auth/revoke-other-sessions", object{}, nil)
}

// otherHandle returns the handle of another session in the sender's list, or any text if the sender has no list.
func otherHandle(t *testing.T, o *office, sender *person) string {
	if sender.role == "" || sender.what != sender.role {
		return "handle"
	}
	sender.again(t, o.way)
	for _, session := range sessionsOf(t, o, sender) {
		if session.Token != sender.token {
			return session.Token
		}
	}
	t.Fatalf("%s has no other session", sender.what)
	return ""
}

func oneSession(t *testing.T, o *office, sender *person, _ reply) {
	if n := len(sessionsOf(t, o, sender)); n != 1 {
		t.Errorf("%s has %d sessions, want the current one", sender.what, n)
	}
}

// othersLive checks that the sessions of the sender and of another user still exist after the request.
func othersLive(t *testing.T, o *office, sender *person, _ reply) {
	for _, person := range []*person{o.consultant, sender} {
		if got := o.way.send(t, person, ask{method: "GET", path: "/api/auth/get-session"}); string(got.body) == "null" {
			t.Errorf("after %s asked, %s has no session", sender.what, person.what)
		}
	}
}

// unchanged checks that the sender has the same id, role and e-mail address, and is active, but not verified.
func unchanged(t *testing.T, o *office, sender *person, _ reply) {
	var answer struct {
		User struct {
			ID, Email, Role         string
			IsActive, EmailVerified bool
		}
	}
	o.way.must(t, sender, http.MethodGet, "/api/auth/get-session", nil, &answer)
	if u := answer.User; u.ID != sender.id || u.Email != sender.email || u.Role != sender.role || !u.IsActive ||
		u.EmailVerified {
		t.Errorf("%s became %+v", sender.what, u)
	}
}

type listedAccount struct{ ID, UserID string }

func ownAccounts(t *testing.T, _ *office, sender *person, got reply) {
	var listed []listedAccount
	got.json(t, &listed)
	if len(listed) != 1 || listed[0].UserID != sender.id {
		t.Errorf("%s sees %s", sender.what, got.body)
	}
}

// accountOf returns the id of sender's password account, or any text if the sender cannot list accounts.
func accountOf(t *testing.T, o *office, sender *person) string {
	if sender.what != sender.role {
		return "account"
	}
	var listed []listedAccount
	o.way.must(t, sender, http.MethodGet, "/api/auth/list-accounts", nil, &listed)
	return listed[0].ID
}
