// Command traefikconf writes Traefik's configuration from the table of paths: traefik.yaml and routes.yaml.
package main

import (
	"flag"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"baari.dev/gateway"
	"baari.dev/gateway/process"
	"baari.dev/gateway/traefikconf"
)

func main() {
	if err := run(); err != nil {
		process.Exit("traefikconf", err)
	}
}

func run() error {
	c := traefikconf.Config{Upstreams: map[string]*url.URL{}, AnswerLimit: gateway.AnswerLimit}
	port, adminPort, limits, level := process.Port(8080), process.Port(9090), process.Switch(true), slog.LevelInfo
	var base process.Origin
	out := flag.String("out", ".", "folder for the two files")
	flag.StringVar(&c.Host, "host", "", "address to listen on; empty: all")
	flag.Func("port", "public port (8080)", text(&port))
	flag.Func("admin-port", "port of /healthz, /readyz and /metrics (9090)", text(&adminPort))
	flag.Func("limits", "on or off: the coarse limit of an address (on)", text(&limits))
	flag.Func("log-level", "debug, info, warn or error (info)", text(&level))
	flag.Func("base-url", "public address; https makes every answer carry HSTS", text(&base))
	flag.Func("trusted-proxies", "comma list of CIDRs whose X-Forwarded-* are believed", trust(&c.TrustedProxies))
	flag.DurationVar(&c.ShutdownDelay, "shutdown-delay", 5*time.Second, "how long a stopping Traefik still takes requests")
	flag.DurationVar(&c.DrainTimeout, "drain", gateway.DrainTimeout, "how long it then waits for open answers and streams")
	for _, name := range gateway.Upstreams {
		flag.Func(name, "address of "+name+", as http://host:port (required)", func(given string) error {
			var origin process.Origin
			err := origin.UnmarshalText([]byte(given))
			c.Upstreams[name] = origin.URL
			return err
		})
	}
	flag.Parse()

	routes, err := gateway.Routes()
	if err != nil {
		return err
	}
	c.Routes, c.Port, c.AdminPort = routes, uint16(port), uint16(adminPort)
	c.HTTPS, c.LogLevel = base.HTTPS(), level.String()
	if limits {
		c.Rate, c.Burst = gateway.Rate, gateway.Burst
	}
	return traefikconf.Write(*out, c)
}

// text reads a flag by its value's own UnmarshalText.
func text(value interface{ UnmarshalText([]byte) error }) func(string) error {
	return func(given string) error { return value.UnmarshalText([]byte(given)) }
}

func trust(proxies *[]netip.Prefix) func(string) error {
	return func(given string) error {
		for part := range strings.SplitSeq(given, ",") {
			prefix, err := netip.ParsePrefix(strings.TrimSpace(part))
			if err != nil {
				return err
			}
			*proxies = append(*proxies, prefix)
		}
		return nil
	}
}
