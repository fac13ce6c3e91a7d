package auth

import (
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

const newPassword = "another good phrase"

// The password changes for who knows the present one; sessions stay unless asked otherwise.
func TestChangePassword(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	change := func(current, next, more string) reply {
		return o.call(asha.Token, "POST", "/api/auth/change-password", `{"currentPassword":"`+current+`","newPassword":"`+next+`"`+more+`}`)
	}
	for _, c := range []struct{ current, next, code string }{
		{"wrong password", newPassword, "INVALID_PASSWORD"}, {password, "short", "PASSWORD_TOO_SHORT"},
		{password, strings.Repeat("ab", 65), "PASSWORD_TOO_LONG"}, {password, "123456789", "PASSWORD_TOO_COMMON"}, {strings.Repeat("a", 129), newPassword, "PASSWORD_TOO_LONG"},
	} {
		// ASVS 6.2.3, 6.2.4, 6.2.12, 7.5.1
		if r := change(c.current, c.next, "").want(400); r.code() != c.code {
			t.Errorf("%s: %s", c.code, r.body)
		}
	}
	r := change(password, newPassword, "").want(200, `"token":null`, asha.ID)
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.call(other, "GET", "/api/auth/get-session", "").want(200, asha.ID)
	// ASVS 6.2.2
	o.guess(asha.Email, password, "10.0.0.1").want(401)

	var made struct{ Token string }
	r = change(newPassword, password, `,"revokeOtherSessions":true`).want(200)
	r.into(&made)
	r.wantCookie(made.Token, cookieAge)
	// ASVS 7.4.3
	o.wantEnded(asha.Token, other)
	o.call(made.Token, "GET", "/api/auth/get-session", "").want(200, asha.ID)
	if got := o.types(asha.ID); strings.Count(got, "user_password_changed") != 2 || strings.Count(got, "session_revoked") != 1 {
		t.Errorf("announced %s", got)
	}
}

// resetLink asks for a mail and returns the path of the link in it.
func (o *office) resetLink(email string, nth int) string {
	o.t.Helper()
	o.call("", "POST", "/api/auth/request-password-reset", `{"email":"`+email+`","redirectTo":"/reset-password"}`).want(200,
		`{"status":true,"message":"If this email exists in our system, check your email for the reset link"}`)
	return o.letter(email, nth).link(o.t)
}

// The mailed link leads to the page with a token, which sets the password once within an hour.
func TestResetPassword(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	link := o.resetLink(asha.Email, 1)
	if !strings.HasPrefix(link, "/api/auth/reset-password/") || !strings.HasSuffix(link, "?callbackURL=%2Freset-password") {
		t.Fatalf("the link is %s", link)
	}
	mail := o.letter(asha.Email, 1)
	if !strings.Contains(mail.Text, "Lekha Tax & Advisory") || !strings.Contains(mail.HTML, "Lekha Tax &amp; Advisory") || !strings.Contains(mail.HTML, `href="`+site+"/api/auth/reset-password/") {
		t.Errorf("the mail is %+v", mail)
	}
	r := o.call("", "GET", link, "").want(302)
	token, found := strings.CutPrefix(r.header.Get("Location"), site+"/reset-password?token=")
	if !found || len(token) != 24 {
		t.Fatalf("leads to %s", r.header.Get("Location"))
	}
	set := func(password string) reply {
		return o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+password+`","token":"`+token+`"}`)
	}
	for password, code := range map[string]string{"short": "PASSWORD_TOO_SHORT", strings.Repeat("ab", 65): "PASSWORD_TOO_LONG", "asha": "PASSWORD_TOO_SHORT", "letmein": "PASSWORD_TOO_COMMON"} {
		if r := set(password).want(400); r.code() != code {
			t.Errorf("%s: %s", password, r.body)
		}
	}
	var race sync.WaitGroup
	var mu sync.Mutex
	answers := map[int]int{}
	for range 5 {
		race.Go(func() {
			r := set(newPassword)
			mu.Lock()
			defer mu.Unlock()
			answers[r.status]++
		})
	}
	race.Wait()
	if answers[200] != 1 || answers[400] != 4 {
		t.Errorf("five at once: %v", answers)
	}
	o.guess(asha.Email, newPassword, "10.0.0.1").want(200)
	o.wantEnded(asha.Token)
	if got := o.call("", "GET", link, "").want(302).header.Get("Location"); got != site+"/reset-password?error=INVALID_TOKEN" {
		t.Errorf("the used link leads to %s", got)
	}
}

