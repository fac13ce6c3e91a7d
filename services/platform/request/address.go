package request

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// subnetBits is the length of the prefix that identifies an IPv6 client: a site gets at least a /64 and may choose any
// address in it for every request (RFC 6177, RFC 8981).
const subnetBits = 64

// ClientKey returns the key by which rate limits count the client at addr: an IPv4 address itself, also when it is
// mapped into IPv6 (::ffff:192.0.2.1), and the /64 network of an IPv6 address without its zone. The key of the zero
// Addr is "": all clients without a known address share one count.
func ClientKey(addr netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	if !addr.IsValid() {
		return ""
	}
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, subnetBits).Masked().String()
}

// ClientKeyOf returns the ClientKey of an address given as text, "" when the text is no address.
func ClientKeyOf(text string) string {
	addr, _ := netip.ParseAddr(text) // the zero Addr on failure
	return ClientKey(addr)
}

// Client returns the address of the client of r behind the given number of proxies. Without proxies, this is the peer
// of the connection; otherwise the address that the outermost proxy added to X-Forwarded-For. Entries are counted from
// the end of the list, so entries that a client has sent are not used. If the list is too short, its first entry is
// used; if an entry is unreadable, the entry after it is used. The zero Addr means that the peer has no IP address.
func Client(r *http.Request, proxies int) netip.Addr {
	client := Peer(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		addr, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || proxies <= 0 || !client.IsValid() {
			break
		}
		client = plain(addr)
		proxies--
	}
	return client
}

// Peer returns the address at the other end of r's connection, the zero Addr when it is no IP address.
func Peer(r *http.Request) netip.Addr {
	remote, _ := netip.ParseAddrPort(r.RemoteAddr)
	return plain(remote.Addr())
}

// Within reports whether addr is in one of the prefixes. The zero Addr is in none.
func Within(addr netip.Addr, prefixes []netip.Prefix) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// plain unwraps an IPv4 address that is mapped into IPv6 and removes the zone, which can be any text.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }
