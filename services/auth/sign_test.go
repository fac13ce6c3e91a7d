package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/scrypt"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
)

// Spaces around an address are accepted; the address is stored without them.
func TestAnAddressIsTakenWithoutTheSpacesAroundIt(t *testing.T) {
	o := open(t)
	var got struct{ User struct{ Email string } }
	o.post("", "/sign-up/email", body("name", "Asha", "email", " Asha@Example.com \u200b", "password", password)).
		want(200).into(&got)
	if got.User.Email != "asha@example.com" {
		t.Errorf("stored is %q", got.User.Email)
	}
	o.post("", "/sign-in/email", body("email", "asha@example.com\u00a0", "password", password)).want(200)
	admin := o.admin("boss")
	o.call(admin.Token, "POST", "/api/users", body("name", "Ravi", "email", "ravi@example.com ", "role", "pa")).
		want(201, `"ravi@example.com"`)
	o.post(admin.Token, "/change-email", body("newEmail", "\u00a0Boss.New@example.com ")).want(200)
	o.get(o.confirmation("boss.new@example.com", 1)).want(200, `"email":"boss.new@example.com"`)
}

// Each error has a sentence for people, even if better-auth has only the text of its validator.
func TestNoTextOfTheValidatorIsTheSentence(t *testing.T) {
	o := open(t)
	for sent, want := range map[string]string{
		body("name", "A", "email", "asha", "password", password):    `"error":"Please enter a valid email address"`,
		body("name", "A", "email", "a@example.com", "password", ""): `"error":"Please enter a password"`,
		`{}`: `"error":"The request could not be read. Please try again."`,
	} {
		o.post("", "/sign-up/email", sent).want(400, want)
	}
	o.post("", "/sign-up/email", body("name", "A", "email", "asha", "password", password)).
		want(400, `"fields":{"email":"Please enter a valid email address"}`, `"field_codes":{"email":"invalid_email"}`)
}

func TestInvalidSignUpsAreRejected(t *testing.T) {
	o := open(t)
	o.join("asha")
	const invalid = "VALIDATION_ERROR"
	signUp := func(name, email, password string) string {
		return body("name", name, "email", email, "password", password)
	}
	cases := []struct {
		name, body   string
		status       int
		code, inBody string
	}{
		{"nothing", `{}`, 400, invalid, "[body.name] Invalid input: expected string, received undefined; " +
			"[body.email] Invalid input: expected string, received undefined; [body.password]"},
		{"no body", "", 400, invalid, "[body] Invalid input: expected object, received undefined"},
		{"a list", `[]`, 400, invalid, "[body] Invalid input: expected object, received array"},
		{"broken JSON", `{"name":`, 400, "BAD_REQUEST", "Invalid JSON in request body"},
		{"a repeated key", `{"name":"A","name":"B"}`, 400, "BAD_REQUEST", ""},
		{"a case variant", `{"email":"a@example.com","EMAIL":"b@example.com"}`, 400, "BAD_REQUEST", ""},
		{"no address", signUp("A", "asha", password), 400, invalid, "[body.email] Invalid email address"},
		{"an empty password", signUp("A", "b@example.com", ""), 400, invalid, "[body.password] Too small"},
		{"a number for a name", `{"name":5,"email":"b@example.com","password":"` + password + `"}`, 400, invalid,
			"[body.name] Invalid input: expected string, received number"},
		{"a control in the name", signUp("A\x00", "b@example.com", password), 400, invalid, "[body.name]"},
		{"a name of 101", signUp(strings.Repeat("a", 101), "b@example.com", password), 400, invalid, "[body.name]"},
		{"a short password", signUp("A", "b@example.com", "zq9#k"), 400, "PASSWORD_TOO_SHORT", "Password too short"},
		{"a long password", signUp("A", "b@example.com", strings.Repeat("ab", 65)), 400, "PASSWORD_TOO_LONG",
			"Password too long"},
		{"a common password", signUp("A", "b@example.com", "Password1"), 400, "PASSWORD_TOO_COMMON",
			"Password is too common"},
		{"a taken address", signUp("A", "ASHA@example.com", password), 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			"User already exists. Use another email."},
		{"a callback of another type", `{"name":"A","email":"b@example.com","password":"x","callbackURL":5}`, 400, "",
			"Invalid callbackURL: expected a string"},
		{"a callback of another site", `{"callbackURL":"https://evil.example"}`, 403, "INVALID_CALLBACK_URL",
			"Invalid callbackURL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := o.post("", "/sign-up/email", c.body, "Content-Type", "application/json").want(c.status, c.inBody)
			if got := r.code(); got != c.code {
				t.Errorf("code %q, want %q", got, c.code)
			}
		})
	}
	// ASVS 6.2.4, 6.2.12
	if n := o.count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d accounts were created", n)
	}
}

