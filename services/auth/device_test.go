package auth

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"baari.dev/services/auth/account"
)

// deviceOf is the device cookie that an answer sets.
func (r reply) deviceOf() *http.Cookie {
	r.t.Helper()
	for _, line := range r.cookies() {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookie.Name == deviceCookie {
			return cookie
		}
	}
	r.t.Fatalf("sets no device cookie: %v", r.cookies())
	return nil
}

// guessFrom is a sign-in of a browser with a device cookie.
func (o *office) guessFrom(device *http.Cookie, email, with, from string) reply {
	return o.call("", "POST", "/api/auth/sign-in/email", `{"email":"`+email+`","password":"`+with+`"}`,
		"X-Forwarded-For", from, "Cookie", device.Name+"="+device.Value, "Origin", site)
}

// lockOut makes strangers fail until everybody without a device cookie must wait.
func (o *office) lockOut(email string) {
	o.t.Helper()
	for n := range 6 {
		o.guess(email, "wrong password", fmt.Sprintf("10.7.0.%d", n)).want(401)
	}
	o.guess(email, password, "10.7.1.1").want(429)
}

// Guesses of strangers do not make a browser wait that has signed in before, not even when they have reached the hard stop.
func TestStrangersDoNotLockOutAKnownBrowser(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	device := o.guess("asha@example.com", password, "10.0.0.1").want(200).deviceOf()
	o.lockOut("asha@example.com")
	// ASVS 6.3.1
	device = o.guessFrom(device, "asha@example.com", password, "10.0.0.1").want(200).deviceOf()
	o.guess("asha@example.com", password, "10.7.1.2").want(429) // and its success does not help the strangers

	for n := range account.MaxFailures {
		o.later(account.LongestPause)
		o.guess("asha@example.com", "wrong password", fmt.Sprintf("10.7.2.%d", n))
	}
	o.later(24 * time.Hour)
	o.guess("asha@example.com", password, "10.7.3.1").want(429)
	o.guessFrom(device, "asha@example.com", "wrong password", "10.0.0.2").want(401)
	o.guessFrom(device, "asha@example.com", password, "10.0.0.3").want(200)
}

// The rate of one account from one address counts a known browser by itself: strangers may share the office's address.
func TestStrangersAtTheSameAddress(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	device := o.guess("asha@example.com", password, "10.0.0.1").want(200).deviceOf()
	for range 4 {
		o.guess("asha@example.com", "wrong password", "10.0.0.2")
	}
	o.guess("asha@example.com", password, "10.0.0.2").want(429)
	o.guessFrom(device, "asha@example.com", password, "10.0.0.2").want(200)
}

