package auth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Two passwords are different if the case of a letter, a character at the end, or a surrounding space differs.
func TestAPasswordIsComparedExactly(t *testing.T) {
	o := open(t)
	long := strings.Repeat("Quiet Harbour 7", 8) // 120 characters
	o.post("", "/sign-up/email", body("name", "A", "email", "a@example.com", "password", long)).want(200)
	for what, typed := range map[string]string{
		"another case":            strings.ToUpper(long),
		"its first 72 characters": long[:72],
		"its first 64 characters": long[:64],
		"a character less":        long[:119],
		"a character more":        long + "7",
		"a space before":          " " + long,
		"a space after":           long + " ",
	} {
		// ASVS 6.2.8
		if r := o.trySignIn("a@example.com", typed, "10.0.0.1"); r.status != http.StatusUnauthorized {
			t.Errorf("%s: status %d", what, r.status)
		}
	}
	// ASVS 6.2.9
	o.trySignIn("a@example.com", long, "10.0.0.2").want(200)
}

func TestAPasswordDoesNotExpire(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * 365 * 24 * time.Hour)
	// ASVS 6.2.10
	o.trySignIn(asha.Email, password, "10.0.0.1").want(200)
}

// An invitation is valid for three days or until its first use. The password that it sets must follow PasswordRule.
func TestAnInvitationExpiresAndIsUsedOnce(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	invited := func(name string) (set func(password string) reply) {
		email := name + "@example.com"
		o.call(admin.Token, "POST", "/api/users", `{"name":"`+name+`","email":"`+email+`","role":"pa"}`).want(201)
		link, err := url.Parse(o.nthMail(email, 1).link(t))
		if err != nil {
			t.Fatal(err)
		}
		return func(password string) reply {
			return o.post("", "/reset-password", `{"newPassword":"`+password+`","token":"`+link.Query().Get("token")+`"}`)
		}
	}
	late, once := invited("late"), invited("once")
	// ASVS 6.4.1
	for _, rejected := range []reply{once("123456"), once("short")} {
		rejected.want(400)
	}
	once(newPassword).want(200)
	once("a third good phrase").wantCode(400, "INVALID_TOKEN")
	o.later(72 * time.Hour)
	late(newPassword).wantCode(400, "INVALID_TOKEN")
}

// The error page runs no script, loads nothing and cannot be framed.
func TestTheErrorPageRunsNoScript(t *testing.T) {
	o := open(t)
	r := o.get("/api/auth/error?error=%3Cscript%3Ealert(1)%3C/script%3E").want(200)
	// ASVS 1.2.1
	if strings.Contains(r.body, "<script") {
		t.Errorf("the page is %s", r.body)
	}
	// ASVS 3.4.3, 3.4.6
	policy := r.header.Get("Content-Security-Policy")
	if policy != "default-src 'none'; frame-ancestors 'none'; base-uri 'none'" {
		t.Errorf("the policy is %q", policy)
	}
	// ASVS 4.1.1
	if kind := r.header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("the page is %q", kind)
	}
}

// Sign-ins, failed sign-ins, sign-outs and changes of the password publish events, which the audit trail records.
func TestEachSignInPublishesAnEvent(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.trySignIn(asha.Email, "wrong password", "203.0.113.7").want(401)
	token := o.signedIn(asha.Email, "X-Forwarded-For", "203.0.113.8")
	o.post(token, "/sign-out", `{}`).want(200)
	o.changeTo(asha.Token, password, newPassword).want(200)
	// ASVS 16.3.1
	for _, kind := range []string{
		"user_registered", "session_signed_in", "session_sign_in_failed", "session_signed_out", "user_password_changed",
	} {
		if got := o.types(asha.ID); !strings.Contains(got, kind) {
			t.Errorf("%s is not among %s", kind, got)
		}
	}
}
