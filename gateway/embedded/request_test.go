package embedded

import (
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"testing"

	"baari.dev/gateway"
)

func TestTheClientIsTheNearestAddressThatIsNoTrustedProxy(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, c := range []struct{ peer, forwarded, want string }{
		{"203.0.113.7:1000", "9.9.9.9", "203.0.113.7"},              // nobody we know: not believed
		{"10.0.0.1:1000", "203.0.113.7", "203.0.113.7"},             // our load balancer
		{"10.0.0.1:1000", "9.9.9.9, 203.0.113.7", "203.0.113.7"},    // the visitor's own lie stands before
		{"10.0.0.1:1000", "203.0.113.7, 10.0.0.2", "203.0.113.7"},   // two of ours
		{"10.0.0.1:1000", "", "10.0.0.1"},                           // it says nothing
		{"10.0.0.1:1000", "9.9.9.9, unknown", "10.0.0.1"},           // it says nonsense
		{"[::1]:1000", "2001:db8::5", "2001:db8::5"},                //
		{"[::ffff:10.0.0.1]:1000", "::ffff:9.9.9.9", "9.9.9.9"},     // IPv4 in IPv6
		{"10.0.0.1:1000", "10.0.0.3, 10.0.0.2", "10.0.0.3"},         // only proxies
		{"10.0.0.1:1000", "203.0.113.7:4711, 10.0.0.2", "10.0.0.2"}, // an address with a port is none
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header.Set("X-Forwarded-For", c.forwarded)
		if got := clientAddress(r, proxies); got.String() != c.want {
			t.Errorf("%s forwarding %q is %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestAHomeOfIPv6AddressesSharesOneLimit(t *testing.T) {
	l := newLimiter(1, 2)
	for i, c := range []struct {
		address string
		want    bool
	}{
		{"2001:db8:1:2::a", true}, {"2001:db8:1:2::b", true}, {"2001:db8:1:2:ffff::c", false},
		{"2001:db8:1:3::a", true}, {"192.0.2.1", true}, {"192.0.2.2", true},
	} {
		if got := l.allow(netip.MustParseAddr(c.address)); got != c.want {
			t.Errorf("request %d from %s: %v", i, c.address, got)
		}
	}
}

// Whatever is asked, what is passed on is clean, and asking for it again changes nothing but the doubled prefix.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"/", "//api/./visits", "/api/api/x", "/api%2fx", "/%61pi/../internal", "/api/visits/", `/a\b`, "/a%00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, asked string) {
		u, err := url.ParseRequestURI(asked)
		if err != nil || u.Path == "" {
			return
		}
		got, clean := canonical(u)
		if !clean {
			return
		}
		if !strings.HasPrefix(got, "/") || strings.TrimSuffix(path.Clean(got), "/") != strings.TrimSuffix(got, "/") {
			t.Errorf("%q became %q, which is not clean", asked, got)
		}
		if strings.ContainsAny(got, "\\\x00\r\n;?#%") && gateway.UncleanPath.MatchString((&url.URL{Path: got}).EscapedPath()) {
			t.Errorf("%q became %q, which is unclean", asked, got)
		}
	})
}
