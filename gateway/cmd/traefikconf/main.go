// Command traefikconf writes Traefik's configuration from the table of paths and from the same environment as the
// embedded gateway's: traefik.yaml and routes.yaml, in the folder that -out names.
package main

import (
	"flag"

	"baari.dev/gateway"
	"baari.dev/gateway/traefikconf"
	"baari.dev/services/platform/process"
)

func main() {
	if err := run(); err != nil {
		process.Fail("traefikconf", err)
	}
}

func run() error {
	out := flag.String("out", ".", "folder for the two files")
	flag.Parse()
	c, err := gateway.ReadEdge(process.OSEnvironment())
	if err != nil {
		return err
	}
	routes, err := gateway.Routes()
	if err != nil {
		return err
	}
	rate, burst := c.Rate()
	return traefikconf.Write(*out, traefikconf.Config{
		Routes: routes, Host: c.Host, Port: uint16(c.Port), AdminPort: uint16(c.AdminPort),
		Upstreams: c.Upstreams(), TrustedProxies: c.TrustedProxies, ProxyHops: int(c.ProxyHops), HTTPS: c.BaseURL.HTTPS(),
		Rate: rate, Burst: burst, AnswerLimit: gateway.AnswerLimit,
		ShutdownDelay: c.ShutdownDelay, DrainTimeout: c.DrainTimeout, LogLevel: c.LogLevel.String(),
	})
}
