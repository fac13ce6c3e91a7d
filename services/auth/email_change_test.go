package auth

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const intruder = "intruder@example.com"

// requestChange asks for a new address with a session and returns the reply.
func (o *office) requestEmail(token, email, more string) reply {
	return o.call(token, "POST", "/api/auth/change-email", `{"newEmail":"`+email+`","callbackURL":"/dashboard"`+more+`}`)
}

// confirmation waits for the nth confirmation link sent to an address and returns its path without callbackURL.
func (o *office) confirmation(email string, nth int) string {
	o.t.Helper()
	return "/api/auth/verify-email?token=" + url.QueryEscape(query(o.t, o.letter(email, nth).link(o.t), "token"))
}

// stopToken waits for the nth mail to the old address and returns the token of its stop link.
func (o *office) stopToken(email string, nth int) string {
	o.t.Helper()
	link := o.letter(email, nth).link(o.t)
	if !strings.HasPrefix(link, "/stop-email-change?token=") {
		o.t.Fatalf("mail %d to %s links to %s", nth, email, link)
	}
	return query(o.t, link, "token")
}

func (o *office) stop(token string) reply {
	return o.call("", "POST", "/api/auth/stop-email-change", `{"token":"`+token+`"}`)
}

// wantEmail fails unless an administrator sees the address on the account.
func (o *office) wantEmail(admin, p person, email string) {
	o.t.Helper()
	o.call(admin.Token, "GET", "/api/users/"+p.ID, "").want(200, `"email":"`+email+`"`)
}

// A session of five minutes or more cannot move the account to another address without the password.
func TestChangeEmailAsksForThePasswordOrANewSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * time.Minute)
	// ASVS 7.5.1
	if r := o.requestEmail(asha.Token, intruder, "").want(403); r.code() != "SESSION_NOT_FRESH" {
		t.Errorf("without a password: %s", r.body)
	}
	// ASVS 7.5.1
	if r := o.requestEmail(asha.Token, intruder, `,"password":"wrong password"`).want(400); r.code() != "INVALID_PASSWORD" {
		t.Errorf("with a wrong one: %s", r.body)
	}
	if r := o.requestEmail(asha.Token, intruder, `,"password":5`).want(400); r.code() != "VALIDATION_ERROR" {
		t.Errorf("with none: %s", r.body)
	}
	o.settle()
	if len(o.mail.mails) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
	o.requestEmail(asha.Token, "asha.verma@example.com", `,"password":"`+password+`"`).want(200)
	o.call("", "GET", o.confirmation("asha.verma@example.com", 1), "").want(200)

	young := o.signedInAs("asha.verma@example.com", password)
	o.later(5*time.Minute - time.Second)
	o.requestEmail(young, "asha@example.com", "").want(200)
	o.later(20 * time.Hour)
	renewed := o.signedInAs("asha.verma@example.com", password)
	o.later(2 * time.Hour)
	o.call(renewed, "GET", "/api/auth/get-session", "").want(200).wantCookie(renewed, cookieAge)
	o.requestEmail(renewed, intruder, "").want(403)
}

// An account is not deleted by a session of five minutes or more without the password.
func TestDeleteUserAsksForThePasswordOrANewSession(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * time.Minute)
	// ASVS 7.5.1
	if r := o.call(asha.Token, "POST", "/api/auth/delete-user", `{}`).want(400); r.code() != "SESSION_EXPIRED" {
		t.Errorf("answered %s", r.body)
	}
	o.call(o.signedIn(asha.Email), "POST", "/api/auth/delete-user", `{}`).want(200)
}

func (o *office) signedInAs(email, with string) string {
	o.t.Helper()
	var got struct{ Token string }
	o.guess(email, with, "10.0.0.1").want(200).into(&got)
	return got.Token
}

