// Package ingressnginx replaces Traefik's package of the same name.
package ingressnginx

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "kubernetesingressnginx"

// Provider is absent.
type Provider struct {
	absent.Provider

	WatchNamespace         string   `json:"-" toml:"-" yaml:"-" label:"-" file:"-"`
	WatchNamespaceSelector string   `json:"-" toml:"-" yaml:"-" label:"-" file:"-"`
	NonTLSEntryPoints      []string `json:"-" toml:"-" yaml:"-" label:"-" file:"-"`
}
