package auth

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
)

// passwordCalls are the calls that take the password of a signed-in user.
var passwordCalls = map[string]func(password string) string{
	"/change-password": func(p string) string { return body("currentPassword", p, "newPassword", newPassword) },
	"/change-email":    func(p string) string { return body("newEmail", "new@example.com", "password", p) },
	"/delete-user":     func(p string) string { return body("password", p) },
}

// Wrong passwords of a signed-in client and of sign-ins share one counter, so a stolen session allows no more guesses.
func TestASignedInClientsGuessesAreDelayed(t *testing.T) {
	for path, with := range passwordCalls {
		t.Run(path, func(t *testing.T) {
			o, _ := limited(t)
			asha := o.join("asha")
			o.post(asha.Token, path, with("wrong password")).wantCode(400, "INVALID_PASSWORD")
			o.exec(`UPDATE sign_in_attempts SET failures = 5`)
			o.post(asha.Token, path, with("wrong password")).wantCode(400, "INVALID_PASSWORD")
			// ASVS 6.3.1
			o.pauses(asha.Email, 1)
			o.post(asha.Token, path, with(password)).want(429)
			o.trySignIn(asha.Email, password, "10.0.0.1").want(429)
			if n := testutil.ToFloat64(o.failures); n != 2 {
				t.Errorf("the metric counts %v wrong passwords, want 2", n)
			}
			o.getSession(asha.Token).want(200, asha.ID)
		})
	}
}

// After a hundred failures, even the correct password of a signed-in client is rejected.
func TestASignedInClientsGuessesEnd(t *testing.T) {
	for path, with := range passwordCalls {
		t.Run(path, func(t *testing.T) {
			o, _ := limited(t)
			asha := o.join("asha")
			o.exec(`INSERT INTO sign_in_attempts VALUES ($1, $2, now(), now())`, data.Digest(asha.Email), account.MaxFailures-1)
			o.post(asha.Token, path, with("wrong password")).wantCode(400, "INVALID_PASSWORD")
			o.later(time.Hour)
			// ASVS 6.3.1
			o.post(asha.Token, path, with(password)).wantPause("900")
		})
	}
}

func TestTheCorrectPasswordOfASignedInClientClearsTheCounter(t *testing.T) {
	for path, with := range passwordCalls {
		t.Run(path, func(t *testing.T) {
			o, _ := limited(t)
			o.admin("boss")
			asha := o.join("asha")
			o.post(asha.Token, path, with("wrong password")).wantCode(400, "INVALID_PASSWORD")
			o.post(asha.Token, path, with(password)).want(200)
			if n := o.count(`SELECT count(*) FROM sign_in_attempts`); n != 0 {
				t.Errorf("%d counters are still stored", n)
			}
		})
	}
}

// A browser with a mark has its own counter, so that other clients cannot keep its user from changing the password.
func TestASignedInBrowserHasItsOwnCounter(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	mark := o.trySignIn(asha.Email, password, "10.0.0.1").want(200).markCookie()
	o.lockOut(asha.Email)
	change := body("currentPassword", password, "newPassword", newPassword)
	o.post(asha.Token, "/change-password", change).want(429)
	cookies := o.sessionCookie(asha.Token) + "; " + mark.Name + "=" + mark.Value
	o.post("", "/change-password", change, "Cookie", cookies, "Origin", site).want(200)
}

// If the hasher was too busy to hash a password, the attempt is not counted.
func TestAnUnverifiedPasswordOfASignedInClientIsNotCounted(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	o.exec(`INSERT INTO sign_in_attempts VALUES ($1, 5, now(), now())`, data.Digest(asha.Email))
	o.hasher.waiting.Add(1000)
	o.changeTo(asha.Token, password, newPassword).wantCode(503, "busy")
	o.hasher.waiting.Add(-1000)
	o.changeTo(asha.Token, password, newPassword).want(200)
}
