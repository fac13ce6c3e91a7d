// Package crd replaces Traefik's package of the same name.
package crd

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "kubernetescrd"

// Provider is absent.
type Provider struct{ absent.Provider }

// FillExtensionBuilderRegistry does nothing.
func (*Provider) FillExtensionBuilderRegistry(any) {}
