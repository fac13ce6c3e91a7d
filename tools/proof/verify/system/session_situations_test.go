package system

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
)

type object = map[string]any

func address() string { return fmt.Sprintf("person%d@verify.example", counter.Add(1)) }

// sessionSituations returns the situations of sign-up, sign-in and sign-out, and of links in mails.
func sessionSituations() map[string]situation {
	signUpAsk := func(origin string) situation {
		return situation{ask: asking(func(*person) ask {
			return ask{
				method: "POST", path: "/api/auth/sign-up/email", origin: origin,
				body: object{"name": "New", "email": address(), "password": password, "role": "admin", "isActive": true},
			}
		})}
	}
	signInAsk := func(origin string) situation {
		return situation{ask: func(_ *testing.T, o *office, sender *person) ask {
			email := sender.email
			if sender.token == "" || sender.what == "deleted" {
				email = o.consultant.email
			}
			return ask{
				method: "POST", path: "/api/auth/sign-in/email", origin: origin,
				body: object{"email": email, "password": password},
			}
		}}
	}
	forgotten := func(path string) situation {
		return situation{ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: path, body: object{"email": sender.email, "redirectTo": "/reset-password"}}
		})}
	}
	return map[string]situation{
		"GET /api/auth/ok":    {ask: plain("GET", "/api/auth/ok", nil)},
		"GET /api/auth/error": {ask: plain("GET", "/api/auth/error", nil)},
		"GET /api/auth/get-session": {
			ask: plain("GET", "/api/auth/get-session", nil), own: ownSession,
		},
		"POST /api/auth/get-session":                           {ask: plain("POST", "/api/auth/get-session", object{})},
		"POST /api/auth/sign-up/email | REGISTRATION=open":     signUpAsk(""),
		"POST /api/auth/sign-up/email | REGISTRATION=approval": signUpAsk(""),
		"POST /api/auth/sign-up/email | REGISTRATION=closed":   signUpAsk(""),
		"POST /api/auth/sign-up/email | foreign Origin":        signUpAsk(foreign),
		"POST /api/auth/sign-in/email":                         signInAsk(""),
		"POST /api/auth/sign-in/email | foreign Origin":        signInAsk(foreign),
		"POST /api/auth/sign-in/social": {ask: plain("POST", "/api/auth/sign-in/social", object{
			"provider": "google",
		})},
		"POST /api/auth/sign-out": {
			caller: fresh, ask: plain("POST", "/api/auth/sign-out", object{}), own: signedOut,
		},
		"POST /api/auth/sign-out | cookie and foreign Origin": {ask: func(*testing.T, *office, *person) ask {
			return ask{method: "POST", path: "/api/auth/sign-out", body: object{}, byCookie: true, origin: foreign}
		}},
		"POST /api/auth/request-password-reset": forgotten("/api/auth/request-password-reset"),
		"POST /api/auth/forget-password":        forgotten("/api/auth/forget-password"),
		"GET /api/auth/reset-password/{token}": {ask: plain(
			"GET", "/api/auth/reset-password/"+strings.Repeat("a", 24)+"?callbackURL=%2Freset-password", nil,
		)},
		"POST /api/auth/reset-password": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{
				method: "POST", path: "/api/auth/reset-password",
				body: object{"newPassword": password + "2", "token": resetToken(t, o)},
			}
		}},
		"GET /api/auth/verify-email | valid token": {ask: func(t *testing.T, o *office, _ *person) ask {
			return ask{method: "GET", path: "/api/auth/verify-email?token=" + verificationToken(t, o)}
		}},
		"GET /api/auth/verify-email | bad token": {ask: plain("GET", "/api/auth/verify-email?token=bad", nil)},
		"POST /api/auth/send-verification-email | own address": {ask: asking(func(sender *person) ask {
			return ask{method: "POST", path: "/api/auth/send-verification-email", body: object{"email": sender.email}}
		})},
	}
}

func ownSession(t *testing.T, _ *office, sender *person, got reply) {
	var answer struct {
		Session struct{ UserID, Token string }
		User    struct{ ID, Role string }
	}
	got.json(t, &answer)
	if answer.User.ID != sender.id || answer.Session.UserID != sender.id || answer.Session.Token != sender.token ||
		answer.User.Role != sender.role {
		t.Errorf("%s got the session of another user: %s", sender.what, got.body)
	}
}

func signedOut(t *testing.T, o *office, sender *person, _ reply) {
	if got := o.way.send(t, sender, ask{method: "GET", path: "/api/auth/get-session"}); string(got.body) != "null" {
		t.Errorf("%s still has a session: %s", sender.what, got.body)
	}
}

// resetToken returns the token in a reset mail to a new user.
func resetToken(t *testing.T, o *office) string {
	p := signUp(t, o.way)
	o.way.must(
		t, nil, http.MethodPost, "/api/auth/request-password-reset",
		object{"email": p.email, "redirectTo": "/reset-password"}, nil,
	)
	return mailed(t, o, p, regexp.MustCompile(`reset-password/([A-Za-z0-9]+)`))
}

// verificationToken returns the token in a verification mail to a new user.
func verificationToken(t *testing.T, o *office) string {
	p := signUp(t, o.way)
	o.way.must(t, p, http.MethodPost, "/api/auth/send-verification-email", object{"email": p.email}, nil)
	return mailed(t, o, p, regexp.MustCompile(`verify-email[^" ]*token=([A-Za-z0-9._%-]+)`))
}

// stopToken returns the token in the mail that the old address of a new user gets when the user changes the address.
func stopToken(t *testing.T, o *office) string {
	p := signUp(t, o.way)
	o.way.must(t, p, http.MethodPost, "/api/auth/change-email", object{"newEmail": address()}, nil)
	return mailed(t, o, p, regexp.MustCompile(`stop-email-change\?token=([A-Za-z0-9]+)`))
}

// mailed waits for a mail to p and returns the first submatch of a pattern in it.
func mailed(t *testing.T, o *office, p *person, what *regexp.Regexp) (found string) {
	t.Helper()
	testkit.Eventually(t, "the mail arrives", func() bool {
		answer, err := browser.Get(o.way.system.Mail() + "/messages?to=" + url.QueryEscape(p.email))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		text := readAll(t, answer)
		if match := what.FindStringSubmatch(text); match != nil {
			found = match[1]
		}
		return found != ""
	})
	return found
}
