package auth

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// base is where better-auth's contract begins; the calls beside it keep the API's own.
const base = "/api/auth"

// perUser is the rate of the calls of one person (reliability.md S6).
var perUser = limit.Rule{Name: "auth", By: limit.PerUser, Count: 20, Period: time.Second, Burst: 40}

// Routes is everything auth answers behind the gateway.
func (s *Service) Routes() []endpoint.Route {
	return slices.Concat(s.sessionRoutes(), s.passwordRoutes(), s.emailChangeRoutes(), s.profileRoutes(), s.providerRoutes(), s.userRoutes())
}

func (s *Service) userRoutes() []endpoint.Route {
	staff := endpoint.Roles(account.Roles...)
	self := staff.Owned("self")
	registering := self
	if s.options.Registration == RegistrationApproval {
		registering = self.Inactive() // the service lets only a young registration finish
	}
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/users", Access: endpoint.Roles(account.Admin), Limit: perUser,
			Handler: endpoint.JSON(readFound, s.Users)},
		{Method: http.MethodPost, Pattern: "/api/users", Access: registering.Cookie(), Limit: perUser,
			Handler: endpoint.JSON(readSaveUser, s.SaveUser)},
		{Method: http.MethodGet, Pattern: "/api/users/{id}", Access: self.Inactive(), Limit: perUser,
			Handler: endpoint.JSON(readGetUser, s.User)},
		{Method: http.MethodPut, Pattern: "/api/users/{id}", Access: registering, Limit: perUser,
			Handler: endpoint.JSON(readChangeUser, s.ChangeUser)},
		{Method: http.MethodPost, Pattern: "/api/users/{id}/revoke-sessions", Access: endpoint.Roles(account.Admin), Limit: perUser,
			Handler: endpoint.JSON(readGetUser, s.RevokeUser)},
	}
}

// InternalRoutes is what auth answers other services.
func (s *Service) InternalRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/introspect", Access: endpoint.Service(),
			Handler: endpoint.JSON(endpoint.Body[introspect], s.Introspect)},
		{Method: http.MethodPost, Pattern: "/internal/sessions/active", Access: endpoint.Service(),
			Handler: endpoint.JSON(readActive, s.Activity)},
	}
}

// Deps adds to the surroundings of the table what auth does in its own way: better-auth's contract under its
// base path, and the check of origins where a cookie is taken.
func (s *Service) Deps(deps endpoint.Deps) endpoint.Deps {
	deps.CheckOrigin, deps.Conflicts = s.origins.check, []string{errLastAdmin.Code}
	deps.Convention = &endpoint.Convention{
		Prefix: base, Refuse: refuse, Authenticate: s.authenticate,
		Unrouted: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
	}
	return deps
}

// authenticate finds the session of a call of /api/auth by its own rules of bearer and cookie, and renews it.
func (s *Service) authenticate(r *http.Request) (context.Context, identity.Caller, error) {
	ctx := r.Context()
	found, ok, err := s.look(ctx, s.cookies.token(r), true)
	if err == nil && !ok {
		err = fault.ErrUnauthorized
	}
	return context.WithValue(ctx, currentKey{}, found), found.caller(), err
}

// translated are the API's own faults in better-auth's words.
var translated = map[string]*fault.Fault{
	fault.ErrUnauthorized.Code: fault.New(fault.Unauthenticated, "UNAUTHORIZED", "Unauthorized"),
	fault.ErrBadBody.Code:      fault.New(fault.Invalid, "BAD_REQUEST", "Invalid JSON in request body"),
}

// refusalBody is a refusal of /api/auth; error is the product's sentence, under the API's own name.
type refusalBody struct {
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
	Error   string `json:"error,omitempty"`
}

// emptyWithoutSession are the calls that say 401 with an empty body.
func emptyWithoutSession(path string) bool {
	switch strings.TrimPrefix(path, base) {
	case "/account-info", "/get-access-token", "/refresh-token":
		return true
	}
	return false
}

// refuse writes an error in the form of better-auth's client. Internal errors have the form of all services.
func refuse(ctx context.Context, w http.ResponseWriter, route endpoint.Route, f *fault.Fault) {
	if own, ok := translated[f.Code]; ok {
		f = own
	}
	switch {
	case f.Kind == fault.Internal:
		_ = wire.Write(w, f.Status(), f.Body(request.From(ctx).ID))
	case f.Kind == fault.RateLimited:
		w.Header().Set("X-Retry-After", w.Header().Get("Retry-After"))
		_ = wire.Write(w, f.Status(), refusalBody{Message: f.Sentence})
	case f.Kind == fault.Unauthenticated && emptyWithoutSession(route.Pattern):
		w.WriteHeader(f.Status())
	default:
		_ = wire.Write(w, f.Status(), refusalBody{Message: f.Sentence, Code: f.Code, Error: cmp.Or(productSentences[f.Code], f.Sentence)})
	}
}

// read reads the body of a call that changes something and checks where it comes from and where it leads, in the
// order of better-auth: media type and JSON, then origin, then redirect targets. known are the keys it looks at.
func (s *Service) read(r *http.Request, form bool, known ...string) (*object, error) {
	o, err := readObject(r, form, append(known, targets...)...)
	if err != nil {
		return nil, err
	}
	if err := s.origins.check(r); err != nil {
		return nil, err
	}
	return o, s.checkTargets(o, r)
}

// targets are the members that say where the person is led.
var targets = []string{"callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"}

var targetFaults = map[string]*fault.Fault{
	"callbackURL": errInvalidCallback, "redirectTo": errInvalidRedirect,
	"errorCallbackURL": errInvalidErrorURL, "newUserCallbackURL": errInvalidNewUser,
}

func (s *Service) checkTargets(o *object, r *http.Request) error {
	for _, name := range targets {
		value := o.members[name]
		var address string
		switch kind := value.Kind(); {
		case kind == '"':
			if err := json.Unmarshal(value, &address); err != nil {
				return fault.ErrBadBody.Because(err)
			}
		case kind == '{' || kind == '[' || kind == 't' || kind == '0' && string(value) != "0":
			return fault.New(fault.Invalid, "", "Invalid "+name+": expected a string")
		}
		if name == "callbackURL" && address == "" {
			address = r.URL.Query().Get(name)
		}
		if address != "" && !s.origins.target(address) {
			return targetFaults[name]
		}
	}
	return nil
}

// readQuery reads the query of a link and checks where it leads.
func (s *Service) readQuery(r *http.Request) (*object, error) {
	o, err := queryObject(r)
	if err != nil {
		return nil, err
	}
	return o, s.checkTargets(o, r)
}

// readNothing reads a call whose fields are not looked at.
func (s *Service) readNothing(r *http.Request) (*object, error) {
	o, err := s.read(r, false)
	if err != nil {
		return nil, err
	}
	return o, o.err()
}