func TestResetLinksThatDoNotHold(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	link := o.resetLink(asha.Email, 1)
	token := tokenOf(link)
	o.later(time.Hour)
	if r := o.call("", "POST", "/api/auth/reset-password?token="+token, `{"newPassword":"`+newPassword+`"}`).want(400); r.code() != "INVALID_TOKEN" {
		// ASVS 6.4.3, 6.5.5
		t.Errorf("too late: %s", r.body)
	}
	for _, body := range []string{`{"newPassword":"` + newPassword + `"}`, `{"newPassword":"` + newPassword + `","token":"` + newID() + `"}`} {
		if r := o.call("", "POST", "/api/auth/reset-password", body).want(400); r.code() != "INVALID_TOKEN" {
			t.Errorf("%s: %s", body, r.body)
		}
	}
	o.call("", "GET", "/api/auth/reset-password/"+token, "").want(400, "[query.callbackURL]")
	if got := o.call("", "GET", "/api/auth/reset-password/"+token+"?callbackURL=", "").want(302).header.Get("Location"); got != site+"/api/auth/error?error=INVALID_TOKEN" {
		t.Errorf("without a page it leads to %s", got)
	}
	page := o.call("", "GET", "/api/auth/error?error=%3Cscript%3E", "").want(200, "UNKNOWN")
	if strings.Contains(page.body, "<script>") || page.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the page is %s", page.body)
	}
	o.call("", "GET", "/api/auth/error?error=INVALID_TOKEN", "").want(200, "INVALID_TOKEN")
}

// A link that was mailed before the password or the address changed sets no password: it may lie in a mailbox that
// somebody else reads.
func TestAResetLinkEndsWithWhatItWasAskedUnder(t *testing.T) {
	for what, change := range map[string]func(o *office, asha person){
		"another link": func(o *office, asha person) {
			token := tokenOf(o.resetLink(asha.Email, 2))
			o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+token+`"}`).want(200)
		},
		"the password": func(o *office, asha person) {
			o.call(asha.Token, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"`+newPassword+`"}`).want(200)
		},
		"the address": func(o *office, asha person) {
			o.call(asha.Token, "POST", "/api/auth/change-email", `{"newEmail":"new@example.com"}`).want(200)
			o.call("", "GET", o.letter("new@example.com", 1).link(o.t), "").want(302)
		},
	} {
		t.Run(what, func(t *testing.T) {
			o := open(t)
			asha := o.join("asha")
			token := tokenOf(o.resetLink(asha.Email, 1))
			change(o, asha)
			// ASVS 6.4.3
			if r := o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"a third good phrase","token":"`+token+`"}`).want(400); r.code() != "INVALID_TOKEN" {
				t.Errorf("answered %s", r.body)
			}
		})
	}
}

// Of two links that are opened at the same moment one sets the password.
func TestOneOfTwoResetLinksHolds(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	tokens := []string{tokenOf(o.resetLink(asha.Email, 1)), tokenOf(o.resetLink(asha.Email, 2))}
	var race sync.WaitGroup
	statuses := make([]int, len(tokens))
	for i, token := range tokens {
		race.Go(func() {
			statuses[i] = o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+token+`"}`).status
		})
	}
	race.Wait()
	if statuses[0]+statuses[1] != 600 {
		t.Errorf("answered %v, want one 200 and one 400", statuses)
	}
}

