package auth

import (
	"fmt"
	"testing"
	"time"

	"baari.dev/services/auth/account"
)

// T14: of a thousand guesses on one account, each as soon as the pause before it is over and from an address of its own, at
// most a hundred are judged. Then the right password does not help either; other accounts do not notice.
func TestT14AThousandGuessesOnOneAccount(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	o.join("bina")
	judged := 0
	for n := range 1000 {
		if r := o.guess("asha@example.com", "wrong password", fmt.Sprintf("10.1.%d.%d", n/250, n%250)); r.status == 401 {
			judged++
		} else {
			r.want(429)
		}
		o.later(account.LongestPause)
	}
	// ASVS 6.3.1
	if judged != account.MaxFailures {
		t.Errorf("%d guesses were judged, want %d", judged, account.MaxFailures)
	}
	o.guess("asha@example.com", password, "10.2.0.1").want(429)
	o.guess("bina@example.com", password, "10.2.0.2").want(200)
}

// T14: each class of calls is answered up to its limit and refused beyond it, also while Redis is away; a call of
// another address or person is not.
func TestT14EachClassAtItsLimit(t *testing.T) {
	for name, away := range map[string]bool{"with Redis": false, "without Redis": true} {
		t.Run(name, func(t *testing.T) {
			o, redis := limited(t)
			asha, bina := o.join("asha"), o.signUpFrom("bina", "10.9.9.9")
			if away {
				redis.Stop()
			}
			for _, class := range limitedCalls {
				if away && class.limit > 10 {
					continue // counted by the same code, and each call waits for Redis first
				}
				o.wantLimit(class, asha.Token, bina.Token)
			}
		})
	}
}

// wantLimit asks until the limit refuses, which it does not before the limit is reached, nor later than time has given
// back; another person from elsewhere is answered then.
func (o *office) wantLimit(class limitedCall, token, other string) {
	o.t.Helper()
	ask := func(token, from string) reply {
		return o.call(token, "POST", "/api/auth"+class.path, class.body, "X-Forwarded-For", from)
	}
	began, answered := time.Now(), 0
	r := ask(token, "10.0.0.1")
	for ; r.status != 429; r = ask(token, "10.0.0.1") {
		answered++
	}
	given := int(time.Since(began)/class.every) + 1
	if answered < class.limit || answered > class.limit+given {
		o.t.Errorf("%s: %d calls were answered, want %d and at most %d more", class.path, answered, class.limit, given)
	}
	if wait := r.want(429, `{"message":"Too many requests. Please try again later."}`).header.Get("X-Retry-After"); wait == "" || wait != r.header.Get("Retry-After") {
		o.t.Errorf("%s: asks to wait %q", class.path, wait)
	}
	if r := ask(other, "10.5.0.2"); r.status == 429 {
		o.t.Errorf("%s: somebody else is refused", class.path)
	}
}

// limitedCall is one call of a class, how many in a row are answered, and how long until one more is (reliability.md S6).
type limitedCall struct {
	path, body string
	limit      int
	every      time.Duration
}

var limitedCalls = []limitedCall{
	{"/sign-in/email", `{"email":"x","password":"x"}`, 60, time.Second},
	{"/sign-up/email", `{"name":"A","email":"u@example.com","password":"123456"}`, 3, 10 * time.Second / 3},
	{"/request-password-reset", `{"email":"nobody@example.com"}`, 3, 20 * time.Second},
	{"/change-password", `{"currentPassword":"x","newPassword":"short"}`, 3, 10 * time.Second / 3},
	{"/reset-password", `{"newPassword":"short","token":"x"}`, 60, time.Second},
}

// signUpFrom makes an account from an address of its own, past the limit of sign-ups of one address.
func (o *office) signUpFrom(name, address string) person {
	o.t.Helper()
	var got struct {
		Token string
		User  struct{ ID, Email string }
	}
	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"`+name+`","email":"`+name+`@example.com","password":"`+password+`"}`,
		"X-Forwarded-For", address).want(200).into(&got)
	return person{got.User.ID, got.User.Email, got.Token}
}
