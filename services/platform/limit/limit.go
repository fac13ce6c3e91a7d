// Package limit counts requests against a rate, in Redis so that replicas share the count. Without Redis, and while it
// is unavailable, each process counts its own requests, so that a limit always applies.
//
// Start with Rule and Limiter.Allow.
package limit

import (
	"context"
	_ "embed"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"baari.dev/services/platform/fault"
)

// By is the kind of key by which a rule counts requests.
type By int

// The values of By. The zero value means no limit.
const (
	Unlimited By = iota
	PerUser
	PerAddress
)

// Rule allows Count requests in each Period, up to Burst at once.
type Rule struct {
	Name   string
	By     By
	Count  int
	Period time.Duration
	Burst  int
}

// Product is the rate of one user's requests, counted over all services together (services/docs/limits.md).
var Product = Rule{Name: "product", By: PerUser, Count: 20, Period: time.Second, Burst: 40}

// Check returns an error if a field of the rule is missing. The zero Rule is valid and limits nothing.
func (r Rule) Check() error {
	if r.By != Unlimited && (r.Name == "" || r.Count < 1 || r.Period <= 0 || r.Burst < 1) {
		return errors.New("its limit needs a name, a count, a period and a burst")
	}
	return nil
}

// Limiter applies rules. The zero Limiter allows everything (LIMITS=off).
type Limiter struct {
	shared  redis.UniversalClient
	service string

	mu    sync.Mutex
	local map[string]*rate.Limiter
	// order has the keys of local, the oldest first.
	order []string
}

// localKeys is the largest number of local counters. A new counter replaces the oldest, so that a client with many
// addresses does not reset all counters at once.
const localKeys = 10_000

// New returns a limiter of a service that counts in client's Redis, or in this process if client is nil. The keys
// contain the service's name, so Redis's ACLs can deny them to other services. Services share keys of the rule Product.
func New(client redis.UniversalClient, service string) *Limiter {
	return &Limiter{shared: client, service: service, local: map[string]*rate.Limiter{}}
}

func (l *Limiter) key(rule Rule, client string) string {
	if rule.Name == Product.Name {
		return "gcra:" + rule.Name + ":" + client
	}
	return "gcra:" + l.service + ":" + rule.Name + ":" + client
}

//go:embed gcra.lua
var gcraSource string

var gcra = redis.NewScript(gcraSource)

// Patience is the longest wait for Redis. Tests of counts raise it.
var Patience = 250 * time.Millisecond

// Allow counts one request of client against rule. client is a user's id, a request.ClientKey, or another key that the
// service counts by. Over the limit it returns fault.ErrRateLimited with the time to wait.
func (l *Limiter) Allow(ctx context.Context, rule Rule, client string) error {
	if l == nil || l.local == nil || rule.By == Unlimited {
		return nil
	}
	key := l.key(rule, client)
	if l.shared == nil {
		return l.allowLocally(rule, key)
	}
	bounded, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	interval := float64(rule.Period.Microseconds()) / float64(rule.Count)
	wait, err := gcra.Run(bounded, l.shared, []string{key}, interval, rule.Burst).Int64()
	if err != nil {
		return l.allowLocally(rule, key)
	}
	if wait > 0 {
		return fault.ErrRateLimited.After(time.Duration(wait) * time.Microsecond)
	}
	return nil
}

func (l *Limiter) allowLocally(rule Rule, key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, known := l.local[key]
	if !known {
		if len(l.local) >= localKeys {
			delete(l.local, l.order[0])
			l.order = l.order[1:]
		}
		l.order = append(l.order, key)
		every := rule.Period / time.Duration(rule.Count)
		bucket = rate.NewLimiter(rate.Every(every), rule.Burst)
		l.local[key] = bucket
	}
	if !bucket.Allow() {
		return fault.ErrRateLimited.After(rule.Period / time.Duration(rule.Count))
	}
	return nil
}
