package auth

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/auth/mailing"
)

const intruder = "intruder@example.com"

// requestEmail requests a change of address. more is appended to the members of the body.
func (o *office) requestEmail(token, email, more string) reply {
	return o.post(token, "/change-email", `{"newEmail":"`+email+`","callbackURL":"/dashboard"`+more+`}`)
}

func (o *office) moveTo(token, email string) {
	o.t.Helper()
	o.requestEmail(token, email, "").want(200)
	o.get(o.confirmation(email, 1)).want(200)
}

// confirmation waits for the nth mail to a new address and returns the path of its confirmation link, without
// callbackURL.
func (o *office) confirmation(email string, nth int) string {
	o.t.Helper()
	return "/api/auth/verify-email?token=" + url.QueryEscape(query(o.t, o.nthMail(email, nth).link(o.t), "token"))
}

// stopToken waits for the nth mail to the old address and returns the token of its stop link.
func (o *office) stopToken(email string, nth int) string {
	o.t.Helper()
	link := o.nthMail(email, nth).link(o.t)
	if !strings.HasPrefix(link, "/stop-email-change?token=") {
		o.t.Fatalf("mail %d to %s links to %s", nth, email, link)
	}
	return query(o.t, link, "token")
}

func (o *office) stop(token string) reply {
	o.t.Helper()
	return o.post("", "/stop-email-change", body("token", token))
}

func (o *office) wantEmail(admin, p person, email string) {
	o.t.Helper()
	o.call(admin.Token, "GET", "/api/users/"+p.ID, "").want(200, `"email":"`+email+`"`)
}

// A session that is at least five minutes old cannot change the address without the password.
func TestChangeEmailRequiresThePasswordOrANewSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * time.Minute)
	// ASVS 7.5.1
	o.requestEmail(asha.Token, intruder, "").wantCode(403, "SESSION_NOT_FRESH")
	// ASVS 7.5.1
	o.requestEmail(asha.Token, intruder, `,"password":"wrong password"`).wantCode(400, "INVALID_PASSWORD")
	o.requestEmail(asha.Token, intruder, `,"password":5`).wantCode(400, "VALIDATION_ERROR")
	long := strings.Repeat("a", 129)
	o.requestEmail(asha.Token, intruder, `,"password":"`+long+`"`).wantCode(400, "PASSWORD_TOO_LONG")
	o.post(asha.Token, "/delete-user", body("password", long)).wantCode(400, "PASSWORD_TOO_LONG")
	o.settle()
	if len(o.mail.mails) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
	o.requestEmail(asha.Token, "asha.verma@example.com", `,"password":"`+password+`"`).want(200)
	o.get(o.confirmation("asha.verma@example.com", 1)).want(200)

	young := o.signedInAs("asha.verma@example.com", password)
	o.later(5*time.Minute - time.Second)
	o.requestEmail(young, "asha@example.com", "").want(200)
	o.later(20 * time.Hour)
	renewed := o.signedInAs("asha.verma@example.com", password)
	o.later(2 * time.Hour)
	o.getSession(renewed).want(200).wantCookie(renewed, cookieAge)
	o.requestEmail(renewed, intruder, "").want(403)
}

// A session that is at least five minutes old cannot delete the account without the password.
func TestDeleteUserRequiresThePasswordOrANewSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * time.Minute)
	// ASVS 7.5.1
	o.post(asha.Token, "/delete-user", `{}`).wantCode(400, "SESSION_EXPIRED")
	o.post(o.signedIn(asha.Email), "/delete-user", `{}`).want(200)
}

