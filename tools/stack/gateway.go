package stack

import (
	"context"
	"path/filepath"
	"strings"
)

// Gateway names the program that serves the public port.
type Gateway string

// The two gateways behave the same; one test suite covers both.
const (
	Embedded Gateway = "embedded" // small, starts immediately
	Traefik  Gateway = "traefik"  // the gateway of production; it is built once, which takes minutes
)

// packages returns the programs of the gateway module to build.
func (g Gateway) packages() []string {
	all := []string{"baari.dev/gateway/cmd/web"}
	if g == Traefik {
		return append(all, "baari.dev/gateway/cmd/traefikconf")
	}
	return append(all, "baari.dev/gateway/cmd/gateway")
}

func (s *Stack) gatewaySpec(ctx context.Context, built builds) (Spec, error) {
	ports := s.ports["gateway"]
	env := s.options.commonEnv()
	env.listen(ports)
	for _, upstream := range append([]string{"web"}, Services...) {
		at := httpAddress(s.ports[upstream].public)
		if err := s.options.setLinked(&env, "UPSTREAM_"+strings.ToUpper(upstream), "gateway", upstream, at); err != nil {
			return Spec{}, err
		}
	}
	spec := Spec{
		Name: "gateway", Path: filepath.Join(built.bin, "gateway"), Env: env, Port: ports.public, AdminPort: ports.admin,
	}
	if s.options.Gateway == Traefik {
		return s.traefikSpec(ctx, built, spec)
	}
	return spec, nil
}
