package system

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/operate"
	"baari.dev/services/platform/identity"
	"baari.dev/tools/stack"
	"baari.dev/tools/stack/operator"
)

// Internal listeners accept only services and the operator, with tokens made for the called service.
func TestInternalListenersAcceptOnlyServices(t *testing.T) {
	o := gateway(t)
	lobby := keysOf(t, "lobby")
	sign := func(method jwt.SigningMethod, key any, subject, audience string, lives time.Duration) string {
		now := time.Now()
		token, err := jwt.NewWithClaims(method, jwt.RegisteredClaims{
			Issuer: "baari", Subject: subject, Audience: jwt.ClaimStrings{audience},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(lives)),
		}).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	for _, service := range stack.Services {
		for name, token := range map[string]string{
			"nothing": "", "an admin's session": o.shared["admin"][0].token, "a public key": lobby.Private.Public(),
			"a token for another service":            signed(t, lobby, "another"),
			"a token of the operator by lobby's key": signed(t, posing(lobby, "operator"), service),
			"a token of visits by lobby's key":       signed(t, posing(lobby, "visits"), service),
			"a token of a service without a key":     signed(t, posing(lobby, "seed"), service),
			"a token of a secret": sign(
				jwt.SigningMethodHS256, []byte("another secret that is long enough"), "visits", service, time.Minute,
			),
			"a token by a public key": sign(
				jwt.SigningMethodHS256, []byte(lobby.Public["operator"][0]), "operator", service, time.Minute,
			),
			"a token without signature": sign(
				jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "visits", service, time.Minute,
			),
		} {
			request, err := ask{method: "GET", path: "/internal/events?after=0"}.request(
				t.Context(), running.Internal(service), &person{token: token},
			)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := browser.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			// ASVS 13.2.1
			if answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s with %s: %d", service, name, answer.StatusCode)
			}
		}
	}
}

func posing(keys identity.Keys, name string) identity.Keys {
	keys.Name = name
	return keys
}

func keysOf(t *testing.T, name string) identity.Keys {
	t.Helper()
	keys, err := operator.Keys(running, name)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func signed(t *testing.T, keys identity.Keys, service string) string {
	t.Helper()
	token, err := keys.Token(service)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Even the operator's own token has no effect from outside: the gateways route no internal path, and public listeners
// accept no service token.
func TestAServiceTokenOpensNothingThroughTheGateway(t *testing.T) {
	for _, w := range ways(running) {
		for _, service := range stack.Services {
			token := signed(t, keysOf(t, operate.Caller), service)
			for path, want := range map[string][]int{
				"/internal/admins": {404}, "/internal/events": {404}, "/api/users": {401}, "/api/analytics/export": {401},
				"/api/audit": {401, 404}, "/api/internal/admins": {404},
			} {
				got := w.send(t, &person{token: token}, ask{method: http.MethodGet, path: path,
					header: http.Header{"Service-Token": {token}}})
				// ASVS 13.2.1
				if !slices.Contains(want, got.status) {
					t.Errorf("%s by a token for %s: %d", path, service, got.status)
				}
			}
		}
	}
}
