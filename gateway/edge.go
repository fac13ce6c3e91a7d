package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"baari.dev/services/platform/process"
)

// Edge is the configuration of a gateway, for both the embedded gateway and Traefik.
type Edge struct {
	process.Common
	Origins
	BaseURL        Origin         `env:"BASE_URL"`
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	ProxyHops      uint8          `env:"TRUSTED_PROXY_HOPS"`
	Limits         process.Switch `env:"LIMITS" envDefault:"on"`
	RatePerSecond  uint16         `env:"RATE_PER_SECOND"` // 0: Rate
	RateBurst      uint16         `env:"RATE_BURST"`      // 0: Burst
}

// Origins are the addresses of the processes behind a gateway.
type Origins struct {
	// begin generated: edge-origins (go run ./tools/baari generate)
	Auth      Origin `env:"UPSTREAM_AUTH,required"`
	Visits    Origin `env:"UPSTREAM_VISITS,required"`
	Directory Origin `env:"UPSTREAM_DIRECTORY,required"`
	Audit     Origin `env:"UPSTREAM_AUDIT,required"`
	Realtime  Origin `env:"UPSTREAM_REALTIME,required"`
	Lobby     Origin `env:"UPSTREAM_LOBBY,required"`
	// end generated
	Web Origin `env:"UPSTREAM_WEB,required"`
}

// Upstreams returns the addresses, keyed by the names in the package's variable Upstreams.
func (o Origins) Upstreams() map[string]*url.URL {
	return map[string]*url.URL{
		// begin generated: edge-addresses (go run ./tools/baari generate)
		"auth":      o.Auth.URL,
		"visits":    o.Visits.URL,
		"directory": o.Directory.URL,
		"audit":     o.Audit.URL,
		"realtime":  o.Realtime.URL,
		"lobby":     o.Lobby.URL,
		// end generated
		Web: o.Web.URL,
	}
}

// ReadEdge reads the settings. The error names each variable that is missing or invalid.
func ReadEdge(env process.Environment) (e Edge, err error) {
	if err := env.Read(&e); err != nil {
		return e, err
	}
	if (e.ProxyHops > 0) != (len(e.TrustedProxies) > 0) {
		return e, errors.New("TRUSTED_PROXY_HOPS: a number of proxies and their networks, TRUSTED_PROXIES, go together")
	}
	return e, nil
}

// Rate returns the allowed requests per second and the burst of one client address; both are zero if the limits are
// off.
func (e Edge) Rate() (perSecond, burst int) {
	if e.Limits {
		return cmp.Or(int(e.RatePerSecond), Rate), cmp.Or(int(e.RateBurst), Burst)
	}
	return 0, 0
}

// Origin is the scheme and host of an HTTP address, such as http://127.0.0.1:8080.
type Origin struct{ *url.URL }

// UnmarshalText reads an address. It returns an error unless the address is http or https, with a host and without a
// path, query or user.
func (o *Origin) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q is not an address like http://host:port", text)
	}
	o.URL = &url.URL{Scheme: u.Scheme, Host: u.Host}
	return nil
}

// String returns the address, "" if none is set.
func (o Origin) String() string {
	if o.URL == nil {
		return ""
	}
	return o.URL.String()
}

// HTTPS reports whether the address is set and https.
func (o Origin) HTTPS() bool { return o.URL != nil && o.Scheme == "https" }
