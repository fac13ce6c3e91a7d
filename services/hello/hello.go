// Package hello greets signed-in users.
package hello

import (
	"context"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
)

// Name is the name of the service.
const Name = "hello"

// Routes returns the public routes.
func Routes() []endpoint.Route {
	staff := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	return []endpoint.Route{{
		Method: http.MethodGet, Pattern: "/api/hello", Access: staff, Limit: limit.Product,
		Handler: endpoint.JSON(endpoint.Nothing, greet),
	}}
}

type greeting struct {
	Message string `json:"message"`
}

func greet(ctx context.Context, _ struct{}) (greeting, error) {
	caller, _ := identity.From(ctx)
	return greeting{"Hello " + caller.Name}, nil
}
