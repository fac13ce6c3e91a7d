package auth

import (
	"net/url"
	"strings"
	"testing"

	"baari.dev/services/contract"
)

// A session that was open when its person was deactivated shows the inactive screen, and never works again: activation
// ends it, with those that were begun while the account was inactive. The person signs in anew.
func TestDeactivationEndsSessionsForGood(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	set := func(active string) {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	set("false")
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"isActive":false`)
	o.call(asha.Token, "POST", "/api/auth/update-user", `{"name":"A"}`).want(403, "account_inactive")
	meanwhile := o.signedIn(asha.Email)
	o.call(meanwhile, "GET", "/api/auth/list-accounts", "").want(403, "account_inactive")

	set("true")
	// ASVS 7.4.2
	o.wantEnded(asha.Token, meanwhile)
	for _, token := range []string{asha.Token, meanwhile} {
		o.call(token, "GET", "/api/users/"+asha.ID, "").want(401)
		if published, err := o.Introspect(t.Context(), question(token)); err != nil || published.Active {
			t.Errorf("other services are published %+v, %v", published, err)
		}
	}
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if ended, _ := last.After["sessionIds"].([]any); last.Type != contract.SessionRevoked || len(ended) != 2 || last.Actor.ID != admin.ID {
		t.Errorf("announced %+v", last)
	}
	again := o.signedIn(asha.Email)
	set("true") // no change: nothing ends
	o.call(again, "POST", "/api/auth/update-user", `{"name":"A"}`).want(200)
	o.call(admin.Token, "GET", "/api/auth/get-session", "").want(200, admin.ID)
}

// The first activation after a registration by approval keeps the session of the registration; a later one does not.
func TestFirstApprovalKeepsTheSession(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	asha, admin := o.join("asha"), o.admin("boss")
	set := func(active string) {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":`+active+`}`).want(200)
	}
	o.call(asha.Token, "POST", "/api/auth/update-user", `{"name":"A"}`).want(403, "account_inactive")
	set("true")
	o.call(asha.Token, "POST", "/api/auth/update-user", `{"name":"A"}`).want(200)
	set("false")
	set("true")
	o.wantEnded(asha.Token)
}

// An administrator ends every session of a person, also an own one or an inactive person's; nobody else does.
func TestAdminEndsAllSessions(t *testing.T) {
	o := open(t)
	asha, bina, admin := o.join("asha"), o.join("bina"), o.admin("boss")
	other := o.signedIn(asha.Email)
	end := func(by, id string) reply { return o.call(by, "POST", "/api/users/"+id+"/revoke-sessions", "") }
	end("", asha.ID).want(401)
	end(bina.Token, asha.ID).want(403, "forbidden")
	end(asha.Token, asha.ID).want(403, "forbidden")
	end(admin.Token, newID()).want(404)
	end(admin.Token, "nobody").want(404)
	o.call(other, "GET", "/api/auth/get-session", "").want(200, asha.ID)

	end(admin.Token, asha.ID).want(200, `{"ended":2}`)
	// ASVS 7.4.5
	o.wantEnded(asha.Token, other)
	o.call(bina.Token, "GET", "/api/auth/get-session", "").want(200, bina.ID)
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if ended, _ := last.After["sessionIds"].([]any); last.Type != contract.SessionRevoked || len(ended) != 2 || last.Actor.ID != admin.ID {
		t.Errorf("announced %+v", last)
	}
	end(admin.Token, asha.ID).want(200, `{"ended":0}`)
	if got := len(o.events(asha.ID)); got != len(events) {
		t.Error("announced an end of no session")
	}

	o.call(admin.Token, "PUT", "/api/users/"+bina.ID, `{"isActive":false}`).want(200)
	end(admin.Token, bina.ID).want(200, `{"ended":1}`)
	o.wantEnded(bina.Token)
	end(admin.Token, admin.ID).want(200, `{"ended":1}`)
	o.wantEnded(admin.Token)
}

// A sign-in or sign-up that carries a session cookie ends that session, whosever it is: its cookie is replaced. A bearer,
// an unsigned cookie and a refused sign-in end nothing.
func TestSigningInAgainEndsTheReplacedSession(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	browser := func(token string) []string {
		return []string{"Cookie", cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(token)), "Origin", site}
	}
	o.signedIn(asha.Email, "Authorization", "Bearer "+asha.Token)
	o.signedIn(asha.Email, "Cookie", cookieName+"="+asha.Token, "Origin", site)
	o.call("", "POST", "/api/auth/sign-in/email", `{"email":"asha@example.com","password":"wrong password"}`, browser(asha.Token)...).want(401)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, asha.ID)

	second := o.signedIn(asha.Email, browser(asha.Token)...)
	// ASVS 7.2.4
	o.wantEnded(asha.Token)
	o.call(second, "GET", "/api/auth/get-session", "").want(200, asha.ID)

	third := o.signedIn(bina.Email, browser(second)...)
	o.wantEnded(second)
	o.call(bina.Token, "GET", "/api/auth/get-session", "").want(200, bina.ID)
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if ended, _ := last.After["sessionIds"].([]any); last.Type != contract.SessionRevoked || len(ended) != 1 || last.Actor.ID != bina.ID {
		t.Errorf("announced %+v", last)
	}

	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"C","email":"c@example.com","password":"`+password+`"}`, browser(third)...).want(200)
	o.wantEnded(third)
	if got := o.types(bina.ID); !strings.HasSuffix(got, "session_signed_in session_revoked") {
		t.Errorf("announced %s", got)
	}
}
