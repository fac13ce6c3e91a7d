package auth

import (
	"context"
	"regexp"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/prometheus/client_golang/prometheus"
)

// A password is stored as a PHC string of argon2id with 19 MiB, two passes, 16 bytes of salt and 32 of key; one
// made with other figures is stale.
func TestHashCost(t *testing.T) {
	ctx := context.Background()
	h, err := newHasher(argon2Cost, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := h.hash(ctx, password)
	if err != nil || !regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(encoded) {
		t.Fatalf("%s, %v", encoded, err)
	}
	older, err := argon2id.CreateHash(password, cheap)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, password, encoded string
		ok, stale               bool
	}{
		{"the right one", password, encoded, true, false},
		{"a wrong one", password + " ", encoded, false, false},
		{"the right one, hashed cheaply", password, older, true, true},
		{"nobody's", password, "", false, false},
	} {
		if ok, stale, err := h.matches(ctx, c.password, c.encoded); ok != c.ok || stale != c.stale || err != nil {
			t.Errorf("%s: %v, stale %v, %v", c.name, ok, stale, err)
		}
	}
	if _, _, err := h.matches(ctx, password, "$argon2id$broken"); err == nil {
		t.Error("a broken hash is judged")
	}
}
