package identity

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/request"
)

const secret = "a secret of at least thirty-two characters"

func claims(edit ...func(*jwt.RegisteredClaims)) jwt.RegisteredClaims {
	now := time.Now()
	c := jwt.RegisteredClaims{Issuer: "baari", Subject: "shop", Audience: jwt.ClaimStrings{"auth"},
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute))}
	for _, change := range edit {
		change(&c)
	}
	return c
}

func sign(t *testing.T, method jwt.SigningMethod, key any, c jwt.Claims) string {
	t.Helper()
	token, err := jwt.NewWithClaims(method, c).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// A service token is accepted only if it was signed by one of our services, for this service, with the expected
// algorithm, and with a short validity.
func TestInvalidServiceTokensAreRejected(t *testing.T) {
	auth, shop := keysOf(t, "auth"), keysOf(t, "shop")
	good, err := shop.Token("auth")
	if err != nil {
		t.Fatal(err)
	}
	tokens := NewServiceTokens(auth)
	for range 2 { // the second result comes from the cache, unlike those of the invalid tokens below
		if caller, shared, err := tokens.Verify(bearing("Bearer " + good)); err != nil || caller != "shop" || shared {
			t.Errorf("a good token gave %q, %v, %v", caller, shared, err)
		}
	}
	hs, ed, own := jwt.SigningMethodHS256, jwt.SigningMethodEdDSA, shop.Private.key
	for name, token := range map[string]string{
		"none at all":                "",
		"no token":                   "abc",
		"a staff token":              "evbEZpT1RnH8MhmHjgMNC8UyIsT2uIAE",
		"unsigned":                   sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims()),
		"another algorithm":          sign(t, jwt.SigningMethodHS512, []byte(secret), claims()),
		"a shared secret":            sign(t, hs, []byte(secret), claims()),
		"the public key as a secret": sign(t, hs, []byte(auth.Public["shop"][0]), claims()),
		"the key of another":         sign(t, ed, keysOf(t, "till").Private.key, claims()),
		"another name":               sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.Subject = "operator" })),
		"an unknown name":            sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.Subject = "nobody" })),
		"no name":                    sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.Subject = "" })),
		"another audience": sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) {
			c.Audience = jwt.ClaimStrings{"shop"}
		})),
		"no audience":    sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.Audience = nil })),
		"another issuer": sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.Issuer = "other" })),
		"expired": sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) {
			c.ExpiresAt = jwt.NewNumericDate(time.Now().Add(-6 * time.Second))
		})),
		"for ever": sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.ExpiresAt = nil })),
		"for a year": sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) {
			c.ExpiresAt = jwt.NewNumericDate(time.Now().AddDate(1, 0, 0))
		})),
		"from no time":        sign(t, ed, own, claims(func(c *jwt.RegisteredClaims) { c.IssuedAt = nil })),
		"its own key":         withItsOwnKey(t),
		"a changed letter":    withAnotherLetter(good, len(good)-40),
		"a signature missing": good[:len(good)-86],
	} {
		// ASVS 9.1.1, 9.1.2, 9.1.3, 9.2.1, 9.2.2, 9.2.3, 9.2.4
		if caller, _, err := tokens.Verify(bearing("Bearer " + token)); !errors.Is(err, fault.ErrUnauthorized) {
			t.Errorf("%s: let in %q, %v", name, caller, err)
		}
	}
}

func TestAKnownServiceTokenExpires(t *testing.T) {
	auth := keysOf(t, "auth")
	token, err := keysOf(t, "shop").Token("auth")
	if err != nil {
		t.Fatal(err)
	}
	var says jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &says); err != nil {
		t.Fatal(err)
	}
	tokens := NewServiceTokens(auth)
	if _, _, err := tokens.Verify(bearing("Bearer " + token)); err != nil {
		t.Fatal(err)
	}
	if got, want := tokens.known[token].expires, says.ExpiresAt.Add(clockLeeway); !got.Equal(want) {
		t.Errorf("it is known until %s, want %s", got, want)
	}
	for text, expires := range map[string]time.Time{
		"known": time.Now().Add(time.Minute), "expired": time.Now().Add(-time.Millisecond),
	} {
		tokens.known[text] = serviceToken{caller: "shop", expires: expires}
		_, _, err := tokens.Verify(bearing("Bearer " + text))
		if errors.Is(err, fault.ErrUnauthorized) != (text == "expired") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for i := range mostKnown {
		tokens.known[fmt.Sprint(i)] = serviceToken{}
	}
	delete(tokens.known, token)
	if _, _, err := tokens.Verify(bearing("Bearer " + token)); err != nil || len(tokens.known) != 1 {
		t.Errorf("%d tokens are known, %v", len(tokens.known), err)
	}
}

// Calls reuse a token for a sixth of its validity: signing and verifying cost more than the rest of a small call.
func TestCallsShareAToken(t *testing.T) {
	seen := map[string]int{}
	client := neighbour(t, 200, `{}`, func(r *http.Request) { seen[Bearer(r)]++ })
	call := func() {
		if _, err := client.Call(t.Context(), http.MethodGet, "/internal/x", nil, &struct{}{}); err != nil {
			t.Fatal(err)
		}
	}
	call()
	call()
	if len(seen) != 1 {
		t.Errorf("two calls had %d tokens", len(seen))
	}
	client.until, client.keys = time.Now(), keysOf(t, "till")
	call()
	if len(seen) != 2 {
		t.Error("a later call had the token of the first")
	}
}

