// Package ingress replaces Traefik's package of the same name.
package ingress

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "kubernetes"

// Provider is absent.
type Provider struct {
	absent.Provider

	DefaultRuleSyntax string `json:"-" toml:"-" yaml:"-" label:"-" file:"-"`
}