// S7.auth.09: each failed sign-in has an error with a message. The responses for an unknown address and a wrong
// password are equal.
func TestInvalidSignInsAreRejected(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	wrong := o.trySignIn("asha@example.com", "wrong password", "10.0.0.1").want(401, "Invalid email or password")
	unknown := o.trySignIn("nobody@example.com", "wrong password", "10.0.0.1").want(401)
	if wrong.body != unknown.body || len(wrong.cookies())+len(unknown.cookies()) != 0 {
		t.Errorf("%s differs from %s", wrong.body, unknown.body)
	}
	cases := []struct{ name, body, code string }{
		{"no address", credentials("asha", "x"), "INVALID_EMAIL"},
		{"a long password", credentials("asha@example.com", strings.Repeat("a", 129)), "PASSWORD_TOO_LONG"},
		{"nothing", `{}`, "VALIDATION_ERROR"},
		{"a flag of another type", `{"email":"asha@example.com","password":"x","rememberMe":"no"}`, "VALIDATION_ERROR"},
		{"a lone surrogate", `{"email":"asha@example.com","password":"\ud800"}`, "BAD_REQUEST"},
	}
	for _, c := range cases {
		o.post("", "/sign-in/email", c.body).wantCode(400, c.code)
	}
	events := o.events(asha.ID)
	if last := events[len(events)-1]; last.Type != "session_sign_in_failed" || last.Actor.ID != "" {
		t.Errorf("published %+v, want an event without a user as its actor", last)
	}
}

// Only sign-in and sign-up accept forms. No call accepts a media type other than JSON and forms.
func TestOnlySignInAndSignUpAcceptForms(t *testing.T) {
	o := open(t)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	o.post("", "/sign-up/email", "name=A&email=a%40example.com&password=right+horse+battery", form...).want(200)
	o.post("", "/sign-in/email", "email=a%40example.com&password=right+horse+battery", form...).want(200)
	o.post("", "/sign-out", "a=b", form...).
		want(415, `\"application/x-www-form-urlencoded\" is not allowed. Allowed types: application/json`).
		wantCode(415, "UNSUPPORTED_MEDIA_TYPE")
	o.post("", "/sign-in/email", "{}", "Content-Type", "text/plain").
		want(415, "Allowed types: application/x-www-form-urlencoded, application/json")
	o.post("", "/sign-in/email", "{}", "Content-Type", "application/json; charset=utf-16").want(415)
	o.post("", "/sign-in/email", "{}", "Content-Encoding", "gzip").want(415)
	o.post("", "/sign-in/email", strings.Repeat(" ", 64<<10)+"{}").want(413)
}

// Under /api/auth, an unknown path, a trailing slash and a method that the path lacks result in 404 with an empty body.
func TestUnknownCallsAreEmpty404s(t *testing.T) {
	o := open(t)
	for _, call := range []string{
		"GET /api/auth", "GET /api/auth/", "GET /api/auth/nothing", "GET /api/auth/ok/", "POST /api/auth/ok",
		"HEAD /api/auth/verify-email", "HEAD /api/auth/reset-password/x", "OPTIONS /api/auth/get-session",
		"GET /api/auth/sign-in/email",
		"DELETE /api/auth/sign-out", "GET /api/auth//ok",
	} {
		method, path, _ := strings.Cut(call, " ")
		if r := o.raw(method, path, ""); r.status != 404 || r.body != "" || r.header.Get("Allow") != "" {
			t.Errorf("%s: %d %q", call, r.status, r.body)
		}
	}
	for _, path := range []string{"/api/auth/ok", "/api/auth/get-session"} {
		if r := o.raw("HEAD", path, ""); r.status != 200 {
			t.Errorf("HEAD %s: %d %q", path, r.status, r.body)
		}
	}
	if r := o.raw("DELETE", "/api/users", ""); r.status != 405 || !strings.Contains(r.body, "method_not_allowed") {
		t.Errorf("a call of /api/users with another method: %d %s", r.status, r.body)
	}
	if r := o.raw("GET", "/api/authority", ""); r.status != 404 || !strings.Contains(r.body, "not_found") {
		t.Errorf("another path with the same prefix: %d %s", r.status, r.body)
	}
}

