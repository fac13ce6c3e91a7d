package types

import (
	"context"

	"go.opentelemetry.io/otel/sdk/resource"
)

// K8sAttributesDetector replaces Traefik's type of the same name, which asks the API of a cluster about the pod.
type K8sAttributesDetector struct{}

// Detect returns an empty resource, as Traefik's does outside a cluster.
func (K8sAttributesDetector) Detect(context.Context) (*resource.Resource, error) {
	return resource.Empty(), nil
}
