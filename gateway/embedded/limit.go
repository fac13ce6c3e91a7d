package embedded

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// remembered is the number of clients whose requests are counted. The least recently active client is evicted first.
const remembered = 10_000

type limiter struct {
	rate    rate.Limit
	burst   int
	buckets *lru.Cache[string, *rate.Limiter]
}

func newLimiter(perSecond, burst int) *limiter {
	buckets, err := lru.New[string, *rate.Limiter](remembered)
	if err != nil { // only for a size below one
		panic(err)
	}
	return &limiter{rate.Limit(perSecond), burst, buckets}
}

// allow counts a request of client and reports whether it is within the limit. client is a key from request.ClientKey.
func (l *limiter) allow(client string) bool {
	fresh := rate.NewLimiter(l.rate, l.burst)
	if known, found, _ := l.buckets.PeekOrAdd(client, fresh); found {
		l.buckets.Get(client) // now the most recently used
		return known.Allow()
	}
	return fresh.Allow()
}
