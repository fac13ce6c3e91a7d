// Package absent has the provider that replaces the providers that are left out of this build of Traefik.
package absent

import (
	"errors"

	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/safe"
)

// Provider is a Traefik provider that cannot be enabled.
type Provider struct{}

// Init returns an error, which Traefik logs if its configuration enables the provider.
func (Provider) Init() error { return errors.New("this provider is not part of this build of Traefik") }

// Provide provides nothing.
func (Provider) Provide(chan<- dynamic.Message, *safe.Pool) error { return nil }
