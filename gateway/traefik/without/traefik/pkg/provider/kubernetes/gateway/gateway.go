// Package gateway replaces Traefik's package of the same name.
package gateway

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "kubernetesgateway"

// Provider is absent.
type Provider struct {
	absent.Provider

	EntryPoints map[string]Entrypoint `json:"-" toml:"-" yaml:"-" label:"-" file:"-"`
}

// Entrypoint has the settings that Traefik passes to the provider for each of its entry points.
type Entrypoint struct {
	Address        string
	HasHTTPTLSConf bool
}