// The confirmation link ends after an hour, with the session or the account, and with a new password or a deactivation.
func TestTheConfirmationLinkEndsWithItsSession(t *testing.T) {
	for name, end := range map[string]func(o *office, admin, asha person, stolen string){
		"sign-out": func(o *office, _, _ person, stolen string) {
			o.post(stolen, "/sign-out", `{}`).want(200)
		},
		"revoke-session": func(o *office, _, asha person, stolen string) {
			o.post(asha.Token, "/revoke-session", `{"token":"`+stolen+`"}`).want(200)
		},
		"revoke-sessions": func(o *office, _, asha person, _ string) {
			o.post(asha.Token, "/revoke-sessions", "").want(200)
		},
		"revoke-other-sessions": func(o *office, _, asha person, _ string) {
			o.post(asha.Token, "/revoke-other-sessions", "").want(200)
		},
		"a new password that ends the others": func(o *office, _, asha person, _ string) {
			o.post(asha.Token, "/change-password",
				`{"currentPassword":"`+password+`","newPassword":"`+newPassword+`","revokeOtherSessions":true}`).want(200)
		},
		"a new password that keeps the others": func(o *office, _, asha person, _ string) {
			o.changeTo(asha.Token, password, newPassword).want(200)
		},
		"a reset password": func(o *office, _, asha person, _ string) {
			token := tokenOf(o.resetLink(asha.Email, 2))
			o.resetTo(token, newPassword).want(200)
		},
		"deactivation": func(o *office, admin, asha person, _ string) {
			o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
		},
		"deactivation and reactivation": func(o *office, admin, asha person, _ string) {
			o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
			o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
		},
		"an hour": func(o *office, _, _ person, _ string) { o.later(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			o := open(t)
			admin, asha := o.admin("boss"), o.join("asha")
			stolen := o.signedIn(asha.Email)
			o.requestEmail(stolen, intruder, "").want(200)
			link := o.confirmation(intruder, 1)
			end(o, admin, asha, stolen)
			r := o.get(link).want(401)
			if len(r.cookies()) != 0 || r.header.Get("Set-Auth-Token") != "" {
				t.Errorf("the link creates a session: %v", r.header)
			}
			o.wantEmail(admin, asha, asha.Email)
		})
	}
	t.Run("deletion", func(t *testing.T) {
		o := open(t)
		asha := o.join("asha")
		o.requestEmail(asha.Token, intruder, "").want(200)
		link := o.confirmation(intruder, 1)
		o.post(asha.Token, "/delete-user", `{}`).want(200)
		o.get(link).want(401)
		// ASVS 7.5.1
		if n := o.count(`SELECT count(*) FROM email_changes`); n != 0 {
			t.Errorf("%d changes are still stored", n)
		}
	})
}

// The confirmation link works once, also under concurrent requests, and sets no cookie.
func TestTheConfirmationLinkCreatesNoSession(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	sessions := o.count(`SELECT count(*) FROM sessions`)
	o.requestEmail(asha.Token, "one@example.com", "").want(200)
	link := o.confirmation("one@example.com", 1)
	var race sync.WaitGroup
	replies := make([]reply, 5)
	for i := range replies {
		race.Go(func() { replies[i] = o.get(link) })
	}
	race.Wait()
	good := 0
	for _, r := range replies {
		if r.status == 200 {
			good++
		}
		if len(r.cookies()) != 0 || r.header.Get("Set-Auth-Token") != "" {
			t.Errorf("the link creates a session: %v", r.header)
		}
	}
	if good != 1 {
		t.Errorf("%d of five concurrent requests were accepted", good)
	}
	o.requestEmail(asha.Token, "two@example.com", "").want(200)
	if r := o.call(asha.Token, "GET", o.confirmation("two@example.com", 1), "").want(200); len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.wantEmail(admin, asha, "two@example.com")
	// ASVS 7.6.2
	if n := o.count(`SELECT count(*) FROM sessions`); n != sessions {
		t.Errorf("%d sessions, want %d", n, sessions)
	}
}

// No mail is sent to a taken address. The requester gets the same mails as for a free address.
func TestATakenAddressGetsNoMail(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.join("bina")
	o.requestEmail(asha.Token, "bina@example.com", "").want(200, `{"status":true}`)
	o.requestEmail(asha.Token, "new@example.com", "").want(200, `{"status":true}`)
	o.confirmation("new@example.com", 1)
	if len(o.mail.to(asha.Email)) != 2 || len(o.mail.to("bina@example.com")) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
}

// The confirmation link is sent only after the mail server has accepted the notice to the old address.
func TestTheConfirmationIsSentAfterTheNotice(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.mail.reject(mailing.Tries)
	o.requestEmail(asha.Token, intruder, "").want(200)
	o.mail.awaitRejected(t)
	o.settle()
	if n := len(o.mail.to(asha.Email)) + len(o.mail.to(intruder)); n != 0 {
		t.Errorf("%d mails were sent", n)
	}
	o.mail.reject(mailing.Tries - 1)
	o.requestEmail(asha.Token, intruder, "").want(200)
	o.confirmation(intruder, 1)
	if n := len(o.mail.to(asha.Email)); n != 1 {
		t.Errorf("%d notices", n)
	}
}