// A device cookie counts for the account it was issued for, unchanged, for 90 days, and signs nobody in.
func TestDeviceCookieOfAnother(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	o.join("bina")
	ashas := o.guess("asha@example.com", password, "10.0.0.1").want(200).deviceOf()
	binas := o.guess("bina@example.com", password, "10.0.0.2").want(200).deviceOf()
	if strings.Contains(ashas.Value, "asha") {
		t.Errorf("%s tells whose it is", ashas.Value)
	}
	o.lockOut("asha@example.com")
	parts := strings.Split(ashas.Value, ".")
	forged := map[string]string{
		"another account's": binas.Value, "another nonce": parts[0][:23] + "_." + parts[1] + "." + parts[2],
		"another time": parts[0] + ".9999999999." + parts[2], "no signature": parts[0] + "." + parts[1] + ".", "empty": "",
		"a session's signature": o.Service.cookies.signer.sign("asha@example.com"), "many": strings.Repeat(binas.Value+"~", 8) + ashas.Value,
	}
	for name, value := range forged {
		if r := o.guessFrom(&http.Cookie{Name: ashas.Name, Value: value}, "asha@example.com", password, "10.0.0.3"); r.status != 429 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	if r := o.call("", "GET", "/api/auth/get-session", "", "Cookie", ashas.Name+"="+ashas.Value); r.body != "null" {
		t.Errorf("a device cookie is a session: %s", r.body)
	}
	o.guessFrom(ashas, "nobody@example.com", password, "10.0.0.4").want(401)
	for day := range 90 { // strangers go on, so that the account stays locked
		o.later(24 * time.Hour)
		for n := range 6 {
			o.guess("asha@example.com", "wrong password", fmt.Sprintf("10.7.%d.%d", day, n))
		}
	}
	o.guess("asha@example.com", password, "10.0.0.6").want(429)
	o.guessFrom(ashas, "asha@example.com", password, "10.0.0.5").want(429)
}

// Failures with a device cookie make that browser wait, and no other.
func TestFailuresOfADeviceAreDelayed(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	device := o.guess(asha.Email, password, "10.0.0.1").want(200).deviceOf()
	o.guessFrom(device, asha.Email, "wrong password", "10.0.0.1").want(401)
	if _, err := o.db.Pool.Exec(t.Context(), `UPDATE sign_in_attempts SET failures = 5`); err != nil {
		t.Fatal(err)
	}
	o.guessFrom(device, asha.Email, "wrong password", "10.0.0.1").want(401)
	if r := o.guessFrom(device, asha.Email, password, "10.0.0.1").want(429); r.header.Get("Retry-After") != "1" {
		t.Errorf("asks to wait %s", r.header.Get("Retry-After"))
	}
	o.guess(asha.Email, password, "10.0.0.2").want(200)
}

// A hundred failures with device cookies end their use, however many cookies an account has; further guesses count as those
// of strangers, until an administrator vouches.
func TestGuessesWithDeviceCookiesEnd(t *testing.T) {
	o, _ := limited(t)
	asha, admin := o.join("asha"), o.admin("boss")
	var devices []*http.Cookie
	for n := range 40 {
		devices = append(devices, o.guess(asha.Email, password, fmt.Sprintf("10.0.0.%d", n)).want(200).deviceOf())
	}
	judged := 0
	for n, device := range devices {
		for range 3 { // the rate of one device
			if r := o.guessFrom(device, asha.Email, "wrong password", fmt.Sprintf("10.1.0.%d", n)); r.status == 401 {
				judged++
			} else {
				r.want(429)
			}
		}
	}
	// ASVS 6.3.1
	if of := o.count(`SELECT sum(failures) FROM sign_in_attempts WHERE device_of IS NOT NULL`); of != account.MaxFailures || judged != of+6 {
		t.Errorf("%d guesses were judged, %d of them counted for devices", judged, of)
	}
	last := o.guess(asha.Email, password, "10.0.1.1").want(429)
	if last.header.Get("Retry-After") != "1" {
		t.Errorf("asks to wait %s", last.header.Get("Retry-After"))
	}
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	if n := o.count(`SELECT count(*) FROM sign_in_attempts`); n != 0 {
		t.Errorf("%d counters are left", n)
	}
	device := o.guess(asha.Email, password, "10.0.1.2").want(200).deviceOf()
	o.lockOut(asha.Email)
	o.guessFrom(device, asha.Email, password, "10.0.1.3").want(200)
}

// A browser that several people use is known for each of them, and keeps its mark when somebody signs out.
func TestSharedBrowser(t *testing.T) {
	o, _ := limited(t)
	asha, bina := o.join("asha"), o.join("bina")
	device := o.guess(asha.Email, password, "10.0.0.1").want(200).deviceOf()
	device = o.guessFrom(device, bina.Email, password, "10.0.0.1").want(200).deviceOf()
	for _, line := range o.call(bina.Token, "POST", "/api/auth/sign-out", "").want(200).cookies() {
		if strings.Contains(line, deviceCookie) {
			t.Errorf("sign-out sets %s", line)
		}
	}
	for _, p := range []person{asha, bina} {
		o.lockOut(p.Email)
		device = o.guessFrom(device, p.Email, password, "10.0.0.1").want(200).deviceOf()
	}
	if marks := strings.Count(device.Value, "~") + 1; marks != 2 {
		t.Errorf("the cookie has %d marks", marks)
	}
	for n := range 20 {
		name := fmt.Sprint("u", n)
		o.signUpFrom(name, fmt.Sprintf("10.0.2.%d", n))
		device = o.guessFrom(device, name+"@example.com", password, "10.0.0.2").want(200).deviceOf()
	}
	if marks := strings.Count(device.Value, "~") + 1; marks != maxDevices || len(device.Value) > 800 {
		t.Errorf("the cookie has %d marks and %d characters", marks, len(device.Value))
	}
}
