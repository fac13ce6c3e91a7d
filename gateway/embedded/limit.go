package embedded

import (
	"net/netip"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// remembered bounds the addresses whose rate is known; the longest silent one is forgotten first.
const remembered = 10_000

// limiter is the coarse limit of requests for each client address.
type limiter struct {
	rate    rate.Limit
	burst   int
	buckets *lru.Cache[netip.Addr, *rate.Limiter]
}

func newLimiter(perSecond, burst int) *limiter {
	buckets, err := lru.New[netip.Addr, *rate.Limiter](remembered)
	if err != nil { // only for a size below one
		panic(err)
	}
	return &limiter{rate.Limit(perSecond), burst, buckets}
}

// allow takes one request of the address. A home or an office has a whole /64 of IPv6 addresses, so they share.
func (l *limiter) allow(client netip.Addr) bool {
	if client.Is6() {
		if network, err := client.WithZone("").Prefix(64); err == nil {
			client = network.Addr()
		}
	}
	fresh := rate.NewLimiter(l.rate, l.burst)
	if known, found, _ := l.buckets.PeekOrAdd(client, fresh); found {
		l.buckets.Get(client) // now the most recently seen
		return known.Allow()
	}
	return fresh.Allow()
}
