package auth

import (
	"testing"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
)

// T13: a sign-in with a planted cookie creates a session with a new token. The user's other sessions stay.
func TestT13SessionFixationIsImpossible(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	planted := data.NewToken()
	cookie := o.sessionCookie(planted)
	tokens := map[string]bool{planted: true, asha.Token: true}
	for range 3 {
		token := o.signedIn(asha.Email, "Cookie", cookie, "Origin", site)
		// ASVS 7.2.2, 7.2.4
		if tokens[token] {
			t.Fatal("two sign-ins have the same token")
		}
		tokens[token] = true
	}
	delete(tokens, planted)
	for token := range tokens {
		o.getSession(token).want(200, asha.ID)
	}
	o.wantEnded(planted)
}

// T13: the end of a session or a change of its account takes effect for the next request, in auth and in other
// services. A new role or a deactivation does not change the token.
func TestT13ChangesTakeEffectAtOnce(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for name, c := range map[string]struct {
		method, path, body string
		byAdmin            bool
		active             bool // whether the session stays live
	}{
		"sign-out":        {"POST", "/api/auth/sign-out", `{}`, false, false},
		"revoke-session":  {"POST", "/api/auth/revoke-session", `{"token":"{token}"}`, false, false},
		"revoke-sessions": {"POST", "/api/auth/revoke-sessions", `{}`, false, false},
		"password change": {"POST", "/api/auth/change-password",
			`{"currentPassword":"` + password + `","newPassword":"` + newPassword + `","revokeOtherSessions":true}`,
			false, false},
		"deletion":     {"POST", "/api/auth/delete-user", `{"password":"` + password + `"}`, false, false},
		"role change":  {"PUT", "/api/users/{id}", `{"role":"consultant"}`, true, true},
		"deactivation": {"PUT", "/api/users/{id}", `{"isActive":false}`, true, true},
	} {
		p := o.join(name[:4] + name[len(name)-4:])
		by := p.Token
		if c.byAdmin {
			by = admin.Token
		}
		fill := func(text string) string { return replaceAll(text, "{id}", p.ID, "{token}", p.Token) }
		o.call(by, c.method, fill(c.path), fill(c.body)).want(200)
		got, err := o.Introspect(t.Context(), introspectOf(p.Token))
		if err != nil || got.Active != c.active {
			t.Errorf("%s: introspection returned %+v, %v", name, got, err)
			continue
		}
		if !c.active {
			// ASVS 7.4.1
			o.wantEnded(p.Token)
			o.call(p.Token, "GET", "/api/users/"+p.ID, "").want(401)
			continue
		}
		if name == "role change" && got.User.Role != account.Consultant || name == "deactivation" && got.User.IsActive {
			t.Errorf("%s: introspection returned %+v", name, got.User)
		}
		o.getSession(p.Token).want(200, p.Token)
	}
}

// T13: a session expires after the idle limit without use, and after the absolute limit regardless of use.
func TestT13SessionsExpireWhenIdleAndAbsolutely(t *testing.T) {
	o := open(t, func(options *Options) {
		options.Lifetimes.Idle, options.Lifetimes.Absolute = 2*time.Hour, 12*time.Hour
	})
	idle, busy := o.join("idle"), o.join("busy")
	for range 11 {
		o.later(time.Hour)
		o.call(busy.Token, "GET", "/api/users/"+busy.ID, "").want(200)
	}
	// ASVS 7.3.1
	o.call(idle.Token, "GET", "/api/users/"+idle.ID, "").want(401)
	o.later(time.Hour)
	// ASVS 7.3.2
	o.call(busy.Token, "GET", "/api/users/"+busy.ID, "").want(401)
}
