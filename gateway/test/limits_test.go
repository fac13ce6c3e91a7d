package test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// The rate limits of both gateways count all addresses of an IPv6 /64 as one client, also behind a load balancer. Every
// other network and every IPv4 address is a client of its own, except where noted.
func TestTheRateCountsIPv6ByNetwork(t *testing.T) {
	forEach(t, func(t *testing.T, e *edge) {
		for _, c := range []struct {
			name    string
			address func(n int64) string
			limited bool
		}{
			{"addresses of one /64", func(n int64) string { return fmt.Sprintf("2001:db8:1:2::%x", n) }, true},
			{"many /64", func(n int64) string { return fmt.Sprintf("2001:db8:1:%x::1", 0x100+n) }, false},
			{"many IPv4 addresses", func(n int64) string { return fmt.Sprintf("192.0.2.%d", n%250) }, false},
			{"one IPv4 address", func(int64) string { return "198.51.100.1" }, true},
			// Traefik counts all IPv4-mapped addresses as one IPv6 network: see gateway/README.md.
			{"many mapped IPv4 addresses", func(n int64) string {
				return fmt.Sprintf("::ffff:203.0.113.%d", n%250)
			}, e.kind.name == "traefik"},
		} {
			if got := e.limits("/api/office", c.address); got != c.limited {
				t.Errorf("%s: limited %v, want %v", c.name, got, c.limited)
			}
		}
		// Traefik counts the two forms of an IPv4 address as two clients.
		mapped := func(n int64) string { return []string{"", "::ffff:"}[n%2] + "198.51.100.2" }
		if e.kind.name != "traefik" && !e.limits("/api/office", mapped) {
			t.Error("one IPv4 address, mapped or not: not limited")
		}
	}, setting{"LIMITS", "on"}, slowRefill, setting{"TRUSTED_PROXIES", "127.0.0.0/8,::1/128"},
		setting{"TRUSTED_PROXY_HOPS", "1"})
}

// Clients in private networks, such as those of an office or a cluster, can send X-Forwarded-For themselves; the proxy
// before the gateway appends the client's real address. The gateway counts requests by the appended address, even if
// all private networks are declared as proxies.
func TestTheRateCountsTheAddressThatTheDeclaredProxySaw(t *testing.T) {
	forEach(t, func(t *testing.T, e *edge) {
		for name, written := range map[string]string{
			"a public address":  "198.51.%d.%d",
			"a private address": "192.168.%d.%d",
			"two addresses":     "198.51.%d.%d, 172.16.0.9",
		} {
			chosen := func(n int64) string { return fmt.Sprintf(written, n>>8&0xff, n&0xff) + ", 10.0.0.3" }
			if !e.limits("/api/office", chosen) {
				t.Errorf("%s that the client writes anew for each request: not limited", name)
			}
		}
	}, setting{"LIMITS", "on"}, slowRefill, setting{"TRUSTED_PROXY_HOPS", "1"},
		setting{"TRUSTED_PROXIES", "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16"})
}

// All phones in the office's Wi-Fi share one address. Even if one of them requests many wrong links, the gateway
// forwards each request to lobby, and the other phones can still open their pages.
func TestTriedLinksCloseNoPageOfTheirAddress(t *testing.T) {
	forEach(t, func(t *testing.T, e *edge) {
		const link = "/q/0123456789ABCDEFGHJK"
		ask := func(path string) int {
			got, err := e.try(call{path: path, header: http.Header{"X-Forwarded-For": {"198.51.100.3"}}})
			if err != nil {
				t.Error(err)
			}
			return got.status
		}
		var others atomic.Int64
		flood(350, func() { // fewer than the gateway's burst
			if ask(link+"?status=404") != http.StatusNotFound {
				others.Add(1)
			}
		})
		if n := others.Load(); n > 0 {
			t.Errorf("lobby has not answered %d of 350 wrong links", n)
		}
		for _, path := range []string{link, link + "/state", "/q/join", "/q/notice"} {
			if status := ask(path); status != http.StatusOK {
				t.Errorf("after the wrong links %s answered %d", path, status)
			}
		}
	}, setting{"LIMITS", "on"}, setting{"TRUSTED_PROXIES", "127.0.0.0/8,::1/128"}, setting{"TRUSTED_PROXY_HOPS", "1"})
}

// slowRefill makes the number of requests decide whether a client is limited: with the usual refill of 200 requests a
// second, a slow machine never uses up a bucket of 400.
var slowRefill = setting{"RATE_PER_SECOND", "1"}

// limits reports whether the gateway rejects one of 1,500 requests, 16 at a time. Request n comes from address(n).
// limits stops after the first rejection.
func (e *edge) limits(path string, address func(n int64) string) bool {
	var limited atomic.Bool
	var next atomic.Int64
	flood(1500, func() {
		if limited.Load() {
			return
		}
		got, err := e.try(call{path: path, header: http.Header{"X-Forwarded-For": {address(next.Add(1))}}})
		if err == nil && got.status == http.StatusTooManyRequests && !strings.Contains(got.body, "own_code") {
			limited.Store(true)
		}
	})
	return limited.Load()
}
