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

// A password is stored as a PHC string of argon2id with 19 MiB, two passes, 16 bytes of salt and 32 of key; one
// made with other figures is stale.
func TestHashCost(t *testing.T) {
	ctx := context.Background()
	h, err := newHasher(argon2Cost, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := h.hash(ctx, password)
	// ASVS 11.4.2
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
		// ASVS 11.2.2
		if ok, stale, err := h.matches(ctx, c.password, c.encoded); ok != c.ok || stale != c.stale || err != nil {
			t.Errorf("%s: %v, stale %v, %v", c.name, ok, stale, err)
		}
	}
	if _, _, err := h.matches(ctx, password, "$argon2id$broken"); err == nil {
		t.Error("a broken hash is judged")
	}
}

// Whoever is turned away shows in the waits as one who waited longest: a quick processor with a full queue is a crowd, too.
func TestWhoFindsNoRoomCountsAsTheLongestWait(t *testing.T) {
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
		t.Errorf("a password alone: %d waits of %v s together", count, sum)
	}
	h.waiting.Add(hashQueue + int64(hashSlots))
	if _, err := h.hash(context.Background(), password); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("one more than there is room for: %v", err)
	}
	if count, sum := waits(); count != 2 || sum < 2 {
		t.Errorf("with one turned away: %d waits of %v s together", count, sum)
	}
	h.waiting.Add(-hashQueue - int64(hashSlots))
	if err := h.slots.Acquire(context.Background(), int64(hashSlots)); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := h.hash(impatient, password); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("one whose turn does not come: %v", err)
	}
	if count, sum := waits(); count != 3 || sum < 2.1 {
		t.Errorf("with one whose turn did not come: %d waits of %v s together", count, sum)
	}
}
