package process

import (
	"net/netip"
	"net/url"

	"baari.dev/gateway"
)

// Edge is the environment of a gateway: the embedded one runs by it, and Traefik's configuration is written from it.
type Edge struct {
	Config
	Auth           Origin         `env:"UPSTREAM_AUTH,required"`
	Visits         Origin         `env:"UPSTREAM_VISITS,required"`
	Directory      Origin         `env:"UPSTREAM_DIRECTORY,required"`
	Audit          Origin         `env:"UPSTREAM_AUDIT,required"`
	Realtime       Origin         `env:"UPSTREAM_REALTIME,required"`
	Web            Origin         `env:"UPSTREAM_WEB,required"`
	BaseURL        Origin         `env:"BASE_URL"`
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	ProxyHops      uint8          `env:"TRUSTED_PROXY_HOPS" envDefault:"1"` // Traefik only
	Limits         Switch         `env:"LIMITS" envDefault:"on"`
}

// Upstreams are the addresses by name.
func (e Edge) Upstreams() map[string]*url.URL {
	return map[string]*url.URL{
		"auth": e.Auth.URL, "visits": e.Visits.URL, "directory": e.Directory.URL,
		"audit": e.Audit.URL, "realtime": e.Realtime.URL, gateway.Web: e.Web.URL,
	}
}

// Rate returns the requests a second and the burst of one address; zero when the limits are off.
func (e Edge) Rate() (perSecond, burst int) {
	if e.Limits {
		return gateway.Rate, gateway.Burst
	}
	return 0, 0
}
