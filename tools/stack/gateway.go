package stack

import (
	"context"
	"strings"
)

// Gateway names the program that serves the public port.
type Gateway string

// The gateways. One test suite covers both.
const (
	Embedded Gateway = "embedded" // small, starts immediately
	Traefik  Gateway = "traefik"  // the gateway of production; building it takes minutes, once
)

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
	spec := targetSpec("gateway", built, ports, env)
	spec.InternalPort = 0 // The gateway has no internal listener.
	if s.options.Gateway == Traefik {
		return s.traefikSpec(ctx, built, spec)
	}
	return spec, nil
}
