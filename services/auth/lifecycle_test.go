package auth

import (
	"net/url"
	"testing"
	"time"

	"baari.dev/services/auth/account"
)

// T13: a session is made anew at each sign-in, whatever the browser brought along, and holds beside its owner's others.
func TestT13SessionFixationIsImpossible(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	planted := newToken()
	cookie := cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(planted))
	tokens := map[string]bool{planted: true, asha.Token: true}
	for range 3 {
		token := o.signedIn(asha.Email, "Cookie", cookie, "Origin", site)
		// ASVS 7.2.2, 7.2.4
		if tokens[token] {
			t.Fatal("a token came twice")
		}
		tokens[token] = true
	}
	delete(tokens, planted)
	for token := range tokens {
		o.call(token, "GET", "/api/auth/get-session", "").want(200, asha.ID)
	}
	o.wantEnded(planted)
}

// T13: what ends a session ends it for the very next request, at auth's own calls and where other services ask; what
// changes an account is known to them as soon, and the token stays.
func TestT13ChangesHoldAtOnce(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for name, c := range map[string]struct {
		method, path, body string
		byAdmin            bool
		active             bool // whether the session lives on
	}{
		"sign-out":        {"POST", "/api/auth/sign-out", `{}`, false, false},
		"revoke-session":  {"POST", "/api/auth/revoke-session", `{"token":"{token}"}`, false, false},
		"revoke-sessions": {"POST", "/api/auth/revoke-sessions", `{}`, false, false},
		"password change": {"POST", "/api/auth/change-password", `{"currentPassword":"` + password + `","newPassword":"` + newPassword + `","revokeOtherSessions":true}`, false, false},
		"deletion":        {"POST", "/api/auth/delete-user", `{"password":"` + password + `"}`, false, false},
		"role change":     {"PUT", "/api/users/{id}", `{"role":"consultant"}`, true, true},
		"deactivation":    {"PUT", "/api/users/{id}", `{"isActive":false}`, true, true},
	} {
		p := o.join(name[:4] + name[len(name)-4:])
		by := p.Token
		if c.byAdmin {
			by = admin.Token
		}
		fill := func(text string) string { return replaceAll(text, "{id}", p.ID, "{token}", p.Token) }
		o.call(by, c.method, fill(c.path), fill(c.body)).want(200)
		published, err := o.Introspect(t.Context(), question(p.Token))
		if err != nil || published.Active != c.active {
			t.Errorf("%s: other services are published %+v, %v", name, published, err)
			continue
		}
		if !c.active {
			// ASVS 7.4.1
			o.wantEnded(p.Token)
			o.call(p.Token, "GET", "/api/users/"+p.ID, "").want(401)
			continue
		}
		if name == "role change" && published.User.Role != account.Consultant || name == "deactivation" && published.User.IsActive {
			t.Errorf("%s: other services are published %+v", name, published.User)
		}
		o.call(p.Token, "GET", "/api/auth/get-session", "").want(200, p.Token)
	}
}

// T13: a session ends when nobody has used it for as long as the office allows, and at its absolute end however it is used.
func TestT13IdleAndAbsoluteEnd(t *testing.T) {
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
