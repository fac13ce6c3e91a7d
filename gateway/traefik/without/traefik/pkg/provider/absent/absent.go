// Package absent has the provider that takes the place of those left out of this build of Traefik.
package absent

import (
	"errors"

	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/safe"
)

// Provider is a provider of configuration that cannot be enabled.
type Provider struct{}

// Init returns an error: Traefik logs it for a provider that its configuration enables.
func (Provider) Init() error { return errors.New("this provider is not part of this build of Traefik") }

// Provide provides nothing.
func (Provider) Provide(chan<- dynamic.Message, *safe.Pool) error { return nil }
