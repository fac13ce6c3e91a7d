package process

import (
	"cmp"
	"errors"
	"net/netip"
	"net/url"

	"baari.dev/gateway"
)

// Edge is the configuration of a gateway, of the embedded one and of Traefik.
type Edge struct {
	Config
	Origins
	BaseURL        Origin         `env:"BASE_URL"`
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	ProxyHops      uint8          `env:"TRUSTED_PROXY_HOPS"`
	Limits         Switch         `env:"LIMITS" envDefault:"on"`
	RatePerSecond  uint16         `env:"RATE_PER_SECOND"` // 0: gateway.Rate
	RateBurst      uint16         `env:"RATE_BURST"`      // 0: gateway.Burst
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

// Upstreams returns the addresses by name, one for each of gateway.Upstreams.
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
		gateway.Web: o.Web.URL,
	}
}

// Read reads the environment into e. The error names each variable that is missing or invalid.
func (e *Edge) Read() error {
	if err := Read(e); err != nil {
		return err
	}
	if (e.ProxyHops > 0) != (len(e.TrustedProxies) > 0) {
		return errors.New("TRUSTED_PROXY_HOPS: a number of proxies and their networks, TRUSTED_PROXIES, go together")
	}
	return nil
}

// Rate returns the requests per second and the burst of one address, zero if the limits are off.
func (e Edge) Rate() (perSecond, burst int) {
	if e.Limits {
		return cmp.Or(int(e.RatePerSecond), gateway.Rate), cmp.Or(int(e.RateBurst), gateway.Burst)
	}
	return 0, 0
}
