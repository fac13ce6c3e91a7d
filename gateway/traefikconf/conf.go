// Package traefikconf writes Traefik's configuration from the table of paths, so that Traefik and the embedded gateway
// behave alike. Start with Write. dynamic.go has the routes, middlewares.go the middlewares, static.go the static
// configuration.
package traefikconf

import (
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"baari.dev/gateway"
	"baari.dev/services/platform/process"
)

// Config has the values of one installation.
type Config struct {
	Routes         []gateway.Route
	Host           string // "": every address of the machine
	Port           uint16
	AdminPort      uint16              // /healthz, /readyz, /metrics and /limit; not public
	Upstreams      map[string]*url.URL // one for each of gateway.Upstreams
	TrustedProxies []netip.Prefix      // peers whose X-Forwarded-* are trusted
	ProxyHops      int                 // number of proxies that a request from a trusted peer has passed
	HTTPS          bool                // the public address is https, even if no proxy says so
	Rate, Burst    int                 // limit of one client address; Rate 0: no limit
	AnswerLimit    time.Duration       // timeout for the header of an ordinary response
	ShutdownDelay  time.Duration       // how long a stopping Traefik still accepts requests
	DrainTimeout   time.Duration       // how long it then waits for in-flight requests and streams
	LogLevel       string
}

// FromEnvironment returns the configuration with which Traefik behaves like an embedded gateway with that environment.
func FromEnvironment(env process.Environment) (Config, error) {
	c, err := gateway.ReadEdge(env)
	if err != nil {
		return Config{}, err
	}
	routes, err := gateway.Routes()
	if err != nil {
		return Config{}, err
	}
	rate, burst := c.Rate()
	return Config{
		Routes: routes, Host: c.Host, Port: uint16(c.Port), AdminPort: uint16(c.AdminPort),
		Upstreams: c.Upstreams(), TrustedProxies: c.TrustedProxies, ProxyHops: int(c.ProxyHops), HTTPS: c.BaseURL.HTTPS(),
		Rate: rate, Burst: burst, AnswerLimit: gateway.AnswerLimit,
		ShutdownDelay: c.ShutdownDelay, DrainTimeout: c.DrainTimeout, LogLevel: c.LogLevel.String(),
	}, nil
}

// The names of the two files.
const (
	StaticFile  = "traefik.yaml"
	DynamicFile = "routes.yaml"
)

// Write writes both files into folder, which it creates. It returns an error if one of gateway.Upstreams has no address
// or a file cannot be written.
func Write(folder string, config Config) error {
	for _, name := range gateway.Upstreams {
		if config.Upstreams[name] == nil {
			return fmt.Errorf("upstream %s has no address", name)
		}
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	routes := filepath.Join(folder, DynamicFile)
	if err := write(routes, Dynamic(config)); err != nil {
		return err
	}
	return write(filepath.Join(folder, StaticFile), Static(config, routes))
}

func write(name string, document any) error {
	text, err := yaml.Marshal(document)
	if err != nil {
		return err
	}
	header := "# Made from gateway/routes.yaml by `baarid traefikconf`. Do not edit.\n"
	return os.WriteFile(name, append([]byte(header), text...), 0o600)
}