func TestARepeatedQueryKeyIsNamed(t *testing.T) {
	o := open(t)
	for target, want := range map[string]string{
		"/api/auth/verify-email?token=a&token=b":                   `Query key "token" is repeated`,
		"/api/auth/get-session?disableRefresh=1&disableRefresh=1":  `Query key "disableRefresh" is repeated`,
		"/api/auth/reset-password/x?callbackURL=/&%00%ff=&%00%ff=": `Query key "\x00\xff" is repeated`,
	} {
		var got struct{ Message string }
		r := o.raw("GET", target, "")
		r.wantCode(400, "BAD_REQUEST").into(&got)
		if got.Message != want {
			t.Errorf("%s: message %q, want %q", target, got.Message, want)
		}
	}
}

func TestConcurrentSignUpsCreateOneAccount(t *testing.T) {
	o := open(t)
	var race sync.WaitGroup
	var mu sync.Mutex
	answers := map[int]int{}
	for range 4 {
		race.Go(func() {
			r := o.post("", "/sign-up/email", registration("a")).served()
			mu.Lock()
			answers[r.status]++
			mu.Unlock()
		})
	}
	race.Wait()
	users, accounts := o.count(`SELECT count(*) FROM users`), o.count(`SELECT count(*) FROM accounts`)
	if answers[200] != 1 || answers[422] != 3 || users != 1 || accounts != 1 {
		t.Errorf("statuses %v, %d users, %d accounts", answers, users, accounts)
	}
}

// The sixth wrong password and each one after it cause a pause that doubles each time, for known and unknown addresses.
// The correct password clears the counter.
func TestWrongPasswordsAreDelayed(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	for _, email := range []string{"asha@example.com", "nobody@example.com"} {
		for n := range 6 {
			o.trySignIn(email, "wrong password", fmt.Sprintf("10.0.0.%d", n+1)).want(401)
		}
		// ASVS 6.3.1
		o.pauses(email, 1)
		o.trySignIn(email, password, "10.0.1.1").want(429)
	}
	o.later(20*time.Minute + time.Second) // pauses has lengthened the pause of the first address twice
	o.trySignIn("asha@example.com", "wrong password", "10.0.1.2").want(401)
	o.pauses("asha@example.com", 2)
	o.trySignIn("asha@example.com", password, "10.0.1.3").want(429)
	o.later(10*time.Minute + 2*time.Second)
	o.trySignIn("asha@example.com", password, "10.0.1.4").want(200)
	o.trySignIn("asha@example.com", "wrong password", "10.0.1.5").want(401)
	o.trySignIn("asha@example.com", password, "10.0.1.6").want(200)
}

// After a hundred consecutive failures, only an administrator's activation or a password reset opens sign-in again.
func TestSignInClosesAfterAHundredFailures(t *testing.T) {
	o, _ := limited(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.exec(`INSERT INTO sign_in_attempts VALUES ($1, $2, now(), now())`, data.Digest(asha.Email), account.MaxFailures-1)
	o.trySignIn(asha.Email, "wrong password", "10.0.0.1").want(401)
	o.later(24 * time.Hour)
	// ASVS 6.3.1
	o.trySignIn(asha.Email, password, "10.0.0.2").wantPause("900")
	admin.Token = o.signedIn(admin.Email)
	for n, change := range []string{`{"name":"Asha"}`, `{"isActive":false}`} {
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, change).want(200)
		o.trySignIn(asha.Email, password, fmt.Sprint("10.0.1.", n)).wantPause("900")
	}
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	o.trySignIn(asha.Email, password, "10.0.0.3").want(200)
}

func TestConcurrentGuessesAreCounted(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	began := time.Now()
	var verified, race = make(chan bool, 40), sync.WaitGroup{}
	for n := range 40 {
		race.Go(func() {
			if r := o.trySignIn("asha@example.com", "wrong password", fmt.Sprintf("10.0.2.%d", n)); r.status == 401 {
				verified <- true
			}
		})
	}
	race.Wait()
	most := 6
	for took := time.Since(began); took >= account.Pause(most); most++ { // a pause has ended during the race
		took -= account.Pause(most)
	}
	// ASVS 6.3.1
	if n := len(verified); n > most {
		t.Errorf("%d concurrent guesses were verified, want %d at most", n, most)
	}
}