// withAnotherLetter returns a token with another letter at a position. The position must not be the last one, because
// only some bits of a signature's last letter count.
func withAnotherLetter(token string, at int) string {
	other := "A"
	if token[at] == 'A' {
		other = "B"
	}
	return token[:at] + other + token[at+1:]
}

// withItsOwnKey returns a token whose header has the key that verifies it.
func withItsOwnKey(t *testing.T) string {
	t.Helper()
	key := []byte("a key that the sender chose, thirty-two bytes and more")
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims())
	token.Header["jwk"] = map[string]string{"kty": "oct", "k": base64.RawURLEncoding.EncodeToString(key)}
	token.Header["jku"], token.Header["x5u"] = "https://evil.example/keys", "https://evil.example/cert"
	token.Header["kid"] = "../../dev/null"
	signed, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestAServiceTokenIsValidForAMinute(t *testing.T) {
	token, err := keysOf(t, "shop").Token("auth")
	if err != nil {
		t.Fatal(err)
	}
	var got jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &got); err != nil {
		t.Fatal(err)
	}
	// ASVS 9.2.1
	if life := got.ExpiresAt.Sub(got.IssuedAt.Time); life != time.Minute {
		t.Errorf("lives %v", life)
	}
}

// neighbour returns a client of a service that gives the same response to every call and passes the request to look.
func neighbour(t *testing.T, status int, body string, look func(*http.Request)) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if look != nil {
			look(r)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	client := NewClient(server.URL, keysOf(t, "shop"), "auth")
	t.Cleanup(client.http.CloseIdleConnections)
	return client
}

func TestACallHasATokenAndTheRequestID(t *testing.T) {
	ctx := request.With(context.Background(), request.Info{ID: "r1"})
	client := neighbour(t, 200, `{"a":1}`, func(r *http.Request) {
		if caller, _, err := NewServiceTokens(keysOf(t, "auth")).Verify(r); err != nil || caller != "shop" {
			t.Errorf("signed by %q, %v", caller, err)
		}
		if id := r.Header.Get(request.HeaderID); id != "r1" {
			t.Errorf("request id %q", id)
		}
		if sent, _ := io.ReadAll(r.Body); string(sent) != `{"q":"x"}` || r.URL.Path != "/internal/x" ||
			r.Method != http.MethodPost {
			t.Errorf("%s %s sent %s", r.Method, r.URL, sent)
		}
	})
	var out map[string]int
	status, err := client.Call(ctx, http.MethodPost, "/internal/x", map[string]string{"q": "x"}, &out)
	if err != nil || status != 200 || out["a"] != 1 {
		t.Errorf("answered %d %v %v", status, out, err)
	}
}

func TestACallDoesNotFollowRedirects(t *testing.T) {
	followed := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed++ }))
	defer elsewhere.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, code))
		client := NewClient(server.URL, keysOf(t, "shop"), "auth")
		var out map[string]any
		status, err := client.Call(t.Context(), http.MethodPost, "/internal/x", map[string]string{"q": "x"}, &out)
		// ASVS 15.3.2
		if err != nil || status != code || followed != 0 {
			t.Errorf("%d: answered %d, %v; followed %d times", code, status, err, followed)
		}
		client.http.CloseIdleConnections()
		server.Close()
	}
}

func TestResponsesOfAServiceAndTheirErrors(t *testing.T) {
	for name, c := range map[string]struct {
		answer      int
		body        string
		status, out int
		fails       bool
	}{
		"a conflict is read":         {409, `{"a":2}`, 409, 2, false},
		"of 404 only the status":     {404, `{"a":2}`, 404, 0, false},
		"of 503 only the status":     {503, `<html>`, 503, 0, false},
		"an answer that is not JSON": {200, `<html>`, 0, 0, true},
	} {
		var out struct {
			A int `json:"a"`
		}
		status, err := neighbour(t, c.answer, c.body, nil).Call(context.Background(), http.MethodGet, "/", nil, &out)
		if status != c.status || out.A != c.out || (err != nil) != c.fails {
			t.Errorf("%s: %d %d %v", name, status, out.A, err)
		}
	}
}

// Only auth's response "no such session" becomes 401; any other failure becomes 503.
func TestIntrospection(t *testing.T) {
	const live = `{"active":true,"session_id":"s","expires_at":"2026-11-20T10:00:00.000Z",` +
		`"user":{"id":"1","name":"Asha","email":"a@example.com","role":"pa","isActive":true,"newcomer":true}}`
	for _, c := range []struct {
		answer   int
		body     string
		id, code string
	}{
		{200, live, "1", ""},
		{200, `{"active":false}`, "", "unauthorized"},
		{401, `{"error":"x"}`, "", "unavailable"},
		{500, `{}`, "", "unavailable"},
		{200, `oops`, "", "unavailable"},
		{409, `{"active":true}`, "", "unavailable"},
	} {
		v := NewRemote(Introspect(neighbour(t, c.answer, c.body, nil)))
		caller, err := v.Verify(context.Background(), "t")
		if caller.ID != c.id || c.code != "" && fault.Of(err).Code != c.code {
			t.Errorf("%d %s: %+v, %v", c.answer, c.body, caller, err)
		}
		if c.id != "" && (caller.SessionID != "s" || caller.Role != "pa" || !caller.Active || !caller.Newcomer ||
			caller.ExpiresAt.IsZero()) {
			t.Errorf("read %+v", caller)
		}
	}
}
