package auth

import (
	"strings"
	"testing"

	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
)

// A session that began before a deactivation can make only the calls of the screen for inactive users. The next
// activation ends this session and those that began while the account was inactive.
func TestDeactivationEndsSessionsForGood(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	set := func(active string) {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	set("false")
	o.getSession(asha.Token).want(200, `"isActive":false`)
	o.post(asha.Token, "/update-user", `{"name":"A"}`).want(403, "account_inactive")
	meanwhile := o.signedIn(asha.Email)
	o.call(meanwhile, "GET", "/api/auth/list-accounts", "").want(403, "account_inactive")

	set("true")
	// ASVS 7.4.2
	o.wantEnded(asha.Token, meanwhile)
	for _, token := range []string{asha.Token, meanwhile} {
		o.call(token, "GET", "/api/users/"+asha.ID, "").want(401)
		if got, err := o.Introspect(t.Context(), introspectOf(token)); err != nil || got.Active {
			t.Errorf("introspection returned %+v, %v", got, err)
		}
	}
	o.wantLastSessionEvent(asha, contract.SessionRevoked, 2, admin)
	again := o.signedIn(asha.Email)
	set("true") // no change: no session ends
	o.post(again, "/update-user", `{"name":"A"}`).want(200)
	o.getSession(admin.Token).want(200, admin.ID)
}

// If registration requires approval, the first activation keeps the session of the sign-up. A later activation ends it.
func TestFirstApprovalKeepsTheSession(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	asha, admin := o.join("asha"), o.admin("boss")
	set := func(active string) {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	o.post(asha.Token, "/update-user", `{"name":"A"}`).want(403, "account_inactive")
	set("true")
	o.post(asha.Token, "/update-user", `{"name":"A"}`).want(200)
	set("false")
	set("true")
	o.wantEnded(asha.Token)
}

// An administrator can end all sessions of any user, active or not, including the administrator's own. Others cannot.
func TestAdminEndsAllSessions(t *testing.T) {
	o := open(t)
	asha, bina, admin := o.join("asha"), o.join("bina"), o.admin("boss")
	other := o.signedIn(asha.Email)
	end := func(by, id string) reply { return o.call(by, "POST", "/api/users/"+id+"/revoke-sessions", "") }
	end("", asha.ID).want(401)
	end(bina.Token, asha.ID).want(403, "forbidden")
	end(asha.Token, asha.ID).want(403, "forbidden")
	end(admin.Token, data.NewID()).want(404)
	end(admin.Token, "nobody").want(404)
	o.getSession(other).want(200, asha.ID)

	end(admin.Token, asha.ID).want(200, `{"ended":2}`)
	// ASVS 7.4.5
	o.wantEnded(asha.Token, other)
	o.getSession(bina.Token).want(200, bina.ID)
	o.wantLastSessionEvent(asha, contract.SessionRevoked, 2, admin)
	published := o.types(asha.ID)
	end(admin.Token, asha.ID).want(200, `{"ended":0}`)
	if got := o.types(asha.ID); got != published {
		t.Errorf("published %s without an ended session", got)
	}

	o.call(admin.Token, "PUT", "/api/users/"+bina.ID, `{"isActive":false}`).want(200)
	end(admin.Token, bina.ID).want(200, `{"ended":1}`)
	o.wantEnded(bina.Token)
	end(admin.Token, admin.ID).want(200, `{"ended":1}`)
	o.wantEnded(admin.Token)
}

// A sign-in or sign-up replaces the browser's session cookie, so it ends the session of the previous cookie. A bearer
// token, an unsigned cookie and a failed sign-in end no session.
func TestSigningInAgainEndsTheReplacedSession(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	browser := func(token string) []string { return []string{"Cookie", o.sessionCookie(token), "Origin", site} }
	o.signedIn(asha.Email, "Authorization", "Bearer "+asha.Token)
	o.signedIn(asha.Email, "Cookie", cookieName+"="+asha.Token, "Origin", site)
	o.post("", "/sign-in/email", credentials("asha@example.com", "wrong password"), browser(asha.Token)...).want(401)
	o.getSession(asha.Token).want(200, asha.ID)

	second := o.signedIn(asha.Email, browser(asha.Token)...)
	// ASVS 7.2.4
	o.wantEnded(asha.Token)
	o.getSession(second).want(200, asha.ID)

	third := o.signedIn(bina.Email, browser(second)...)
	o.wantEnded(second)
	o.getSession(bina.Token).want(200, bina.ID)
	o.wantLastSessionEvent(asha, contract.SessionRevoked, 1, bina)

	o.post("", "/sign-up/email", registration("c"), browser(third)...).want(200)
	o.wantEnded(third)
	if got := o.types(bina.ID); !strings.HasSuffix(got, "session_signed_in session_revoked") {
		t.Errorf("published %s", got)
	}
}