// A client address can sign in to one account three times in ten seconds, and sign up three times in ten seconds.
func TestSignInAndSignUpAreRateLimited(t *testing.T) {
	o, redis := limited(t)
	o.join("asha")
	for range 3 {
		o.trySignIn("asha@example.com", password, "10.0.0.1").want(200)
	}
	// ASVS 2.3.2
	o.trySignIn("asha@example.com", password, "10.0.0.1").want(429)
	o.trySignIn("asha@example.com", password, "10.0.0.2").want(200)
	up := func(n int) reply {
		return o.post("", "/sign-up/email", registration(fmt.Sprint("u", n)), "X-Forwarded-For", "10.0.0.9")
	}
	for n := range 3 {
		up(n).want(200)
	}
	up(4).want(429)
	redis.Stop() // The service then counts in its own memory.
	for n := range 3 {
		up(10 + n)
	}
	up(20).want(429)
}

// A user's eleventh session ends the oldest one, with an event.
func TestAUserHasAtMostTenSessions(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	for n := range 10 {
		o.later(time.Second)
		o.signedIn(asha.Email, "X-Forwarded-For", fmt.Sprintf("10.0.3.%d", n))
	}
	// ASVS 2.3.2, 7.1.2
	if n := o.count(`SELECT count(*) FROM sessions`); n != 10 {
		t.Errorf("%d sessions", n)
	}
	if r := o.getSession(asha.Token); r.body != "null" {
		t.Error("the oldest session is still live")
	}
	if got := o.types(asha.ID); strings.Count(got, "session_revoked") != 1 {
		t.Errorf("published %s", got)
	}
}

// A sign-in with a hash imported from better-auth replaces the hash. The test uses cheap parameters: with the race
// detector on a busy machine, one of better-auth's hashes can take longer than the timeout of a request.
func TestAnImportedHashIsReplaced(t *testing.T) {
	o := open(t)
	o.hasher.imported = scryptCost{n: 16, r: 16, p: 1}
	asha := o.join("asha")
	salt := hex.EncodeToString([]byte("sixteen bytes ok"))
	key, err := scrypt.Key([]byte("imported password"), []byte(salt), 16, 16, 1, 64)
	if err != nil {
		t.Fatal(err)
	}
	o.exec(`UPDATE accounts SET password = $1`, salt+":"+hex.EncodeToString(key))
	o.trySignIn(asha.Email, "another password", "10.0.0.1").want(401)
	o.trySignIn(asha.Email, "imported password", "10.0.0.1").want(200)
	if n := o.count(`SELECT count(*) FROM accounts WHERE password LIKE '$argon2id$%'`); n != 1 {
		// ASVS 11.2.2
		t.Error("the old hash is kept")
	}
	o.trySignIn(asha.Email, "imported password", "10.0.0.1").want(200)
}

// Unicode forms of the same text are the same password.
func TestPasswordsAreNormalised(t *testing.T) {
	o := open(t)
	signUp := body("name", "A", "email", "a@example.com", "password", "caf\u00e9 \ufb01ne")
	o.post("", "/sign-up/email", signUp).want(200)
	o.trySignIn("a@example.com", "cafe\u0301 fine", "10.0.0.1").want(200)
}

// A sign-in that finds the hash queue full results in 503 with Retry-After, and is not counted as a failure.
func TestAFullHashQueueIsBusy(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	o.hasher.waiting.Add(1000)
	r := o.trySignIn(asha.Email, password, "10.0.0.1").want(503)
	// ASVS 15.2.2
	if r.code() != "busy" || r.header.Get("Retry-After") == "" {
		t.Error(r.body)
	}
	o.hasher.waiting.Add(-1000)
	o.trySignIn(asha.Email, password, "10.0.0.2").want(200)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := o.hasher.slots.Acquire(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	defer o.hasher.slots.Release(1)
	if err := o.hasher.slots.Acquire(context.Background(), int64(hashSlots)-1); err != nil {
		t.Fatal(err)
	}
	defer o.hasher.slots.Release(int64(hashSlots) - 1)
	if _, err := o.hasher.hash(ctx, password); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a cancelled request got %v", err)
	}
}