// The confirmation link ends with the session that asked, however that session ends, and with the account.
func TestTheConfirmationLinkEndsWithItsSession(t *testing.T) {
	for name, end := range map[string]func(o *office, admin, asha person, thief string){
		"sign-out": func(o *office, _, _ person, thief string) {
			o.call(thief, "POST", "/api/auth/sign-out", `{}`).want(200)
		},
		"revoke-session": func(o *office, _, asha person, thief string) {
			o.call(asha.Token, "POST", "/api/auth/revoke-session", `{"token":"`+thief+`"}`).want(200)
		},
		"revoke-sessions": func(o *office, _, asha person, _ string) {
			o.call(asha.Token, "POST", "/api/auth/revoke-sessions", "").want(200)
		},
		"revoke-other-sessions": func(o *office, _, asha person, _ string) {
			o.call(asha.Token, "POST", "/api/auth/revoke-other-sessions", "").want(200)
		},
		"a new password that ends the others": func(o *office, _, asha person, _ string) {
			o.call(asha.Token, "POST", "/api/auth/change-password",
				`{"currentPassword":"`+password+`","newPassword":"`+newPassword+`","revokeOtherSessions":true}`).want(200)
		},
		"a new password that keeps them": func(o *office, _, asha person, _ string) {
			o.call(asha.Token, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"`+newPassword+`"}`).want(200)
		},
		"a reset password": func(o *office, _, asha person, _ string) {
			token := tokenOf(o.resetLink(asha.Email, 2))
			o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+token+`"}`).want(200)
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
			thief := o.signedIn(asha.Email)
			o.requestEmail(thief, intruder, "").want(200)
			link := o.confirmation(intruder, 1)
			end(o, admin, asha, thief)
			r := o.call("", "GET", link, "").want(401)
			if len(r.cookies()) != 0 || r.header.Get("Set-Auth-Token") != "" {
				t.Errorf("signs in: %v", r.header)
			}
			o.wantEmail(admin, asha, asha.Email)
		})
	}
	t.Run("deletion", func(t *testing.T) {
		o := open(t)
		asha := o.join("asha")
		o.requestEmail(asha.Token, intruder, "").want(200)
		link := o.confirmation(intruder, 1)
		o.call(asha.Token, "POST", "/api/auth/delete-user", `{}`).want(200)
		o.call("", "GET", link, "").want(401)
		// ASVS 7.5.1
		if n := o.count(`SELECT count(*) FROM email_changes`); n != 0 {
			t.Errorf("%d changes are kept", n)
		}
	})
}

// The link signs in neither a stranger nor its owner, and works once, also when it is opened twice at the same moment.
func TestTheConfirmationLinkCreatesNoSession(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	sessions := o.count(`SELECT count(*) FROM sessions`)
	o.requestEmail(asha.Token, "one@example.com", "").want(200)
	link := o.confirmation("one@example.com", 1)
	var race sync.WaitGroup
	replies := make([]reply, 5)
	for i := range replies {
		race.Go(func() { replies[i] = o.call("", "GET", link, "") })
	}
	race.Wait()
	good := 0
	for _, r := range replies {
		if r.status == 200 {
			good++
		}
		if len(r.cookies()) != 0 || r.header.Get("Set-Auth-Token") != "" {
			t.Errorf("signs in: %v", r.header)
		}
	}
	if good != 1 {
		t.Errorf("%d of five at once were accepted", good)
	}
	o.requestEmail(asha.Token, "two@example.com", "").want(200)
	if r := o.call(asha.Token, "GET", o.confirmation("two@example.com", 1), "").want(200); len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.wantEmail(admin, asha, "two@example.com")
	// ASVS 7.6.2
	if n := o.count(`SELECT count(*) FROM sessions`); n != sessions {
		t.Errorf("%d sessions, there were %d", n, sessions)
	}
}

// The link sent to the old address stops a change that is pending, and shuts out the one who asked.
func TestTheOldAddressStopsAPendingChange(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	thief := o.signedIn(asha.Email)
	o.requestEmail(thief, intruder, "").want(200)
	notice := o.letter(asha.Email, 1)
	if !strings.Contains(notice.Text, intruder) || !strings.Contains(notice.Text, "72 hours") || !strings.Contains(notice.HTML, "72 hours") ||
		strings.Contains(notice.Text, "did not expect") {
		t.Errorf("the old address is published %s", notice.Text)
	}
	token, link := o.stopToken(asha.Email, 1), o.confirmation(intruder, 1)
	if r := o.stop(newToken()).want(400); r.code() != "INVALID_TOKEN" {
		t.Errorf("another token: %s", r.body)
	}
	o.stop(token).want(200, `{"status":true,"reverted":false}`)
	o.wantShutOut(asha, thief, 2)
	o.call("", "GET", link, "").want(401)
	o.wantEmail(admin, asha, asha.Email)
	o.stop(token).want(400)
}

