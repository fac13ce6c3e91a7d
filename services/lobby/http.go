package lobby

import (
	"net/http"
	"slices"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// Routes returns the external routes: the API for staff, and the pages, for which a visitor needs only the address.
func (s *Service) Routes() []endpoint.Route {
	desk := endpoint.Roles(contract.RoleReception, contract.RoleAdmin)
	routes := []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/lobby/visits/{id}/link", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.Link),
		},
		{
			Method: http.MethodPost, Pattern: "/api/lobby/visits/{id}/link", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.Replace),
		},
		{
			Method: http.MethodGet, Pattern: "/api/lobby/arrivals", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readNothing, s.Arrivals),
		},
		{
			Method: http.MethodGet, Pattern: "/api/lobby/messages", Access: endpoint.Roles(contract.RoleAdmin),
			Limit: limit.Product, Handler: endpoint.JSON(readNothing, s.Messages),
		},
		{
			Method: http.MethodPut, Pattern: "/api/lobby/arrivals/{id}", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readAnswer, s.Answer),
		},
	}
	routes = append(routes, s.appointmentRoutes()...)
	for _, page := range slices.Concat(s.appointmentPages(), s.rightsRoutes(), []pageRoute{
		{http.MethodGet, "/q/page.js", serveScript},
		{http.MethodGet, "/q/join", s.serveJoin},
		{http.MethodGet, "/Q/JOIN", s.serveJoin},
		{http.MethodPost, "/q/join", s.serveJoined},
		{http.MethodGet, "/q/{code}", s.servePage},
		{http.MethodGet, "/Q/{code}", s.servePage},
		{http.MethodGet, "/q/{code}/state", s.serveState},
		{http.MethodPost, "/q/{code}/late", s.serveAction(actionLate)},
		{http.MethodPost, "/q/{code}/left", s.serveAction(actionLeft)},
		{http.MethodPost, "/q/{code}/here", s.serveAction(actionHere)},
		{http.MethodPost, "/q/{code}/back", s.serveAction(actionBack)},
		{http.MethodPost, "/q/{code}/lang", s.serveLanguage},
		{http.MethodPost, "/q/{code}/push", s.serveSubscribe},
		{http.MethodDelete, "/q/{code}/push", s.serveUnsubscribe},
		{http.MethodGet, "/q/key", s.serveKey},
		{http.MethodGet, "/q/push-worker.js", serveWorker},
	}) {
		routes = append(routes, endpoint.Route{
			Method: page.method, Pattern: page.pattern, Access: endpoint.Public(), Handler: endpoint.Stream(page.serve),
		})
	}
	return routes
}

type pageRoute struct {
	method, pattern string
	serve           func(http.ResponseWriter, *http.Request) error
}

func readNothing(*http.Request) (struct{}, error) { return struct{}{}, nil }

// readID reads the id of a visit or an arrival from the path. It returns fault.ErrNotFound for any other text.
func readID(r *http.Request) (string, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil || len(r.PathValue("id")) != 36 {
		return "", fault.ErrNotFound
	}
	return id.String(), nil
}

type linkAnswer struct {
	Link linkBody `json:"link"`
}

type linkBody struct {
	URL     string     `json:"url"`
	Opens   int        `json:"opens"`
	Told    []toldBody `json:"told"` // notifications of the visitor, oldest first
	Expires wire.Time  `json:"expires"`
}

// madeLink answers 201.
type madeLink struct{ linkAnswer }

// StatusCode implements kithttp.StatusCoder.
func (madeLink) StatusCode() int { return http.StatusCreated }
