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
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
)

func TestSignUpRefusals(t *testing.T) {
	o := open(t)
	o.join("asha")
	cases := []struct {
		name, body   string
		status       int
		code, inBody string
	}{
		{"nothing", `{}`, 400, "VALIDATION_ERROR", "[body.name] Invalid input: expected string, received undefined; [body.email] Invalid input: expected string, received undefined; [body.password]"},
		{"no body", "", 400, "VALIDATION_ERROR", "[body] Invalid input: expected object, received undefined"},
		{"a list", `[]`, 400, "VALIDATION_ERROR", "[body] Invalid input: expected object, received array"},
		{"broken JSON", `{"name":`, 400, "BAD_REQUEST", "Invalid JSON in request body"},
		{"a key twice", `{"name":"A","name":"B"}`, 400, "BAD_REQUEST", ""},
		{"a case variant", `{"email":"a@example.com","EMAIL":"b@example.com"}`, 400, "BAD_REQUEST", ""},
		{"no address", `{"name":"A","email":"asha","password":"` + password + `"}`, 400, "VALIDATION_ERROR", "[body.email] Invalid email address"},
		{"a blank behind the address", `{"name":"A","email":"b@example.com ","password":"` + password + `"}`, 400, "VALIDATION_ERROR", "[body.email]"},
		{"an empty password", `{"name":"A","email":"b@example.com","password":""}`, 400, "VALIDATION_ERROR", "[body.password] Too small"},
		{"a number for a name", `{"name":5,"email":"b@example.com","password":"` + password + `"}`, 400, "VALIDATION_ERROR", "[body.name] Invalid input: expected string, received number"},
		{"a control in the name", `{"name":"A\u0000","email":"b@example.com","password":"` + password + `"}`, 400, "VALIDATION_ERROR", "[body.name]"},
		{"a name of 101", `{"name":"` + strings.Repeat("a", 101) + `","email":"b@example.com","password":"` + password + `"}`, 400, "VALIDATION_ERROR", "[body.name]"},
		{"a short password", `{"name":"A","email":"b@example.com","password":"zq9#k"}`, 400, "PASSWORD_TOO_SHORT", "Password too short"},
		{"a long password", `{"name":"A","email":"b@example.com","password":"` + strings.Repeat("ab", 65) + `"}`, 400, "PASSWORD_TOO_LONG", "Password too long"},
		{"a common password", `{"name":"A","email":"b@example.com","password":"Password1"}`, 400, "PASSWORD_TOO_COMMON", "Password is too common"},
		{"a taken address", `{"name":"A","email":"ASHA@example.com","password":"` + password + `"}`, 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "User already exists. Use another email."},
		{"a callback of another kind", `{"name":"A","email":"b@example.com","password":"` + password + `","callbackURL":5}`, 400, "", "Invalid callbackURL: expected a string"},
		{"a callback elsewhere", `{"callbackURL":"https://evil.example"}`, 403, "INVALID_CALLBACK_URL", "Invalid callbackURL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := o.call("", "POST", "/api/auth/sign-up/email", c.body, "Content-Type", "application/json").want(c.status, c.inBody)
			if got := r.code(); got != c.code {
				t.Errorf("code %q, want %q", got, c.code)
			}
		})
	}
	// ASVS 6.2.4, 6.2.12
	if n := o.count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d accounts were made", n)
	}
}

// S7.auth.09: any failure of a sign-in is an error with a message; the unknown address and the wrong password look the same.
func TestSignInRefusals(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	wrong := o.call("", "POST", "/api/auth/sign-in/email", `{"email":"asha@example.com","password":"wrong password"}`).want(401, "Invalid email or password")
	unknown := o.call("", "POST", "/api/auth/sign-in/email", `{"email":"nobody@example.com","password":"wrong password"}`).want(401)
	if wrong.body != unknown.body || len(wrong.cookies())+len(unknown.cookies()) != 0 {
		t.Errorf("%s differs from %s", wrong.body, unknown.body)
	}
	cases := []struct{ name, body, code string }{
		{"no address", `{"email":"asha","password":"x"}`, "INVALID_EMAIL"},
		{"a long password", `{"email":"asha@example.com","password":"` + strings.Repeat("a", 129) + `"}`, "PASSWORD_TOO_LONG"},
		{"nothing", `{}`, "VALIDATION_ERROR"},
		{"a flag of another type", `{"email":"asha@example.com","password":"x","rememberMe":"no"}`, "VALIDATION_ERROR"},
		{"a lone surrogate", `{"email":"asha@example.com","password":"\ud800"}`, "BAD_REQUEST"},
	}
	for _, c := range cases {
		if r := o.call("", "POST", "/api/auth/sign-in/email", c.body).want(400); r.code() != c.code {
			t.Errorf("%s: %s", c.name, r.body)
		}
	}
	events := o.events(asha.ID)
	if last := events[len(events)-1]; last.Type != "session_sign_in_failed" || last.Actor.ID != "" {
		t.Errorf("announced %+v; who failed is not proven", last)
	}
}

