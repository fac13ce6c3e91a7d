package auth

import (
	"net/http"
	"slices"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/wire"
)

// InternalRoutes returns the routes that auth serves to other services and to the operator.
func (s *Service) InternalRoutes() []endpoint.Route {
	return append(slices.Concat(s.operatorRoutes(), s.devices.InternalRoutes()),
		endpoint.Route{Method: http.MethodPost, Pattern: "/internal/introspect", Access: endpoint.Service(),
			Handler: endpoint.JSON(endpoint.Body[introspect], s.Introspect)},
		endpoint.Route{Method: http.MethodPost, Pattern: "/internal/sessions/active",
			Access:  endpoint.Service(contract.SourceRealtime),
			Handler: endpoint.JSON(readActive, s.RenewActive)},
	)
}

// introspect is the request for the session and user of a token.
type introspect struct {
	Token wire.Field[string] `json:"token"`
}

// introspection is the response to introspect. If Active is false, the other fields are empty.
type introspection struct {
	Active    bool              `json:"active"`
	SessionID string            `json:"session_id,omitempty"`
	ExpiresAt *wire.Time        `json:"expires_at,omitempty"`
	CreatedAt *wire.Time        `json:"created_at,omitempty"`
	User      *introspectedUser `json:"user,omitempty"`
}

type introspectedUser struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Email    string `json:"email"`
	Role     string `json:"role"`
	IsActive bool   `json:"isActive"`
	Newcomer bool   `json:"newcomer,omitzero"`
}

func introspectionOf(c current) introspection {
	expires, created, u := wire.Time(c.Session.ExpiresAt), wire.Time(c.Session.CreatedAt), c.User
	return introspection{
		Active:    true,
		SessionID: c.Session.ID,
		ExpiresAt: &expires,
		CreatedAt: &created,
		User:      &introspectedUser{u.ID, u.Name, u.Email, u.Role, u.IsActive, u.IsNewcomer(c.now)},
	}
}

// introspectionOfDisplay sets no expiry, because a display is paired until it is revoked.
func introspectionOfDisplay(d identity.Caller) introspection {
	return introspection{
		Active:    true,
		SessionID: d.SessionID,
		User:      &introspectedUser{ID: d.ID, Name: d.Name, Role: d.Role, IsActive: d.Active},
	}
}

// activeRequest names sessions that are in use without requests, such as those of open streams.
type activeRequest struct {
	SessionIDs []string `json:"session_ids"`
}

func readActive(r *http.Request) (activeRequest, error) {
	var req activeRequest
	if err := wire.Read(r, &req); err != nil {
		return req, err
	}
	if len(req.SessionIDs) > identity.MaxActive {
		return req, fault.ErrBadBody
	}
	return req, nil
}

// activeAnswer has those sessions of the request that are live.
type activeAnswer struct {
	Sessions []activeSession `json:"sessions"`
}

type activeSession struct {
	SessionID string    `json:"session_id"`
	ExpiresAt wire.Time `json:"expires_at"`
}
