package realtime

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/limit"
)

var (
	notifyRate    = limit.Rule{Name: "notify", By: limit.PerUser, Count: 6, Period: time.Minute, Burst: 6}
	telemetryRate = limit.Rule{Name: "telemetry", By: limit.PerAddress, Count: 10, Period: time.Minute, Burst: 10}
)

// Table returns the table of the public routes.
func Table(deps endpoint.Deps, hub *Hub, service *Service, registry prometheus.Registerer) (*endpoint.Table, error) {
	live := &streams{hub: hub, verifier: deps.Verifier}
	web := newMeasurements(registry)
	deps.Conflicts = []string{idempotency.ErrBusyKey.Code}
	staff := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	streamers := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin,
		contract.RoleDisplay).Cookie().Owned("self")
	senders := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleAdmin)
	return endpoint.New(deps,
		endpoint.Route{Method: http.MethodGet, Pattern: "/api/stream", Access: streamers, Limit: limit.Product,
			Handler: endpoint.Stream(live.open)},
		endpoint.Route{Method: http.MethodPost, Pattern: "/api/stream/notify", Access: senders, Limit: notifyRate,
			Handler: endpoint.JSON(decodeNotification, service.Notify)},
		endpoint.Route{Method: http.MethodGet, Pattern: "/api/stream/notifications", Access: staff, Limit: limit.Product,
			Handler: endpoint.JSON(decodeList, service.Notifications)},
		endpoint.Route{Method: http.MethodPost, Pattern: "/api/telemetry", Access: endpoint.Public(), Limit: telemetryRate,
			Handler: endpoint.JSON(decodeTelemetry, web.Note)},
	)
}
