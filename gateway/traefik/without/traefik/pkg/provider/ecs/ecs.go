// Package ecs replaces Traefik's package of the same name.
package ecs

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "ecs"

// Provider is absent.
type Provider struct{ absent.Provider }
