package auth

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/auth/data"
	"baari.dev/services/auth/mailing"
	"baari.dev/services/contract"
)

// A change of password requires the current password. With revokeOtherSessions it replaces all sessions by a new one.
func TestChangePasswordNeedsTheCurrentOne(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	change := func(current, next, more string) reply {
		return o.post(asha.Token, "/change-password",
			`{"currentPassword":"`+current+`","newPassword":"`+next+`"`+more+`}`)
	}
	for _, c := range []struct{ current, next, code string }{
		{"wrong password", newPassword, "INVALID_PASSWORD"},
		{password, "short", "PASSWORD_TOO_SHORT"},
		{password, strings.Repeat("ab", 65), "PASSWORD_TOO_LONG"},
		{password, "123456789", "PASSWORD_TOO_COMMON"},
		{strings.Repeat("a", 129), newPassword, "PASSWORD_TOO_LONG"},
	} {
		// ASVS 6.2.3, 6.2.4, 6.2.12, 7.5.1
		change(c.current, c.next, "").wantCode(400, c.code)
	}
	r := change(password, newPassword, "").want(200, `"token":null`, asha.ID)
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.getSession(other).want(200, asha.ID)
	// ASVS 6.2.2
	o.trySignIn(asha.Email, password, "10.0.0.1").want(401)

	var made struct{ Token string }
	r = change(newPassword, password, `,"revokeOtherSessions":true`).want(200)
	r.into(&made)
	r.wantCookie(made.Token, cookieAge)
	// ASVS 7.4.3
	o.wantEnded(asha.Token, other)
	o.getSession(made.Token).want(200, asha.ID)
	got := o.types(asha.ID)
	if strings.Count(got, "user_password_changed") != 2 || strings.Count(got, "session_revoked") != 1 {
		t.Errorf("published %s", got)
	}
}

// The mailed link redirects to the page with a token. The token sets the password once, within an hour.
func TestAResetLinkSetsAPasswordOnce(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	link := o.resetLink(asha.Email, 1)
	const path, callback = "/api/auth/reset-password/", "?callbackURL=%2Freset-password"
	if !strings.HasPrefix(link, path) || !strings.HasSuffix(link, callback) {
		t.Fatalf("the link is %s", link)
	}
	mail := o.nthMail(asha.Email, 1)
	if !strings.Contains(mail.Text, "Lekha Tax & Advisory") || !strings.Contains(mail.HTML, "Lekha Tax &amp; Advisory") ||
		!strings.Contains(mail.HTML, `href="`+site+path) {
		t.Errorf("the mail is %+v", mail)
	}
	r := o.get(link).want(302)
	token, found := strings.CutPrefix(r.header.Get("Location"), site+"/reset-password?token=")
	if !found || len(token) != 24 {
		t.Fatalf("redirects to %s", r.header.Get("Location"))
	}
	for rejected, code := range map[string]string{
		"short":                  "PASSWORD_TOO_SHORT",
		strings.Repeat("ab", 65): "PASSWORD_TOO_LONG",
		"asha":                   "PASSWORD_TOO_SHORT",
		"letmein":                "PASSWORD_TOO_COMMON",
	} {
		o.resetTo(token, rejected).wantCode(400, code)
	}
	var race sync.WaitGroup
	var mu sync.Mutex
	answers := map[int]int{}
	for range 5 {
		race.Go(func() {
			r := o.resetTo(token, newPassword).served()
			mu.Lock()
			defer mu.Unlock()
			answers[r.status]++
		})
	}
	race.Wait()
	if answers[200] != 1 || answers[400] != 4 {
		t.Errorf("five concurrent requests: %v", answers)
	}
	o.trySignIn(asha.Email, newPassword, "10.0.0.1").want(200)
	o.wantEnded(asha.Token)
	if got := o.location(link); got != site+"/reset-password?error=INVALID_TOKEN" {
		t.Errorf("the used link redirects to %s", got)
	}
}

func TestInvalidResetLinksAreRejected(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	link := o.resetLink(asha.Email, 1)
	token := tokenOf(link)
	o.later(time.Hour)
	withoutToken := body("newPassword", newPassword)
	// ASVS 6.4.3, 6.5.5
	o.post("", "/reset-password?token="+token, withoutToken).wantCode(400, "INVALID_TOKEN")
	o.post("", "/reset-password", withoutToken).wantCode(400, "INVALID_TOKEN")
	o.resetTo(data.NewID(), newPassword).wantCode(400, "INVALID_TOKEN")
	o.get("/api/auth/reset-password/"+token).want(400, "[query.callbackURL]")
	got := o.location("/api/auth/reset-password/" + token + "?callbackURL=")
	if got != site+"/api/auth/error?error=INVALID_TOKEN" {
		t.Errorf("without a page it redirects to %s", got)
	}
	page := o.get("/api/auth/error?error=%3Cscript%3E").want(200, "UNKNOWN")
	if strings.Contains(page.body, "<script>") || page.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the page is %s", page.body)
	}
	o.get("/api/auth/error?error=INVALID_TOKEN").want(200, "INVALID_TOKEN")
}

