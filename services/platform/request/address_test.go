package request_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"baari.dev/services/platform/request"
)

func TestTheKeyIsAnIPv4AddressOrAnIPv6Network(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1":                "192.0.2.1",
		"::ffff:192.0.2.1":         "192.0.2.1",
		"::ffff:c000:201":          "192.0.2.1",
		"2001:db8:1:2::a":          "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::b":     "2001:db8:1:2::/64",
		"2001:db8:1:3::a":          "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"::1":                      "::/64",
		"2001:0DB8:0001:0002::000": "2001:db8:1:2::/64",
		"":                         "",
		"unknown":                  "",
	} {
		if got := request.ClientKeyOf(address); got != want {
			t.Errorf("the key of %q is %q, want %q", address, got, want)
		}
	}
	if got := request.ClientKey(netip.Addr{}); got != "" {
		t.Errorf("the key of no address is %q", got)
	}
}

// Private addresses are treated like any other address, because clients in an office's network or a cluster have them.
func TestTheClientIsTheAddressBeforeSoManyProxies(t *testing.T) {
	for _, c := range []struct {
		name            string
		proxies         int
		peer, forwarded string
		want            string
	}{
		{"without a proxy the header is ignored", 0, "203.0.113.7:1000", "192.0.2.9", "203.0.113.7"},
		{"a load balancer", 1, "10.0.0.1:1000", "203.0.113.7", "203.0.113.7"},
		{"an address that the client wrote", 1, "10.0.0.1:1000", "192.0.2.9, 203.0.113.7", "203.0.113.7"},
		{"an address that a private client wrote", 1, "10.0.0.1:1000", "192.0.2.9, 10.0.0.2", "10.0.0.2"},
		{"two proxies", 2, "10.0.0.1:1000", "192.0.2.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"},
		{"two proxies and a private client", 2, "10.0.0.1:1000", "192.0.2.9, 10.0.0.3, 10.0.0.2", "10.0.0.3"},
		{"fewer proxies than declared", 2, "10.0.0.1:1000", "203.0.113.7", "203.0.113.7"},
		{"an empty header", 1, "10.0.0.1:1000", "", "10.0.0.1"},
		{"an unreadable hop ends the list", 2, "10.0.0.1:1000", "192.0.2.9, unknown, 10.0.0.2", "10.0.0.2"},
		{"an IPv6 proxy", 1, "[::1]:1000", "2001:db8::5", "2001:db8::5"},
		{"mapped IPv4", 1, "[::ffff:10.0.0.1]:1000", "::ffff:192.0.2.9", "192.0.2.9"},
		{"an address with a port is unreadable", 1, "10.0.0.1:1000", "203.0.113.7:4711", "10.0.0.1"},
		{"a zone is removed", 1, "10.0.0.1:1000", "fe80::1%<script>", "fe80::1"},
		{"a peer without an address", 1, "@", "192.0.2.9", "invalid IP"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		r.Header.Set("X-Forwarded-For", c.forwarded)
		if got := request.Client(r, c.proxies).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
