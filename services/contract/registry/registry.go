// Package registry is the only table of the services. Tools read it to start, build and measure them. `go run
// ./tools/baari generate` derives the chart's values, the gateway's upstreams and the examples in k8s from it. A new
// service adds a row here.
package registry

import "strings"

// LocalInternalPorts is the port before the first internal port if all targets share a process. The services have the
// ports that follow it, in the order of Services.
const LocalInternalPorts = 8200

// Ports of every service in a cluster. On one machine the launcher chooses free ports.
const (
	PublicPort   = 8080 // requests from the gateway
	InternalPort = 8081 // requests from other services and from the operator
	AdminPort    = 9090 // liveness, readiness, metrics
)

// Service is a row of the table.
type Service struct {
	// Name is the folder in services, the upstream in gateway/routes.yaml, and the NAME in the variables NAME_URL and
	// UPSTREAM_NAME. The database is called baari_ followed by the name.
	Name string
	// Component is the name in the cluster and of the image, if it differs from Name.
	Component string
	// Needs are the services whose feed or internal listener this service uses. This service can be among them.
	Needs []string
	// Asks are services whose internal listener this service calls for an admin only. This service can be among them.
	Asks []string
	// Secrets are variables required in addition to SERVICE_KEY. OptionalSecrets are variables that can be unset.
	Secrets, OptionalSecrets []string
	// Resources are the requests and limits in a cluster; the zero value means the chart's defaults.
	Resources Resources
}

// Resources has quantities of Kubernetes. Reason, a comment in the chart, says why the defaults do not fit, or is "".
type Resources struct{ CPU, Memory, MemoryLimit, Reason string }

// Services are the services in the order in which the launcher starts them.
var Services = []Service{
	{
		Name:            "auth",
		Needs:           []string{"directory"},
		Secrets:         []string{"AUTH_SECRET", "BOOTSTRAP_ADMIN_PASSWORD"},
		OptionalSecrets: []string{"SMTP_URL"},
		Resources:       Resources{"50m", "64Mi", "384Mi", "a password hash takes 19 MiB while it is computed"},
	},
	{Name: "visits", Needs: []string{"auth", "directory"}, Asks: []string{"visits", "audit", "realtime", "lobby"}},
	{Name: "directory", Needs: []string{"auth", "visits"}, OptionalSecrets: []string{"SMTP_URL"}},
	{
		Name: "audit", Component: "audit-analytics",
		Needs:   []string{"auth", "visits", "directory", "audit", "realtime", "lobby"},
		Secrets: []string{"AUDIT_KEY"},
	},
	{
		Name:      "realtime",
		Needs:     []string{"auth", "visits", "directory", "realtime", "lobby"},
		Resources: Resources{CPU: "50m", Memory: "64Mi", MemoryLimit: "512Mi"},
	},
	{
		Name: "lobby", Needs: []string{"auth", "visits", "directory"},
		Secrets: []string{"LOBBY_KEY"}, OptionalSecrets: []string{"SMTP_URL", "MESSAGES"},
	},
}

// Names returns the names of all services, in the order of Services.
func Names() []string {
	names := make([]string, len(Services))
	for i, service := range Services {
		names[i] = service.Name
	}
	return names
}

// Variable returns the name of the environment variable with the internal address, like VISITS_URL.
func (s Service) Variable() string { return strings.ToUpper(s.Name) + "_URL" }

// Upstream returns the name of the gateway's variable with the public address, like UPSTREAM_VISITS.
func (s Service) Upstream() string { return "UPSTREAM_" + strings.ToUpper(s.Name) }

// Database returns the name of the database, like baari_visits. Its roles are baari_visits_owner and baari_visits_app.
func (s Service) Database() string { return "baari_" + s.Name }

// Image returns the name of the image and of the component in a cluster.
func (s Service) Image() string {
	if s.Component != "" {
		return s.Component
	}
	return s.Name
}
