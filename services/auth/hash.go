package auth

import (
	"context"
	"crypto/sha256"
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

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/telemetry"
)

// argon2Cost is what OWASP asks for: 19 MiB, two passes, one lane.
var argon2Cost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashSlots is how many passwords are hashed at once.
var hashSlots = runtime.NumCPU()

// How long and how many requests wait for a processor before they are rejected with Retry-After.
const (
	hashQueue = 32
	hashWait  = 2 * time.Second
)

// hashRest is how long after the last hash the memory that hashes took goes back to the machine: most of the day nobody signs in,
// and Go would keep it for minutes.
const hashRest = 2 * time.Second

// hasher hashes passwords, as many at a time as there are processors, so that a burst of sign-ins neither fills
// the memory nor starves the live sessions.
type hasher struct {
	cost    *argon2id.Params
	slots   *semaphore.Weighted
	waiting atomic.Int64
	waited  prometheus.Histogram
	rest    *time.Timer
	nobody  string // the hash compared with where there is no account: the answer takes as long
}

func newHasher(cost *argon2id.Params, registry prometheus.Registerer) (*hasher, error) {
	nobody, err := argon2id.CreateHash(newToken(), cost)
	if err != nil {
		return nil, err
	}
	h := &hasher{cost: cost, slots: semaphore.NewWeighted(int64(hashSlots)), nobody: nobody, waited: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "baari_argon2_wait_seconds", Help: "Time a password waited for a processor; 2 s where none was left to wait for.",
		Buckets: []float64{.001, .005, .025, .1, .25, .5, 1, 2}, NativeHistogramBucketFactor: telemetry.NativeFactor,
	})}
	h.rest = time.AfterFunc(hashRest, debug.FreeOSMemory)
	return h, registry.Register(h.waited)
}

// hash makes the string to store. It answers fault.ErrBusy when too many passwords wait.
func (h *hasher) hash(ctx context.Context, password string) (encoded string, err error) {
	err = h.inTurn(ctx, func() (err error) {
		encoded, err = argon2id.CreateHash(norm.NFKC.String(password), h.cost)
		return err
	})
	return encoded, err
}

// matches compares a password with a stored hash; "" is nobody's and takes as long. stale says that the hash
// is of an older kind and should be made anew. It answers fault.ErrBusy when too many passwords wait.
func (h *hasher) matches(ctx context.Context, password, encoded string) (ok, stale bool, err error) {
	err = h.inTurn(ctx, func() (err error) {
		ok, stale, err = h.compare(norm.NFKC.String(password), encoded)
		return err
	})
	return ok, stale, err
}

func (h *hasher) compare(password, encoded string) (ok, stale bool, err error) {
	if encoded == "" {
		_, _, err := argon2id.CheckHash(password, h.nobody)
		return false, false, err
	}
	if !strings.HasPrefix(encoded, "$") {
		ok, err := matchesScrypt(password, encoded)
		return ok, true, err
	}
	ok, cost, err := argon2id.CheckHash(password, encoded)
	if err != nil {
		return false, false, err
	}
	return ok, *cost != *h.cost, nil
}

// matchesScrypt verifies a hash imported from better-auth: "hexsalt:hexkey", the salt used as its hex text.
func matchesScrypt(password, encoded string) (bool, error) {
	salt, want, _ := strings.Cut(encoded, ":")
	key, err := scrypt.Key([]byte(password), []byte(salt), 16384, 16, 1, 64)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare([]byte(hex.EncodeToString(key)), []byte(want)) == 1, nil
}

// inTurn runs work when a processor is free. Who finds no room among those who wait counts as one who waited the longest time there is:
// nobody would see a crowd that a quick processor turns away.
func (h *hasher) inTurn(ctx context.Context, work func() error) error {
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
	defer h.rest.Reset(hashRest)
	return work()
}

// digest is how a token or an address is stored where the text itself must not be.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