// The events name the requester of a change and the addresses before and after it. A stopped change has an event, too.
func TestAnEmailChangePublishesEvents(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.requestEmail(asha.Token, "new@example.com", "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.requestEmail(asha.Token, "other@example.com", "").want(200)
	o.stopToken(asha.Email, 2)
	o.get(o.confirmation("new@example.com", 1)).want(200)
	o.stop(token).want(200)
	got := o.types(asha.ID)
	if !strings.HasSuffix(got, "user_email_change_requested user_email_change_requested user_email_changed "+
		"user_email_change_stopped session_revoked") {
		t.Fatalf("published %s", got)
	}
	events := o.events(asha.ID)
	events = events[len(events)-5:]
	for i, want := range []struct{ before, after, pending any }{
		{"asha@example.com", "asha@example.com", "new@example.com"},
		{"asha@example.com", "asha@example.com", "other@example.com"},
		{"asha@example.com", "new@example.com", nil},
		{"new@example.com", "asha@example.com", nil},
	} {
		e := events[i]
		if e.Before["email"] != want.before || e.After["email"] != want.after || e.After["pendingEmail"] != want.pending {
			t.Errorf("%s: %v, then %v", e.Type, e.Before, e.After)
		}
		if e.Actor == nil || e.Actor.ID != asha.ID {
			t.Errorf("%s: by %+v", e.Type, e.Actor)
		}
	}
	for i := 1; i < 4; i++ {
		if events[i].Version != events[i-1].Version+1 {
			t.Errorf("versions %d, %d", events[i-1].Version, events[i].Version)
		}
	}
}

// The link mailed to the new address changes the address, once. A taken address gets no mail.
func TestAnEmailChangeIsConfirmedByALink(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.join("bina")
	change := func(to string) reply {
		return o.post(asha.Token, "/change-email", `{"newEmail":"`+to+`","callbackURL":"/dashboard"}`)
	}
	change("ASHA@example.com").want(400, "Email is the same")
	change("new").want(400, "[body.newEmail] Invalid email address")
	change("bina@example.com").want(200, `{"status":true}`)
	change("New@example.com").want(200, `{"status":true}`)
	link := o.nthMail("new@example.com", 1).link(t)
	if len(o.mail.to("bina@example.com")) != 0 || !strings.Contains(link, "callbackURL=%2Fdashboard") {
		t.Errorf("the link is %s, mailed %v", link, o.mail.mails)
	}
	o.getSession(asha.Token).want(200, `"email":"asha@example.com"`)

	token := url.QueryEscape(query(t, link, "token"))
	bina := o.signedIn("bina@example.com")
	o.call(bina, "GET", "/api/auth/verify-email?token="+token, "").wantCode(401, "INVALID_USER")
	r := o.get("/api/auth/verify-email?token="+token).
		want(200, `"email":"new@example.com"`, `"emailVerified":true`)
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.getSession(asha.Token).want(200, `"email":"new@example.com"`)
	o.get("/api/auth/verify-email?token="+token).wantCode(401, "USER_NOT_FOUND")
	if got := o.location(link); got != "/dashboard?error=USER_NOT_FOUND" {
		t.Errorf("a repeated link redirects to %s", got)
	}
	if got := o.types(asha.ID); !strings.Contains(got, "user_email_changed") {
		t.Errorf("published %s", got)
	}
	o.signedIn("new@example.com")
}

func query(t *testing.T, link, name string) string {
	t.Helper()
	parsed, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Query().Get(name)
}

func TestAnOlderConfirmationLinkIsInvalid(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, to := range []string{"one@example.com", "two@example.com"} {
		o.post(asha.Token, "/change-email", `{"newEmail":"`+to+`"}`).want(200)
		o.nthMail(to, 1)
	}
	o.get(o.nthMail("one@example.com", 1).link(t)).want(302)
	o.get("/api/auth/verify-email?token=" + query(t, o.nthMail("two@example.com", 1).link(t), "token")).want(401)
	o.getSession(asha.Token).want(200, `"email":"one@example.com"`)
}

func TestAPendingEmailChangeEndsWithThePassword(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.post(asha.Token, "/change-email", `{"newEmail":"intruder@example.com"}`).want(200)
	link := o.nthMail("intruder@example.com", 1).link(t)
	o.changeTo(asha.Token, password, newPassword).want(200)
	r := o.get("/api/auth/verify-email?token="+query(t, link, "token")).wantCode(401, "INVALID_TOKEN")
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.getSession(asha.Token).want(200, `"email":"asha@example.com"`)
}
