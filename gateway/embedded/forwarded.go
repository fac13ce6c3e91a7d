package embedded

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"baari.dev/gateway/answer"
	"baari.dev/services/platform/request"
)

// fixed are the headers that only the gateway sets; an upstream's own values are removed.
var fixed = []string{answer.RequestIDHeader, "X-Content-Type-Options", "Referrer-Policy", "Strict-Transport-Security"}

// fixHeaders sets the headers of every response, also of the gateway's own errors.
func (g *Gateway) fixHeaders(header http.Header, r *http.Request, id string) {
	header.Set(answer.RequestIDHeader, id)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	if g.config.HTTPS || scheme(r, g.fromProxy(r)) == "https" {
		header.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
}

func (g *Gateway) fromProxy(r *http.Request) bool {
	return request.Within(request.Peer(r), g.config.TrustedProxies)
}

// client returns the address of r's client. For a request from a trusted proxy, request.Client finds it in
// X-Forwarded-For by the configured number of proxies; otherwise it is the peer's address.
func (g *Gateway) client(r *http.Request) netip.Addr {
	if !g.fromProxy(r) {
		return request.Peer(r)
	}
	return request.Client(r, g.config.ProxyHops)
}

// stripIdentity removes headers by which a client could claim an identity; no service uses them. It also removes
// headers with an underscore in their name, which some programs treat as a hyphen.
func stripIdentity(header http.Header) {
	for name := range header {
		if strings.HasPrefix(name, "X-User-") || strings.Contains(name, "_") {
			header.Del(name)
			delete(header, name) // Del does not find a name that is not in canonical form
		}
	}
}

// forward sets the X-Forwarded headers of out, the request to the upstream. It keeps values that the client sent with r
// only if the peer is a trusted proxy. (httputil.ReverseProxy removes the headers again, so rewrite restores them.)
func forward(out, r *http.Request, fromProxy bool) {
	peer, _, _ := net.SplitHostPort(r.RemoteAddr)
	chain, host := peer, r.Host
	if fromProxy {
		if prior := strings.Join(r.Header.Values("X-Forwarded-For"), ", "); prior != "" {
			chain = prior + ", " + peer
		}
		if given := r.Header.Get("X-Forwarded-Host"); given != "" {
			host = given
		}
	}
	proto := scheme(r, fromProxy)
	for name := range out.Header {
		if name == "Forwarded" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			delete(out.Header, name)
		}
	}
	out.Header.Set("X-Forwarded-For", chain)
	out.Header.Set("X-Forwarded-Host", host)
	out.Header.Set("X-Forwarded-Proto", proto)
}

func scheme(r *http.Request, fromProxy bool) string {
	if r.TLS != nil || (fromProxy && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")) {
		return "https"
	}
	return "http"
}
