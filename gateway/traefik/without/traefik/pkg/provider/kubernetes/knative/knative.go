// Package knative replaces Traefik's package of the same name.
package knative

import "github.com/traefik/traefik/v3/pkg/provider/absent"

// ProviderName is the provider's name.
const ProviderName = "knative"

// Provider is absent.
type Provider struct{ absent.Provider }
