package auth

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
)

type person struct {
	ID, Email, Token string
}

// password is the password that join sets. newPassword is what tests change the password to.
const (
	password    = "right horse battery"
	newPassword = "another good phrase"
)

// body returns a JSON object whose members are texts, given as alternating names and values.
func body(pairs ...string) string {
	members := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		members[pairs[i]] = pairs[i+1]
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err) // cannot happen: the values are texts
	}
	return string(text)
}

func credentials(email, password string) string { return body("email", email, "password", password) }

func registration(name string) string {
	return body("name", name, "email", name+"@example.com", "password", password)
}

func invitation(name string) string {
	return body("name", name, "email", name+"@example.com", "role", "pa")
}

func (o *office) sessionCookie(token string) string {
	return cookieName + "=" + url.QueryEscape(o.cookies.signer.sign(token))
}

// join signs up name@example.com.
func (o *office) join(name string) person {
	o.t.Helper()
	var got struct {
		Token string
		User  struct{ ID, Email string }
	}
	o.post("", "/sign-up/email", registration(name)).want(200).into(&got)
	return person{got.User.ID, got.User.Email, got.Token}
}

// signedIn creates another session of a user with the password of join.
func (o *office) signedIn(email string, headers ...string) string {
	o.t.Helper()
	var got struct{ Token string }
	o.post("", "/sign-in/email", credentials(email, password), headers...).want(200).into(&got)
	return got.Token
}

// admin creates an administrator with a session.
func (o *office) admin(name string) person {
	o.t.Helper()
	email := name + "@example.com"
	id, err := o.CreateAdmin(context.Background(), NewAdmin{Email: email, Name: name, Password: password})
	if err != nil {
		o.t.Fatal(err)
	}
	return person{id, email, o.signedIn(email)}
}

// limited starts an office with limits that Redis counts.
func limited(t *testing.T, change ...func(*Options)) (*office, *testkit.Redis) {
	redis := testkit.NewRedis(t)
	return openLimited(t, limit.New(redis.Client, "auth"), change...), redis
}

func (o *office) trySignIn(email, with, from string) reply {
	o.t.Helper()
	return o.post("", "/sign-in/email", credentials(email, with), "X-Forwarded-For", from)
}

// signUpFrom signs up name@example.com from a client address of its own, because sign-ups per address are limited.
func (o *office) signUpFrom(name, address string) person {
	o.t.Helper()
	var got struct {
		Token string
		User  struct{ ID, Email string }
	}
	o.post("", "/sign-up/email", registration(name), "X-Forwarded-For", address).want(200).into(&got)
	return person{got.User.ID, got.User.Email, got.Token}
}

func (o *office) signedInAs(email, with string) string {
	o.t.Helper()
	var got struct{ Token string }
	o.trySignIn(email, with, "10.0.0.1").want(200).into(&got)
	return got.Token
}

// resetLink requests a reset link and returns the path of the link in the nth mail to an address.
func (o *office) resetLink(email string, nth int) string {
	o.t.Helper()
	o.post("", "/request-password-reset", body("email", email, "redirectTo", "/reset-password")).want(200,
		`{"status":true,"message":"If this email exists in our system, check your email for the reset link"}`)
	return o.nthMail(email, nth).link(o.t)
}

func tokenOf(link string) string {
	return strings.TrimPrefix(strings.Split(link, "?")[0], "/api/auth/reset-password/")
}

func (o *office) wantEnded(tokens ...string) {
	o.t.Helper()
	for _, token := range tokens {
		if r := o.call(token, "GET", "/api/auth/get-session?disableRefresh=true", ""); r.body != "null" {
			o.t.Errorf("a session is still live: %s", r.body)
		}
	}
}

func (o *office) changeTo(token, current, next string) reply {
	o.t.Helper()
	return o.post(token, "/change-password", body("currentPassword", current, "newPassword", next))
}

func (o *office) resetTo(token, next string) reply {
	o.t.Helper()
	return o.post("", "/reset-password", body("newPassword", next, "token", token))
}
