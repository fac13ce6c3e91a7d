package identity

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// keysOf returns the keys of a service in the tests.
func keysOf(t testing.TB, name string) Keys {
	t.Helper()
	k := Keys{Name: name, Public: PublicKeys{}}
	for i, each := range []string{"auth", "shop", "till", "operator"} {
		key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(i)}, ed25519.SeedSize))
		k.Public[each] = []ed25519.PublicKey{key.Public().(ed25519.PublicKey)}
		if each == name {
			k.Private.key = key
		}
	}
	return k
}

// with adds the shared secret, which all replicas hold during the upgrade.
func with(k Keys) Keys {
	k.Secret = secret
	return k
}

// An attacker who controls a service has its private key and all public keys, and can sign for that service only.
func TestAServiceSignsWithItsOwnNameOnly(t *testing.T) {
	for _, name := range []string{"operator", "shop", "auth"} {
		thief := keysOf(t, "till")
		thief.Name = name
		r := httptest.NewRequest(http.MethodPost, "/internal/admins", nil)
		if err := thief.Authorize(r.Header, "auth"); err != nil {
			t.Fatal(err)
		}
		// ASVS 13.2.1
		if caller, _, err := NewServiceTokens(keysOf(t, "auth")).Verify(r); err == nil {
			t.Errorf("the key of till is believed for %s: %q", name, caller)
		}
	}
}

// oldRelease verifies as replicas of the previous release do: the token in Authorization, by the shared secret.
func oldRelease(r *http.Request) (string, error) {
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(Bearer(r), &claims, func(*jwt.Token) (any, error) { return []byte(secret), nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience("auth"), jwt.WithIssuer("baari"))
	return claims.Subject, err
}

// During the upgrade all replicas first get keys beside the secret, then the secret is removed. Replicas before and
// after a step accept each other's tokens.
func TestARollingUpgradeRejectsNoToken(t *testing.T) {
	old := func(r *http.Request) {
		token := sign(t, jwt.SigningMethodHS256, []byte(secret), claims())
		r.Header.Set("Authorization", "Bearer "+token)
	}
	by := func(k Keys) func(*http.Request) {
		return func(r *http.Request) {
			if err := k.Authorize(r.Header, "auth"); err != nil {
				t.Fatal(err)
			}
		}
	}
	at := func(k Keys) func(*http.Request) (string, error) {
		return func(r *http.Request) (string, error) {
			caller, _, err := NewServiceTokens(k).Verify(r)
			return caller, err
		}
	}
	both, after := with(keysOf(t, "auth")), keysOf(t, "auth")
	for step, c := range map[string]struct {
		send   func(*http.Request)
		verify func(*http.Request) (string, error)
	}{
		"old to both":   {old, at(both)},
		"both to old":   {by(with(keysOf(t, "shop"))), oldRelease},
		"both to both":  {by(with(keysOf(t, "shop"))), at(both)},
		"both to after": {by(with(keysOf(t, "shop"))), at(after)},
		"after to both": {by(keysOf(t, "shop")), at(both)},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		c.send(r)
		if caller, err := c.verify(r); err != nil || caller != "shop" {
			t.Errorf("%s: %q, %v", step, caller, err)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	old(r)
	if caller, shared, _ := NewServiceTokens(both).Verify(r); !shared {
		t.Errorf("the token of %q passes as one by its key", caller)
	}
	if _, err := at(after)(r); err == nil {
		t.Error("without the secret its tokens are still accepted")
	}
}

// While a key is replaced, its service has two public keys.
func TestAKeyCanBeReplaced(t *testing.T) {
	before, after := keysOf(t, "shop"), keysOf(t, "shop")
	after.Private = keysOf(t, "till").Private
	auth := Keys{Name: "auth"}
	list := "shop=" + before.Private.Public() + ":" + after.Private.Public()
	if err := auth.Public.UnmarshalText([]byte(list)); err != nil {
		t.Fatal(err)
	}
	for _, k := range []Keys{before, after} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if err := k.Authorize(r.Header, "auth"); err != nil {
			t.Fatal(err)
		}
		if caller, _, err := NewServiceTokens(auth).Verify(r); err != nil || caller != "shop" {
			t.Errorf("%q, %v", caller, err)
		}
		if !auth.Public.Has("shop", k.Private) || !auth.Public.Verifies("shop", []byte("text"), k.Sign([]byte("text"))) {
			t.Error("a public key of the list is not known")
		}
	}
	if auth.Public.Has("till", after.Private) || auth.Public.Verifies("till", []byte("text"), after.Sign([]byte("text"))) {
		t.Error("the key of shop is one of till")
	}
}

func TestKeysThatCannotBeReadAreRejected(t *testing.T) {
	good := keysOf(t, "shop").Private.Public()
	short := base64.StdEncoding.EncodeToString([]byte("short"))
	for _, wrong := range []string{"hunter2", short, ""} {
		var key PrivateKey
		if err := key.UnmarshalText([]byte(wrong)); err == nil || wrong != "" && strings.Contains(err.Error(), wrong) {
			t.Errorf("the private key %q: %v", wrong, err)
		}
	}
	for _, wrong := range []string{good, "=" + good, "shop=", "shop=hunter2", "shop=" + short, "shop=" + good + ":"} {
		var keys PublicKeys
		if err := keys.UnmarshalText([]byte(wrong)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the public keys %q: %v", wrong, err)
		}
	}
	if _, err := (Keys{Name: "shop"}).Token("auth"); err == nil {
		t.Error("a token was signed without a key")
	}
}
