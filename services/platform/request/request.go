// Package request carries what is known of the HTTP request being served: its id and the caller's address.
package request

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// HeaderID names the header that carries the request id from the gateway to every service and back.
const HeaderID = "X-Request-Id"

// Info describes one request.
type Info struct {
	ID      string
	Address string // the client's IP address, "" when unknown
	Agent   string // User-Agent
}

type key struct{}

// With returns a context that carries info.
func With(ctx context.Context, info Info) context.Context { return context.WithValue(ctx, key{}, info) }

// From returns the info of ctx, the zero Info outside a request.
func From(ctx context.Context) Info {
	info, _ := ctx.Value(key{}).(Info)
	return info
}

// Proxies are the peers whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// UnmarshalText reads a comma-separated list of addresses and CIDR ranges.
func (p *Proxies) UnmarshalText(text []byte) error {
	*p = nil
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if !strings.Contains(part, "/") {
			addr, err := netip.ParseAddr(part)
			if err != nil {
				return err
			}
			*p = append(*p, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return err
		}
		*p = append(*p, prefix)
	}
	return nil
}

func (p Proxies) trust(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// Read makes the Info of r. X-Forwarded-For is read from its end as far as the peers are trusted proxies, so
// that what a client wrote itself is never believed. A request id is kept only when it is at most 64 visible
// ASCII characters; the agent is valid UTF-8 of at most 512 bytes.
func Read(r *http.Request, trusted Proxies) Info {
	id := r.Header.Get(HeaderID)
	if !validID(id) {
		id = uuid.Must(uuid.NewV7()).String()
	}
	return Info{ID: id, Address: address(r, trusted), Agent: agent(r.UserAgent())}
}

func address(r *http.Request, trusted Proxies) string {
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	client := plain(remote.Addr())
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		addr, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !trusted.trust(client) {
			break
		}
		client = plain(addr)
	}
	return client.String()
}

// plain is the one way an address is written: IPv4 as such, and without a zone, which may be any text.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// agent bounds what is kept of a header that may be long and need not be text.
func agent(sent string) string {
	return strings.ToValidUTF8(sent[:min(len(sent), 512)], "")
}

func validID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
