package auth

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
)

// markCookie returns the response's cookie that contains the browser's marks.
func (r reply) markCookie() *http.Cookie {
	r.t.Helper()
	for _, line := range r.cookies() {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookie.Name == markCookie {
			return cookie
		}
	}
	r.t.Fatalf("sets no cookie of marks: %v", r.cookies())
	return nil
}

func (o *office) trySignInWith(cookie *http.Cookie, email, with, from string) reply {
	return o.post("", "/sign-in/email", credentials(email, with),
		"X-Forwarded-For", from, "Cookie", cookie.Name+"="+cookie.Value, "Origin", site)
}

// lockOut signs in with wrong passwords until browsers without a mark must wait.
func (o *office) lockOut(email string) {
	o.t.Helper()
	for n := range 6 {
		o.trySignIn(email, "wrong password", fmt.Sprintf("10.7.0.%d", n)).want(401)
	}
	o.lengthenPause()
	o.trySignIn(email, password, "10.7.1.1").want(429)
}

// lengthenPause adds ten minutes to the pauses of browsers without a mark. A slow machine could outlast shorter pauses.
func (o *office) lengthenPause() {
	o.exec(`UPDATE sign_in_attempts SET blocked_until = blocked_until + interval '10 minutes' WHERE device_of IS NULL`)
}

// pauses fails the test unless the last failure for an address has caused a pause of that many seconds. It then
// lengthens the pause.
func (o *office) pauses(email string, seconds int) {
	o.t.Helper()
	n := o.count(`SELECT extract(epoch FROM blocked_until - updated_at)::int FROM sign_in_attempts WHERE email_hash = $1`,
		data.Digest(email))
	if n != seconds {
		o.t.Errorf("the pause is %d s, want %d", n, seconds)
	}
	o.lengthenPause()
}

// Wrong passwords from other browsers do not delay a browser that has signed in before, not even when their number has
// reached the maximum.
func TestFailuresElsewhereDoNotDelayAKnownBrowser(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	cookie := o.trySignIn("asha@example.com", password, "10.0.0.1").want(200).markCookie()
	o.lockOut("asha@example.com")
	// ASVS 6.3.1
	cookie = o.trySignInWith(cookie, "asha@example.com", password, "10.0.0.1").want(200).markCookie()
	o.trySignIn("asha@example.com", password, "10.7.1.2").want(429) // the counter without a mark is not cleared

	for n := range account.MaxFailures {
		o.later(account.LongestPause)
		o.trySignIn("asha@example.com", "wrong password", fmt.Sprintf("10.7.2.%d", n))
	}
	o.later(24 * time.Hour)
	o.trySignIn("asha@example.com", password, "10.7.3.1").want(429)
	o.trySignInWith(cookie, "asha@example.com", "wrong password", "10.0.0.2").want(401)
	o.trySignInWith(cookie, "asha@example.com", password, "10.0.0.3").want(200)
}

// The rate of sign-ins to an account counts a known browser separately from others at the same client address.
func TestAKnownBrowserHasItsOwnRate(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	cookie := o.trySignIn("asha@example.com", password, "10.0.0.1").want(200).markCookie()
	for range 4 {
		o.trySignIn("asha@example.com", "wrong password", "10.0.0.2")
	}
	o.trySignIn("asha@example.com", password, "10.0.0.2").want(429)
	o.trySignInWith(cookie, "asha@example.com", password, "10.0.0.2").want(200)
}

