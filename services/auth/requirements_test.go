package auth

import (
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Tokens, ids and the tokens of links cannot be guessed: 62 letters, each as likely as the others, and never the same twice.
func TestTokensCannotBeGuessed(t *testing.T) {
	for name, c := range map[string]struct {
		make   func() string
		length int
	}{
		"session": {newToken, 32}, "id": {newID, 32}, "link": {func() string { return randomText(resetLength) }, 24},
	} {
		const many = 10_000
		seen, letters := map[string]bool{}, map[rune]float64{}
		for range many {
			text := c.make()
			// ASVS 7.2.3, 11.5.1
			if bits := float64(len(text)) * math.Log2(float64(len(alphabet))); len(text) != c.length || bits < 128 || seen[text] {
				t.Fatalf("%s: %q has %.0f bits, or came twice", name, text, bits)
			}
			seen[text] = true
			for _, letter := range text {
				letters[letter]++
			}
		}
		expected := float64(many*c.length) / float64(len(alphabet))
		for _, letter := range alphabet {
			if off := math.Abs(letters[letter]-expected) / math.Sqrt(expected); off > 6 {
				t.Errorf("%s: %c came %.0f times, %.0f are expected", name, letter, letters[letter], expected)
			}
		}
	}
}

// A password is judged as it was typed: another case, a letter less or more, or a space around it is another password.
func TestAPasswordIsJudgedAsItWasTyped(t *testing.T) {
	o := open(t)
	long := strings.Repeat("Quiet Harbour 7", 8) // 120 characters
	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"a@example.com","password":"`+long+`"}`).want(200)
	for what, typed := range map[string]string{
		"another case": strings.ToUpper(long), "its first 72 characters": long[:72], "its first 64 characters": long[:64], "a letter less": long[:119],
		"a letter more": long + "7", "a space before": " " + long, "a space behind": long + " ",
	} {
		// ASVS 6.2.8
		if r := o.guess("a@example.com", typed, "10.0.0.1"); r.status != http.StatusUnauthorized {
			t.Errorf("%s is answered %d", what, r.status)
		}
	}
	// ASVS 6.2.9
	o.guess("a@example.com", long, "10.0.0.2").want(200)
}

// A password does not expire.
func TestAPasswordDoesNotExpire(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(5 * 365 * 24 * time.Hour)
	// ASVS 6.2.10
	o.guess(asha.Email, password, "10.0.0.1").want(200)
}

// An invitation ends after three days or with its first use, and its password is under the rule for all passwords.
func TestAnInvitationEndsAndIsUsedOnce(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	invited := func(name string) (set func(password string) reply) {
		email := name + "@example.com"
		o.call(admin.Token, "POST", "/api/users", `{"name":"`+name+`","email":"`+email+`","role":"pa"}`).want(201)
		link, err := url.Parse(o.letter(email, 1).link(t))
		if err != nil {
			t.Fatal(err)
		}
		return func(password string) reply {
			return o.call("", "POST", "/api/auth/reset-password", `{"newPassword":"`+password+`","token":"`+link.Query().Get("token")+`"}`)
		}
	}
	late, once := invited("late"), invited("once")
	// ASVS 6.4.1
	for _, refused := range []reply{once("123456"), once("short")} {
		refused.want(400)
	}
	once(newPassword).want(200)
	if r := once("a third good phrase").want(400); r.code() != "INVALID_TOKEN" {
		t.Errorf("a second use: %s", r.body)
	}
	o.later(72 * time.Hour)
	if r := late(newPassword).want(400); r.code() != "INVALID_TOKEN" {
		t.Errorf("after three days: %s", r.body)
	}
}

// The one page that auth itself makes runs nothing, loads nothing and stands in no frame.
func TestThePageOfAnErrorRunsNothing(t *testing.T) {
	o := open(t)
	r := o.call("", "GET", "/api/auth/error?error=%3Cscript%3Ealert(1)%3C/script%3E", "").want(200)
	// ASVS 1.2.1
	if strings.Contains(r.body, "<script") {
		t.Errorf("the page is %s", r.body)
	}
	// ASVS 3.4.3, 3.4.6
	if policy := r.header.Get("Content-Security-Policy"); policy != "default-src 'none'; frame-ancestors 'none'; base-uri 'none'" {
		t.Errorf("the policy is %q", policy)
	}
	// ASVS 4.1.1
	if kind := r.header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("the page is %q", kind)
	}
}

// Sessions, their ends and failures are announced, so that each is in the audit trail, with whose and from where.
func TestEachSignInIsAnnounced(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.guess(asha.Email, "wrong password", "203.0.113.7").want(401)
	token := o.signedIn(asha.Email, "X-Forwarded-For", "203.0.113.8")
	o.call(token, "POST", "/api/auth/sign-out", `{}`).want(200)
	o.call(asha.Token, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"`+newPassword+`"}`).want(200)
	// ASVS 16.3.1
	for _, kind := range []string{"user_registered", "session_signed_in", "session_sign_in_failed", "session_signed_out", "user_password_changed"} {
		if got := o.types(asha.ID); !strings.Contains(got, kind) {
			t.Errorf("%s is not among %s", kind, got)
		}
	}
}