// tokenOf is the token in the path of a reset link.
func tokenOf(link string) string {
	return strings.TrimPrefix(strings.Split(link, "?")[0], "/api/auth/reset-password/")
}

// An unknown address is answered alike and gets no mail; the 1.3 name of the call answers as 1.3 does.
func TestResetTellsNothing(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	known := o.call("", "POST", "/api/auth/request-password-reset", `{"email":"asha@example.com"}`).want(200)
	unknown := o.call("", "POST", "/api/auth/request-password-reset", `{"email":"nobody@example.com"}`).want(200)
	// ASVS 6.4.3
	if known.body != unknown.body {
		t.Errorf("%s differs from %s", known.body, unknown.body)
	}
	old := o.call("", "POST", "/api/auth/forget-password", `{"email":"ASHA@example.com","redirectTo":"/reset-password"}`).want(200)
	if old.body != `{"status":true}` {
		t.Errorf("1.3: %s", old.body)
	}
	o.settle()
	if len(o.mail.to(asha.Email)) != 2 || len(o.mail.to("nobody@example.com")) != 0 {
		t.Errorf("mailed %v", o.mail.mails)
	}
	o.call("", "POST", "/api/auth/request-password-reset", `{"email":"x"}`).want(400, "[body.email] Invalid email address")
	if r := o.call("", "POST", "/api/auth/request-password-reset", `{"email":"asha@example.com","redirectTo":"//evil"}`).want(403); r.code() != "INVALID_REDIRECT_URL" {
		t.Error(r.body)
	}
}

// The invited set their password with the link, within three days, and are in.
func TestInvitedSetTheirPassword(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	o.call(admin.Token, "POST", "/api/users", `{"name":"Ravi","email":"ravi@example.com","role":"pa"}`).want(201)
	link, err := url.Parse(o.letter("ravi@example.com", 1).link(t))
	if err != nil {
		t.Fatal(err)
	}
	o.later(72*time.Hour - time.Second)
	o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+link.Query().Get("token")+`"}`).want(200, `{"status":true}`)
	o.guess("ravi@example.com", newPassword, "10.0.0.1").want(200, `"role":"pa"`)
}

// A reset forgives the failures that locked an account.
func TestResetUnlocks(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	for n := range 6 {
		o.guess(asha.Email, "wrong password", "10.0.0."+string(rune('1'+n))).want(401)
	}
	o.guess(asha.Email, password, "10.0.1.1").want(429)
	token := strings.TrimPrefix(strings.Split(o.resetLink(asha.Email, 1), "?")[0], "/api/auth/reset-password/")
	o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+newPassword+`","token":"`+token+`"}`).want(200)
	o.guess(asha.Email, newPassword, "10.0.1.2").want(200)
}

// Without a mail server the account works, and what needs mail says what is missing.
func TestWithoutMailServer(t *testing.T) {
	o := openWithoutMail(t)
	asha, admin := o.join("asha"), o.admin("boss")
	for path, want := range map[string][2]string{
		"/request-password-reset":  {`{"email":"asha@example.com"}`, "RESET_PASSWORD_DISABLED"},
		"/change-email":            {`{"newEmail":"new@example.com"}`, "CHANGE_EMAIL_DISABLED"},
		"/send-verification-email": {`{"email":"asha@example.com"}`, "VERIFICATION_EMAIL_NOT_ENABLED"},
	} {
		if r := o.call(asha.Token, "POST", "/api/auth"+path, want[0]).want(400, "SMTP_URL"); r.code() != want[1] {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	o.call(admin.Token, "POST", "/api/users", `{"name":"Ravi","email":"ravi@example.com","role":"pa"}`).want(201, "invite_url")
}

// A mail server that is away for a moment costs nothing.
func TestMailIsTriedAgain(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.mail.fail = errandTries - 1
	o.resetLink(asha.Email, 1)
}
