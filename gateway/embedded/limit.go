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

// The links of visitors that are refused to one client before the gateway answers for lobby, and how many a second it
// passes on from then on. Lobby itself refuses a client after 30 wrong links.
const (
	wrongLinks   = 60
	wrongLinkPer = 1
)

// countLink counts a link of a visitor that was not found, or was asked for too often. Others cost the client nothing.
func (g *Gateway) countLink(client string, status int) {
	if status == http.StatusNotFound || status == http.StatusTooManyRequests {
		g.wrong.allow(client)
	}
}
