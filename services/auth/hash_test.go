package auth

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/fault"
)

var argon2idForm = regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`)

// A hash is a PHC string of argon2id with 19 MiB, two passes, 16 bytes of salt and 32 of key. A hash with other
// parameters is stale.
func TestPasswordsAreHashedWithArgon2id(t *testing.T) {
	ctx := context.Background()
	h, err := newHasher(argon2Cost, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := h.hash(ctx, password)
	// ASVS 11.4.2
	if err != nil || !argon2idForm.MatchString(encoded) {
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
		{"without a stored hash", password, "", false, false},
	} {
		// ASVS 11.2.2
		if ok, stale, err := h.matches(ctx, c.password, c.encoded); ok != c.ok || stale != c.stale || err != nil {
			t.Errorf("%s: %v, stale %v, %v", c.name, ok, stale, err)
		}
	}
	if _, _, err := h.matches(ctx, password, "$argon2id$broken"); err == nil {
		t.Error("an invalid hash is accepted")
	}
}

func TestANewServiceHashesWithTheFullCost(t *testing.T) {
	o := open(t, func(options *Options) { options.hashCost = nil })
	if o.hasher.cost != argon2Cost {
		t.Errorf("the cost is %+v", o.hasher.cost)
	}
}

// better-auth's hashes are scrypt with N 16384, r 16, p 1 and 64 bytes of key. Node's scryptSync made the hash below.
func TestHashesOfBetterAuthAreVerified(t *testing.T) {
	h, err := newHasher(cheap, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	const imported = "7369787465656e206279746573206f6b:935cd681959c35f4484a1c5a5a0380b52c1b81e574c774952fbce9f124f4ad2d" +
		"cb73add3be651b2782d48296c4b6b2805bac53fc90beb345f4cc1062dcf9a510"
	for password, want := range map[string]bool{"imported password": true, "imported Password": false} {
		ok, stale, err := h.matches(context.Background(), password, imported)
		if ok != want || !stale || err != nil {
			t.Errorf("%s: %v, stale %v, %v", password, ok, stale, err)
		}
	}
}

// If the queue is full, hashWait is recorded as the wait, so that rejected sign-ins show in the histogram.
func TestARejectedPasswordIsRecordedAsTheLongestWait(t *testing.T) {
	registry := prometheus.NewRegistry()
	h, err := newHasher(cheap, registry)
	if err != nil {
		t.Fatal(err)
	}
	waits := func() (count uint64, sum float64) {
		families, err := registry.Gather()
		if err != nil || len(families) != 1 {
			t.Fatal(families, err)
		}
		waited := families[0].GetMetric()[0].GetHistogram()
		return waited.GetSampleCount(), waited.GetSampleSum()
	}
	if _, err := h.hash(context.Background(), password); err != nil {
		t.Fatal(err)
	}
	if count, sum := waits(); count != 1 || sum > 1 {
		t.Errorf("one password: %d waits of %v s in total", count, sum)
	}
	h.waiting.Add(hashQueue + int64(hashSlots))
	if _, err := h.hash(context.Background(), password); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a password beyond the queue: %v", err)
	}
	if count, sum := waits(); count != 2 || sum < 2 {
		t.Errorf("with one rejected: %d waits of %v s in total", count, sum)
	}
	h.waiting.Add(-hashQueue - int64(hashSlots))
	if err := h.slots.Acquire(context.Background(), int64(hashSlots)); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := h.hash(impatient, password); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a password without a slot: %v", err)
	}
	if count, sum := waits(); count != 3 || sum < 2.05 { // 2 s of the rejected one, nearly 0.1 s of this one
		t.Errorf("with one that timed out: %d waits of %v s in total", count, sum)
	}
}
