package embedded

import (
	"net/http"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// remembered is the largest number of clients with a count; the least recently active one is evicted first.
const remembered = 10_000

// limiter limits the requests of each client.
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

// allow counts one request of the client with this key of clientaddr.
func (l *limiter) allow(client string) bool {
	fresh := rate.NewLimiter(l.rate, l.burst)
	if known, found, _ := l.buckets.PeekOrAdd(client, fresh); found {
		l.buckets.Get(client) // now the most recently used
		return known.Allow()
	}
	return fresh.Allow()
}

// isSpent reports whether the client has no request left. It counts none.
func (l *limiter) isSpent(client string) bool {
	known, found := l.buckets.Get(client)
	return found && known.Tokens() < 1
}

// How many links of visitors may be wrong for one client before the gateway itself answers 429, and how many a second
// it passes on to lobby from then on. Lobby answers 429 after 30.
const (
	wrongLinks   = 60
	wrongLinkPer = 1
)

// countLink counts a link of a visitor that lobby did not find or refused. Valid links are not counted.
func (g *Gateway) countLink(client string, status int) {
	if status == http.StatusNotFound || status == http.StatusTooManyRequests {
		g.wrong.allow(client)
	}
}