// wantShutOut fails unless the person's sessions have ended, the password no longer works, and the nth mail to the
// old address sets a new one.
func (o *office) wantShutOut(p person, thief string, nth int) {
	o.t.Helper()
	o.wantEnded(p.Token, thief)
	o.guess(p.Email, password, "10.0.0.1").want(401)
	reset := tokenOf(o.letter(p.Email, nth).link(o.t))
	o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+reset+`"}`).want(200)
	o.signedInAs(p.Email, newPassword)
}

// After the change the same link takes the account back, for 72 hours from the change.
func TestTheOldAddressTakesTheAccountBack(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	thief := o.signedIn(asha.Email)
	o.requestEmail(thief, intruder, "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.later(59 * time.Minute)
	o.call("", "GET", o.confirmation(intruder, 1), "").want(200)
	o.wantEmail(admin, asha, intruder)
	pending := tokenOf(o.resetLink(intruder, 2)) // the thief asks for a reset link
	o.later(72*time.Hour - time.Second)
	o.stop(token).want(200, `{"status":true,"reverted":true}`)
	admin.Token = o.signedIn(admin.Email)
	o.wantEmail(admin, asha, asha.Email)
	o.guess(intruder, password, "10.0.0.1").want(401)
	o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+pending+`"}`).want(400)
	o.wantShutOut(asha, thief, 2)
}

func TestTheStopLinkEndsAfter72Hours(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.requestEmail(asha.Token, "new@example.com", "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.call("", "GET", o.confirmation("new@example.com", 1), "").want(200)
	o.later(72 * time.Hour)
	if r := o.stop(token).want(400); r.code() != "INVALID_TOKEN" {
		t.Errorf("answered %s", r.body)
	}
	o.guess("new@example.com", password, "10.0.0.1").want(200)
}

// A thief who goes on to a third address, changes the password and holds a stop link of their own loses the account
// all the same, and cannot take it back.
func TestALaterChangeDoesNotKeepTheAccount(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	thief := o.signedIn(asha.Email)
	o.requestEmail(thief, intruder, "").want(200)
	mine := o.stopToken(asha.Email, 1)
	o.call("", "GET", o.confirmation(intruder, 1), "").want(200)
	o.requestEmail(thief, "third@example.com", "").want(200)
	theirs := o.stopToken(intruder, 2)
	o.call("", "GET", o.confirmation("third@example.com", 1), "").want(200)
	o.call(thief, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"a third good phrase"}`).want(200)
	o.stop(mine).want(200, `"reverted":true`)
	o.stop(theirs).want(400)
	o.wantEmail(admin, asha, asha.Email)
	o.guess(asha.Email, "a third good phrase", "10.0.0.1").want(401)
}

// A thief who stops their own second change does not take the first owner's link away.
func TestAThiefsStopLinkDoesNotEndTheOwners(t *testing.T) {
	o := open(t)
	admin, asha := o.admin("boss"), o.join("asha")
	thief := o.signedIn(asha.Email)
	o.requestEmail(thief, intruder, "").want(200)
	mine := o.stopToken(asha.Email, 1)
	o.call("", "GET", o.confirmation(intruder, 1), "").want(200)
	o.requestEmail(thief, "third@example.com", "").want(200)
	o.stop(o.stopToken(intruder, 2)).want(200, `"reverted":false`)
	o.stop(mine).want(200, `"reverted":true`)
	o.wantEmail(admin, asha, asha.Email)
}

// Changing the password does not take the stop link away, or a thief who knows it would be safe.
func TestAPasswordChangeKeepsTheStopLink(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	thief := o.signedIn(asha.Email)
	o.requestEmail(thief, intruder, "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.call(thief, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"a third good phrase"}`).want(200)
	o.stop(token).want(200)
	o.guess(asha.Email, "a third good phrase", "10.0.0.1").want(401)
	o.wantShutOut(asha, thief, 2)
}