// A mark is valid for 90 days, only for its account, and only if it is unchanged. It does not create a session.
func TestADeviceCookieCountsOnlyForItsAccount(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	o.join("bina")
	ashas := o.trySignIn("asha@example.com", password, "10.0.0.1").want(200).markCookie()
	binas := o.trySignIn("bina@example.com", password, "10.0.0.2").want(200).markCookie()
	if strings.Contains(ashas.Value, "asha") {
		t.Errorf("%s contains the name of the account", ashas.Value)
	}
	o.lockOut("asha@example.com")
	parts := strings.Split(ashas.Value, ".")
	forged := map[string]string{
		"another account's":     binas.Value,
		"another nonce":         parts[0][:23] + "_." + parts[1] + "." + parts[2],
		"another time":          parts[0] + ".9999999999." + parts[2],
		"no signature":          parts[0] + "." + parts[1] + ".",
		"empty":                 "",
		"a session's signature": o.cookies.signer.sign("asha@example.com"),
		"too many":              strings.Repeat(binas.Value+"~", 8) + ashas.Value,
	}
	for name, value := range forged {
		cookie := &http.Cookie{Name: ashas.Name, Value: value}
		if r := o.trySignInWith(cookie, "asha@example.com", password, "10.0.0.3"); r.status != 429 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if r := o.call("", "GET", "/api/auth/get-session", "", "Cookie", ashas.Name+"="+ashas.Value); r.body != "null" {
		t.Errorf("a mark has a session: %s", r.body)
	}
	o.trySignInWith(ashas, "nobody@example.com", password, "10.0.0.4").want(401)
	for day := range 90 { // wrong passwords of other browsers keep the account locked
		o.later(24 * time.Hour)
		for n := range 6 {
			o.trySignIn("asha@example.com", "wrong password", fmt.Sprintf("10.7.%d.%d", day, n))
		}
	}
	o.trySignIn("asha@example.com", password, "10.0.0.6").want(429)
	o.trySignInWith(ashas, "asha@example.com", password, "10.0.0.5").want(429)
}

func TestFailuresOfADeviceDelayOnlyThatDevice(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	cookie := o.trySignIn(asha.Email, password, "10.0.0.1").want(200).markCookie()
	o.trySignInWith(cookie, asha.Email, "wrong password", "10.0.0.1").want(401)
	o.exec(`UPDATE sign_in_attempts SET failures = 5`)
	o.trySignInWith(cookie, asha.Email, "wrong password", "10.0.0.1").want(401)
	o.exec(`UPDATE sign_in_attempts SET blocked_until = blocked_until + interval '10 minutes'`)
	o.trySignInWith(cookie, asha.Email, password, "10.0.0.1").want(429)
	o.trySignIn(asha.Email, password, "10.0.0.2").want(200)
}

// After a hundred failures with marks, none of the account's marks is valid, and further failures count like failures
// without a cookie. An activation by an administrator clears all counters of the account.
func TestDeviceCookiesOfAnAccountShareOneMaximum(t *testing.T) {
	o, _ := limited(t)
	asha, admin := o.join("asha"), o.admin("boss")
	var cookies []*http.Cookie
	for n := range 40 {
		cookies = append(cookies, o.trySignIn(asha.Email, password, fmt.Sprintf("10.0.0.%d", n)).want(200).markCookie())
	}
	verified := 0
	for n, cookie := range cookies {
		for range 3 { // the number of attempts that the rate of one mark allows
			from := fmt.Sprintf("10.1.0.%d", n)
			if r := o.trySignInWith(cookie, asha.Email, "wrong password", from).served(); r.status == 401 {
				verified++
			} else {
				r.want(429)
			}
		}
	}
	// ASVS 6.3.1
	counted := o.count(`SELECT sum(failures) FROM sign_in_attempts WHERE device_of IS NOT NULL`)
	without := o.count(`SELECT sum(failures) FROM sign_in_attempts WHERE device_of IS NULL`)
	if counted != account.MaxFailures || without < 6 || verified != counted+without {
		t.Errorf("%d passwords were verified, %d counted for cookies and %d without", verified, counted, without)
	}
	o.lengthenPause()
	o.trySignIn(asha.Email, password, "10.0.1.1").want(429)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	if n := o.count(`SELECT count(*) FROM sign_in_attempts`); n != 0 {
		t.Errorf("%d counters are still stored", n)
	}
	cookie := o.trySignIn(asha.Email, password, "10.0.1.2").want(200).markCookie()
	o.lockOut(asha.Email)
	o.trySignInWith(cookie, asha.Email, password, "10.0.1.3").want(200)
}

// A browser has a mark for each user that signed in, at most eight, and keeps them at sign-out.
func TestABrowserIsKnownForSeveralUsers(t *testing.T) {
	o, _ := limited(t)
	asha, bina := o.join("asha"), o.join("bina")
	cookie := o.trySignIn(asha.Email, password, "10.0.0.1").want(200).markCookie()
	cookie = o.trySignInWith(cookie, bina.Email, password, "10.0.0.1").want(200).markCookie()
	for _, line := range o.post(bina.Token, "/sign-out", "").want(200).cookies() {
		if strings.Contains(line, markCookie) {
			t.Errorf("sign-out sets %s", line)
		}
	}
	for _, p := range []person{asha, bina} {
		o.lockOut(p.Email)
		cookie = o.trySignInWith(cookie, p.Email, password, "10.0.0.1").want(200).markCookie()
	}
	if marks := strings.Count(cookie.Value, "~") + 1; marks != 2 {
		t.Errorf("the cookie has %d marks", marks)
	}
	for n := range 20 {
		name := fmt.Sprint("u", n)
		o.signUpFrom(name, fmt.Sprintf("10.0.2.%d", n))
		cookie = o.trySignInWith(cookie, name+"@example.com", password, "10.0.0.2").want(200).markCookie()
	}
	if marks := strings.Count(cookie.Value, "~") + 1; marks != mostMarks || len(cookie.Value) > 800 {
		t.Errorf("the cookie has %d marks and %d characters", marks, len(cookie.Value))
	}
}