// Forms are taken by sign-in and sign-up alone; other media types by nobody.
func TestMediaTypes(t *testing.T) {
	o := open(t)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	o.call("", "POST", "/api/auth/sign-up/email", "name=A&email=a%40example.com&password=right+horse+battery", form...).want(200)
	o.call("", "POST", "/api/auth/sign-in/email", "email=a%40example.com&password=right+horse+battery", form...).want(200)
	r := o.call("", "POST", "/api/auth/sign-out", "a=b", form...).want(415, `Content-Type \"application/x-www-form-urlencoded\" is not allowed. Allowed types: application/json`)
	if r.code() != "UNSUPPORTED_MEDIA_TYPE" {
		t.Error(r.body)
	}
	o.call("", "POST", "/api/auth/sign-in/email", "{}", "Content-Type", "text/plain").want(415, "Allowed types: application/x-www-form-urlencoded, application/json")
	o.call("", "POST", "/api/auth/sign-in/email", "{}", "Content-Type", "application/json; charset=utf-16").want(415)
	o.call("", "POST", "/api/auth/sign-in/email", "{}", "Content-Encoding", "gzip").want(415)
	o.call("", "POST", "/api/auth/sign-in/email", strings.Repeat(" ", 64<<10)+"{}").want(413)
}

// Under /api/auth an unknown path, a trailing slash and another verb are 404 with an empty body.
func TestUnknownCalls(t *testing.T) {
	o := open(t)
	for _, call := range []string{"GET /api/auth", "GET /api/auth/", "GET /api/auth/nothing", "GET /api/auth/ok/", "POST /api/auth/ok", "HEAD /api/auth/ok",
		"OPTIONS /api/auth/get-session", "GET /api/auth/sign-in/email", "DELETE /api/auth/sign-out", "GET /api/auth//ok"} {
		method, path, _ := strings.Cut(call, " ")
		if r := o.raw(method, path, ""); r.status != 404 || r.body != "" || r.header.Get("Allow") != "" {
			t.Errorf("%s: %d %q", call, r.status, r.body)
		}
	}
	if r := o.raw("DELETE", "/api/users", ""); r.status != 405 || !strings.Contains(r.body, "method_not_allowed") {
		t.Errorf("a product call under another verb: %d %s", r.status, r.body)
	}
	if r := o.raw("GET", "/api/authority", ""); r.status != 404 || !strings.Contains(r.body, "not_found") {
		t.Errorf("a path beside it: %d %s", r.status, r.body)
	}
}