// While a change can be undone its old address is nobody else's, so that a second account cannot block the way back.
func TestTheOldAddressIsReserved(t *testing.T) {
	o := open(t)
	admin, asha, bina := o.admin("boss"), o.join("asha"), o.join("bina")
	o.requestEmail(asha.Token, "new@example.com", "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.call("", "GET", o.confirmation("new@example.com", 1), "").want(200)
	signUp := `{"name":"Eve","email":"asha@example.com","password":"` + password + `"}`
	if r := o.call("", "POST", "/api/auth/sign-up/email", signUp).want(422); r.code() != "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" {
		t.Errorf("sign-up: %s", r.body)
	}
	o.call(admin.Token, "POST", "/api/users", `{"name":"Eve","email":"asha@example.com","role":"pa"}`).want(200, asha.ID)
	o.requestEmail(bina.Token, "asha@example.com", "").want(200)
	o.stopToken(bina.Email, 1)
	o.settle()
	if n := len(o.mail.to(asha.Email)); n != 1 {
		t.Errorf("%d mails to the reserved address", n)
	}
	o.requestEmail(asha.Token, "asha@example.com", "").want(200) // its owner may go back
	o.call("", "GET", o.confirmation(asha.Email, 2), "").want(200)
	o.stop(token).want(200, `"reverted":false`)
}

func TestTheOldAddressIsFreeAfter72Hours(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.requestEmail(asha.Token, "new@example.com", "").want(200)
	o.call("", "GET", o.confirmation("new@example.com", 1), "").want(200)
	o.later(72 * time.Hour)
	if again := o.join("asha"); again.ID == asha.ID {
		t.Error("the old account answers")
	}
}

// A taken address gets no mail, and the requester's own mailbox does not show the difference.
func TestATakenAddressShowsInNoMail(t *testing.T) {
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

// No confirmation link leaves before the mail server has accepted the notice to the old address.
func TestNoConfirmationWithoutTheNotice(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.mail.fail = errandTries
	o.requestEmail(asha.Token, intruder, "").want(200)
	o.settle()
	if len(o.mail.mails) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
	o.mail.fail = errandTries - 1
	o.requestEmail(asha.Token, intruder, "").want(200)
	o.confirmation(intruder, 1)
	if n := len(o.mail.to(asha.Email)); n != 1 {
		t.Errorf("%d notices", n)
	}
}

// The trail holds who asked for a change, what was changed, and what was stopped.
func TestAChangeOfAddressIsAnnounced(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.requestEmail(asha.Token, "new@example.com", "").want(200)
	token := o.stopToken(asha.Email, 1)
	o.requestEmail(asha.Token, "other@example.com", "").want(200)
	o.stopToken(asha.Email, 2)
	o.call("", "GET", o.confirmation("new@example.com", 1), "").want(200)
	o.stop(token).want(200)
	got := o.types(asha.ID)
	if !strings.HasSuffix(got, "user_email_change_requested user_email_change_requested user_email_changed user_email_change_stopped session_revoked") {
		t.Fatalf("announced %s", got)
	}
	events := o.events(asha.ID)
	events = events[len(events)-5:]
	for i, want := range []struct{ before, after, pending any }{
		{"asha@example.com", "asha@example.com", "new@example.com"}, {"asha@example.com", "asha@example.com", "other@example.com"},
		{"asha@example.com", "new@example.com", nil}, {"new@example.com", "asha@example.com", nil},
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

// A reset password ends every session of the person, at auth and where other services ask.
func TestAResetPasswordEndsAllSessions(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	thief := o.signedIn(asha.Email)
	token := tokenOf(o.resetLink(asha.Email, 1))
	o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+token+`"}`).want(200)
	// ASVS 7.4.3
	o.wantEnded(asha.Token, thief)
	if published, err := o.Introspect(t.Context(), question(thief)); err != nil || published.Active {
		t.Errorf("other services are published %+v, %v", published, err)
	}
	o.call(bina.Token, "GET", "/api/auth/get-session", "").want(200, bina.ID)
	events := o.events(asha.ID)
	last := events[len(events)-1]
	if ended, _ := last.After["sessionIds"].([]any); last.Type != "session_revoked" || len(ended) != 2 {
		t.Errorf("announced %+v", last)
	}
}
