package auth

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/telemetry"
)

// argon2Cost is OWASP's recommendation: 19 MiB, two passes, one lane.
var argon2Cost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// scryptCost is the cost of hashes imported from better-auth. The hashes themselves do not contain their cost.
type scryptCost struct{ n, r, p int }

// betterAuthCost is the cost of better-auth's hashes: 32 MiB, one lane.
var betterAuthCost = scryptCost{n: 16384, r: 16, p: 1}

// hashSlots is how many passwords can be hashed at the same time.
var hashSlots = runtime.NumCPU()

// hashQueue is how many requests can wait for a slot, hashWait how long. Other requests are rejected with Retry-After.
const (
	hashQueue = 32
	hashWait  = 2 * time.Second
)

// freeMemoryAfter is how long after the last hash the memory of hashing is returned to the operating system. Go's
// scavenger would keep it for minutes.
const freeMemoryAfter = 2 * time.Second

// hasher hashes and verifies passwords. It limits how many are hashed at the same time, so that a burst of sign-ins
// does not exhaust memory or delay other requests.
type hasher struct {
	cost       *argon2id.Params
	imported   scryptCost
	slots      *semaphore.Weighted
	waiting    atomic.Int64 // requests that wait for a slot or hold one
	waited     prometheus.Histogram
	freeMemory *time.Timer
	dummy      string // the hash to compare with if none is stored, so that the time is the same
}

func newHasher(cost *argon2id.Params, registry prometheus.Registerer) (*hasher, error) {
	dummy, err := argon2id.CreateHash(data.NewToken(), cost)
	if err != nil {
		return nil, err
	}
	waited, err := newHashWait(registry)
	if err != nil {
		return nil, err
	}
	return &hasher{
		cost:       cost,
		imported:   betterAuthCost,
		slots:      semaphore.NewWeighted(int64(hashSlots)),
		waited:     waited,
		freeMemory: time.AfterFunc(freeMemoryAfter, debug.FreeOSMemory),
		dummy:      dummy,
	}, nil
}

// hash returns the PHC string of a password, or fault.ErrBusy if the queue is full or no slot is free within hashWait.
func (h *hasher) hash(ctx context.Context, password string) (encoded string, err error) {
	err = h.withSlot(ctx, func() (err error) {
		encoded, err = argon2id.CreateHash(norm.NFKC.String(password), h.cost)
		return err
	})
	return encoded, err
}

// matches compares a password with a stored hash. An empty hash matches no password, but comparing takes the same time.
// stale reports that the hash has other parameters than new hashes and should be replaced. matches returns
// fault.ErrBusy in the same cases as hash.
func (h *hasher) matches(ctx context.Context, password, encoded string) (ok, stale bool, err error) {
	err = h.withSlot(ctx, func() (err error) {
		ok, stale, err = h.compare(norm.NFKC.String(password), encoded)
		return err
	})
	return ok, stale, err
}

func (h *hasher) compare(password, encoded string) (ok, stale bool, err error) {
	if encoded == "" {
		_, _, err := argon2id.CheckHash(password, h.dummy)
		return false, false, err
	}
	if !strings.HasPrefix(encoded, "$") {
		ok, err := matchesScrypt(password, encoded, h.imported)
		return ok, true, err
	}
	ok, cost, err := argon2id.CheckHash(password, encoded)
	if err != nil {
		return false, false, err
	}
	return ok, *cost != *h.cost, nil
}

// matchesScrypt verifies a hash imported from better-auth: "hexsalt:hexkey", where the salt is the hex text itself.
func matchesScrypt(password, encoded string, cost scryptCost) (bool, error) {
	salt, want, _ := strings.Cut(encoded, ":")
	key, err := scrypt.Key([]byte(password), []byte(salt), cost.n, cost.r, cost.p, 64)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare([]byte(hex.EncodeToString(key)), []byte(want)) == 1, nil
}

// withSlot runs work when a slot is free. If the queue is full, it records a wait of hashWait, so that the histogram
// shows the rejected request.
func (h *hasher) withSlot(ctx context.Context, work func() error) error {
	if h.waiting.Add(1) > int64(hashQueue+hashSlots) {
		h.waiting.Add(-1)
		telemetry.Observe(ctx, h.waited, hashWait.Seconds())
		return fault.ErrBusy
	}
	defer h.waiting.Add(-1)
	bounded, cancel := context.WithTimeout(ctx, hashWait)
	defer cancel()
	started := time.Now()
	err := h.slots.Acquire(bounded, 1)
	telemetry.Observe(ctx, h.waited, time.Since(started).Seconds())
	if err != nil {
		return fault.ErrBusy.Because(err)
	}
	defer h.slots.Release(1)
	defer h.freeMemory.Reset(freeMemoryAfter)
	return work()
}

func newHashWait(registry prometheus.Registerer) (prometheus.Histogram, error) {
	waited := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:                        "baari_argon2_wait_seconds",
		Help:                        "Time that a password waited for a hash slot; 2 s if it was rejected.",
		Buckets:                     []float64{.001, .005, .025, .1, .25, .5, 1, 2},
		NativeHistogramBucketFactor: telemetry.NativeFactor,
	})
	return waited, registry.Register(waited)
}