// A link that was mailed before the password or the address changed is invalid, because another person may have access
// to the mailbox.
func TestAResetLinkEndsWithTheOldCredentials(t *testing.T) {
	for what, change := range map[string]func(o *office, asha person){
		"another link": func(o *office, asha person) {
			token := tokenOf(o.resetLink(asha.Email, 2))
			o.resetTo(token, newPassword).want(200)
		},
		"the password": func(o *office, asha person) {
			o.changeTo(asha.Token, password, newPassword).want(200)
		},
		"the address": func(o *office, asha person) {
			o.post(asha.Token, "/change-email", `{"newEmail":"new@example.com"}`).want(200)
			o.get(o.nthMail("new@example.com", 1).link(o.t)).want(302)
		},
	} {
		t.Run(what, func(t *testing.T) {
			o := open(t)
			asha := o.join("asha")
			token := tokenOf(o.resetLink(asha.Email, 1))
			change(o, asha)
			// ASVS 6.4.3
			o.resetTo(token, "a third good phrase").wantCode(400, "INVALID_TOKEN")
		})
	}
}

func TestConcurrentResetLinksSetOnePassword(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	tokens := []string{tokenOf(o.resetLink(asha.Email, 1)), tokenOf(o.resetLink(asha.Email, 2))}
	var race sync.WaitGroup
	statuses := make([]int, len(tokens))
	for i, token := range tokens {
		race.Go(func() {
			statuses[i] = o.resetTo(token, newPassword).served().status
		})
	}
	race.Wait()
	if statuses[0]+statuses[1] != 600 {
		t.Errorf("answered %v, want one 200 and one 400", statuses)
	}
}

// For an unknown address the response is the same as for a known one, but no mail is sent. /forget-password, the name
// of the call in better-auth 1.3, has the response of that release.
func TestARequestedResetRevealsNothing(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	known := o.post("", "/request-password-reset", `{"email":"asha@example.com"}`).want(200)
	unknown := o.post("", "/request-password-reset", `{"email":"nobody@example.com"}`).want(200)
	// ASVS 6.4.3
	if known.body != unknown.body {
		t.Errorf("%s differs from %s", known.body, unknown.body)
	}
	old := o.post("", "/forget-password", `{"email":"ASHA@example.com","redirectTo":"/reset-password"}`).want(200)
	if old.body != `{"status":true}` {
		t.Errorf("1.3: %s", old.body)
	}
	o.settle()
	if len(o.mail.to(asha.Email)) != 2 || len(o.mail.to("nobody@example.com")) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
	o.post("", "/request-password-reset", `{"email":"x"}`).want(400, "[body.email] Invalid email address")
	o.post("", "/request-password-reset", `{"email":"asha@example.com","redirectTo":"//evil"}`).
		wantCode(403, "INVALID_REDIRECT_URL")
}

// The link of an invitation sets a password within three days.
func TestInvitedUsersSetTheirPassword(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201)
	link, err := url.Parse(o.nthMail("ravi@example.com", 1).link(t))
	if err != nil {
		t.Fatal(err)
	}
	o.later(72*time.Hour - time.Second)
	o.resetTo(link.Query().Get("token"), newPassword).want(200, `{"status":true}`)
	o.trySignIn("ravi@example.com", newPassword, "10.0.0.1").want(200, `"role":"pa"`)
}

func TestAResetClearsTheCountersOfFailures(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	for n := range 6 {
		o.trySignIn(asha.Email, "wrong password", "10.0.0."+string(rune('1'+n))).want(401)
	}
	o.lengthenPause()
	o.trySignIn(asha.Email, password, "10.0.1.1").want(429)
	o.resetTo(tokenOf(o.resetLink(asha.Email, 1)), newPassword).want(200)
	o.trySignIn(asha.Email, newPassword, "10.0.1.2").want(200)
}

// Without a mail server accounts work, and the errors of calls that need mail name the missing setting.
func TestCallsThatNeedMailAreRejectedWithoutAMailServer(t *testing.T) {
	o := openWithoutMail(t)
	asha, admin := o.join("asha"), o.admin("boss")
	for path, want := range map[string][2]string{
		"/request-password-reset":  {`{"email":"asha@example.com"}`, "RESET_PASSWORD_DISABLED"},
		"/change-email":            {`{"newEmail":"new@example.com"}`, "CHANGE_EMAIL_DISABLED"},
		"/send-verification-email": {`{"email":"asha@example.com"}`, "VERIFICATION_EMAIL_NOT_ENABLED"},
	} {
		o.post(asha.Token, path, want[0]).want(400, "SMTP_URL").wantCode(400, want[1])
	}
	o.call(admin.Token, "POST", "/api/users", invitation("ravi")).want(201, "invite_url")
}

func TestAFailedMailIsRetried(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.mail.reject(mailing.Tries - 1)
	o.resetLink(asha.Email, 1)
}

// A password reset ends all sessions of the user, in auth and for other services.
func TestAResetPasswordEndsAllSessions(t *testing.T) {
	o := open(t)
	asha, bina := o.join("asha"), o.join("bina")
	stolen := o.signedIn(asha.Email)
	token := tokenOf(o.resetLink(asha.Email, 1))
	o.resetTo(token, newPassword).want(200)
	// ASVS 7.4.3
	o.wantEnded(asha.Token, stolen)
	if got, err := o.Introspect(t.Context(), introspectOf(stolen)); err != nil || got.Active {
		t.Errorf("introspection returned %+v, %v", got, err)
	}
	o.getSession(bina.Token).want(200, bina.ID)
	o.wantLastSessionEvent(asha, contract.SessionRevoked, 2, asha)
}
