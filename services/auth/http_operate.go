package auth

import (
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// operatorRoutes are the internal routes of baarictl.
func (s *Service) operatorRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/admins",
			Access:  endpoint.Service(contract.CallerOperator).ByKey(),
			Handler: endpoint.JSON(endpoint.Body[createAdmin], s.OperatorCreateAdmin)},
		{Method: http.MethodPost, Pattern: "/internal/sessions/end",
			Access:  endpoint.Service(contract.CallerOperator).ByKey(),
			Handler: endpoint.JSON(readEndSessions, s.EndSessions)},
	}
}

type createAdmin struct {
	Email    string `json:"email"`
	Name     string `json:"name"`
	Password string `json:"password"`
}

type createdAdmin struct {
	ID string `json:"id"`
}

// endSessions selects the user, or all users, whose sessions end. Exactly one field is set.
type endSessions struct {
	UserID   string `json:"userId"`
	Email    string `json:"email"`
	Everyone bool   `json:"everyone"`
}

// readEndSessions rejects a body without exactly one field, because a body without fields must not end all sessions.
func readEndSessions(r *http.Request) (endSessions, error) {
	var req endSessions
	if err := wire.Read(r, &req); err != nil {
		return req, err
	}
	selected := 0
	for _, set := range []bool{req.UserID != "", req.Email != "", req.Everyone} {
		if set {
			selected++
		}
	}
	if selected != 1 {
		return req, fault.ErrBadBody
	}
	return req, nil
}