// Two sign-ups of one address at once make one account.
func TestSignUpRace(t *testing.T) {
	o := open(t)
	var race sync.WaitGroup
	var mu sync.Mutex
	answers := map[int]int{}
	for range 4 {
		race.Go(func() {
			r := o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"a@example.com","password":"`+password+`"}`)
			mu.Lock()
			answers[r.status]++
			mu.Unlock()
		})
	}
	race.Wait()
	if answers[200] != 1 || answers[422] != 3 || o.count(`SELECT count(*) FROM users`) != 1 || o.count(`SELECT count(*) FROM accounts`) != 1 {
		t.Errorf("answers %v", answers)
	}
}

func limited(t *testing.T) (*office, *testkit.Redis) {
	redis := testkit.NewRedis(t)
	return openLimited(t, limit.New(redis.Client)), redis
}

func (o *office) guess(email, with, from string) reply {
	return o.call("", "POST", "/api/auth/sign-in/email", `{"email":"`+email+`","password":"`+with+`"}`, "X-Forwarded-For", from)
}

// Five failures are free, then each costs a pause that doubles, for a known and an unknown address alike; the right
// password afterwards clears the count.
func TestFailuresAreDelayed(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	for _, email := range []string{"asha@example.com", "nobody@example.com"} {
		for n := range 6 {
			o.guess(email, "wrong password", fmt.Sprintf("10.0.0.%d", n+1)).want(401)
		}
		r := o.guess(email, password, "10.0.1.1").want(429, `{"message":"Too many requests. Please try again later."}`)
		// ASVS 6.3.1
		if r.header.Get("Retry-After") != "1" || r.header.Get("X-Retry-After") != "1" {
			t.Errorf("asks to wait %s", r.header.Get("Retry-After"))
		}
	}
	o.later(time.Second)
	o.guess("asha@example.com", "wrong password", "10.0.1.2").want(401)
	if r := o.guess("asha@example.com", password, "10.0.1.3").want(429); r.header.Get("Retry-After") != "2" {
		t.Errorf("asks to wait %s", r.header.Get("Retry-After"))
	}
	o.later(2 * time.Second)
	o.guess("asha@example.com", password, "10.0.1.4").want(200)
	o.guess("asha@example.com", "wrong password", "10.0.1.5").want(401)
	o.guess("asha@example.com", password, "10.0.1.6").want(200)
}

// After a hundred failures in a row nobody gets in until an administrator vouches.
func TestGuessingEnds(t *testing.T) {
	o, _ := limited(t)
	asha, admin := o.join("asha"), o.admin("boss")
	if _, err := o.db.Pool.Exec(context.Background(), `INSERT INTO sign_in_attempts VALUES ($1, $2, now(), now())`, digest(asha.Email), account.MaxFailures-1); err != nil {
		t.Fatal(err)
	}
	o.guess(asha.Email, "wrong password", "10.0.0.1").want(401)
	o.later(24 * time.Hour)
	// ASVS 6.3.1
	if r := o.guess(asha.Email, password, "10.0.0.2").want(429); r.header.Get("Retry-After") != "900" {
		t.Errorf("asks to wait %s", r.header.Get("Retry-After"))
	}
	admin.Token = o.signedIn(admin.Email)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	o.guess(asha.Email, password, "10.0.0.3").want(200)
}

// Guesses that come at once do not outrun the count.
func TestParallelGuesses(t *testing.T) {
	o, _ := limited(t)
	o.join("asha")
	var judged, race = make(chan bool, 40), sync.WaitGroup{}
	for n := range 40 {
		race.Go(func() {
			if r := o.guess("asha@example.com", "wrong password", fmt.Sprintf("10.0.2.%d", n)); r.status == 401 {
				judged <- true
			}
		})
	}
	race.Wait()
	// ASVS 6.3.1
	if n := len(judged); n > 6 {
		t.Errorf("%d guesses were judged at once, 6 are allowed", n)
	}
}

// One account from one address three times in ten seconds, sign-ups from one address likewise.
func TestRates(t *testing.T) {
	o, redis := limited(t)
	o.join("asha")
	for range 3 {
		o.guess("asha@example.com", password, "10.0.0.1").want(200)
	}
	// ASVS 2.3.2
	o.guess("asha@example.com", password, "10.0.0.1").want(429)
	o.guess("asha@example.com", password, "10.0.0.2").want(200)
	up := func(n int) reply {
		return o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"`+fmt.Sprint("u", n)+`@example.com","password":"`+password+`"}`, "X-Forwarded-For", "10.0.0.9")
	}
	for n := range 3 {
		up(n).want(200)
	}
	up(4).want(429)
	redis.Stop() // the limit is never open
	for n := range 3 {
		up(10 + n)
	}
	up(20).want(429)
}

// A user has ten sessions; the oldest makes room, and is told as revoked.
func TestTenSessions(t *testing.T) {
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
	if r := o.call(asha.Token, "GET", "/api/auth/get-session", ""); r.body != "null" {
		t.Error("the oldest is still there")
	}
	if got := o.types(asha.ID); strings.Count(got, "session_revoked") != 1 {
		t.Errorf("announced %s", got)
	}
}

// A hash imported from better-auth signs in and is replaced.
func TestImportedHash(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	salt := hex.EncodeToString([]byte("sixteen bytes ok"))
	key, err := scrypt.Key([]byte("imported password"), []byte(salt), 16384, 16, 1, 64)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.db.Pool.Exec(context.Background(), `UPDATE accounts SET password = $1`, salt+":"+hex.EncodeToString(key)); err != nil {
		t.Fatal(err)
	}
	o.guess(asha.Email, "another password", "10.0.0.1").want(401)
	o.guess(asha.Email, "imported password", "10.0.0.1").want(200)
	if n := o.count(`SELECT count(*) FROM accounts WHERE password LIKE '$argon2id$%'`); n != 1 {
		// ASVS 11.2.2
		t.Error("the old hash is kept")
	}
	o.guess(asha.Email, "imported password", "10.0.0.1").want(200)
}

// A password in another Unicode form of the same text is the same password.
func TestPasswordsAreNormalised(t *testing.T) {
	o := open(t)
	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"a@example.com","password":"caf\u00e9 \ufb01ne"}`).want(200)
	o.guess("a@example.com", `cafe\u0301 fine`, "10.0.0.1").want(200)
}

// When more passwords wait than the queue holds, the rest is told to come again, and nothing is counted against them.
func TestBusyHasher(t *testing.T) {
	o, _ := limited(t)
	asha := o.join("asha")
	o.hasher.waiting.Add(1000)
	r := o.guess(asha.Email, password, "10.0.0.1").want(503)
	// ASVS 15.2.2
	if r.code() != "busy" || r.header.Get("Retry-After") == "" {
		t.Error(r.body)
	}
	o.hasher.waiting.Add(-1000)
	o.guess(asha.Email, password, "10.0.0.2").want(200)

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
		t.Errorf("a caller who left is answered %v", err)
	}
}
