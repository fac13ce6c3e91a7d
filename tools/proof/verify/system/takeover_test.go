package system

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
)

var (
	confirmLink = regexp.MustCompile(`verify-email[^" ]*token=([A-Za-z0-9._%-]+)`)
	stopLink    = regexp.MustCompile(`stop-email-change\?token=([A-Za-z0-9]+)`)
	resetLink   = regexp.MustCompile(`reset-password/([A-Za-z0-9]+)`)
)

// mustKeepItsAccount checks that a stolen session is not enough to take an account over by changing its e-mail address:
// an old session needs the password, a change that a recent session requested lapses when that session ends, and the
// old address can revert the change.
func mustKeepItsAccount(t *testing.T, w way) {
	t.Helper()
	o := newOffice(t, w)
	taken := object{"newEmail": "", "callbackURL": "/dashboard"}
	open := func(link string) reply {
		return o.way.send(t, nil, ask{method: http.MethodGet, path: "/api/auth/verify-email?token=" + url.QueryEscape(link)})
	}

	old := veteran(t, o, "reception")
	taken["newEmail"] = address()
	if got := o.way.send(t, old, ask{
		method: http.MethodPost, path: "/api/auth/change-email", body: taken,
	}); got.status != http.StatusForbidden {
		t.Errorf("an old session without the password: %d %s", got.status, got.body)
	}

	owner := o.hire(t, "reception")
	thief := owner.again(t, o.way)
	intruder := &person{email: address()}
	taken["newEmail"] = intruder.email
	o.way.must(t, thief, http.MethodPost, "/api/auth/change-email", taken, nil)
	link := mailed(t, o, intruder, confirmLink)
	o.way.must(t, owner, http.MethodPost, "/api/auth/revoke-sessions", object{}, nil)
	if got := open(link); got.status != http.StatusUnauthorized || len(got.header.Values("Set-Cookie")) > 0 ||
		got.header.Get("Set-Auth-Token") != "" {
		t.Errorf("the link outlives its session: %d %s", got.status, got.body)
	}

	victim := o.hire(t, "reception")
	thief = victim.again(t, o.way)
	intruder = &person{email: address()}
	taken["newEmail"] = intruder.email
	o.way.must(t, thief, http.MethodPost, "/api/auth/change-email", taken, nil)
	if got := open(mailed(t, o, intruder, confirmLink)); got.status != http.StatusOK ||
		len(got.header.Values("Set-Cookie")) > 0 || got.header.Get("Set-Auth-Token") != "" {
		t.Errorf("the link signs in: %d %v", got.status, got.header)
	}
	o.way.must(
		t, nil, http.MethodPost, "/api/auth/stop-email-change", object{"token": mailed(t, o, victim, stopLink)}, nil,
	)
	if got := o.way.send(t, thief, ask{
		method: http.MethodGet, path: "/api/auth/get-session",
	}); string(got.body) != "null" {
		t.Errorf("the thief still has a session: %s", got.body)
	}
	reset := object{"token": mailed(t, o, victim, resetLink), "newPassword": password + "4"}
	o.way.must(t, nil, http.MethodPost, "/api/auth/reset-password", reset, nil)
	victim.password = password + "4"
	victim.enter(t, o.way, "/api/auth/sign-in/email")
}
