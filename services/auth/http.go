package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/devices"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// base is the path prefix of better-auth's contract. Other paths have the product's own conventions.
const base = "/api/auth"

// The rates of calls (services/docs/limits.md). secretRate limits calls that take the caller's password, tokenRate
// limits calls that take a token from a mail.
var (
	perUser    = limit.Rule{Name: "auth", By: limit.PerUser, Count: 20, Period: time.Second, Burst: 40}
	mailRate   = limit.Rule{Name: "mail", By: limit.PerAddress, Count: 3, Period: time.Minute, Burst: 3}
	tokenRate  = limit.Rule{Name: "mail-token", By: limit.PerAddress, Count: 60, Period: time.Minute, Burst: 60}
	secretRate = limit.Rule{Name: "secret", By: limit.PerUser, Count: 3, Period: 10 * time.Second, Burst: 3}
)

// Routes returns the routes that auth serves behind the gateway.
func (s *Service) Routes() []endpoint.Route {
	return slices.Concat(s.sessionRoutes(), s.passwordRoutes(), s.emailChangeRoutes(), s.profileRoutes(),
		s.providerRoutes(), s.userRoutes(), s.devices.Routes(perUser))
}

// ownAccount allows all roles to call a route about their own account, with a bearer or a cookie.
func ownAccount() endpoint.Access { return endpoint.Roles(account.Roles...).Owned("self").Cookie() }

// Deps returns deps with better-auth's conventions under base and a check of the origin of requests with a cookie.
func (s *Service) Deps(deps endpoint.Deps) endpoint.Deps {
	deps.CheckOrigin = s.origins.check
	deps.Conflicts = []string{errLastAdmin.Code, errUndoGone.Code, errNotAwaiting.Code, errNotInvited.Code}
	deps.Convention = &endpoint.Convention{
		Prefix: base, Reject: reject, Authenticate: s.authenticate,
		Unrouted: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		GetOnly:  []string{base + "/verify-email", base + "/reset-password/"},
	}
	return deps
}

// authenticate finds the caller of a call of /api/auth: a display, or the user of a session, which it renews if due.
func (s *Service) authenticate(r *http.Request) (context.Context, identity.Caller, error) {
	ctx := r.Context()
	token := s.cookies.token(r)
	if devices.IsToken(token) {
		display, err := s.devices.Display(ctx, token)
		return ctx, display, err
	}
	found, ok, err := s.liveSession(ctx, token, true)
	if err == nil && !ok {
		err = fault.ErrUnauthorized
	}
	return context.WithValue(ctx, currentKey{}, found), found.caller(), err
}

// translated maps the codes of the platform's faults to better-auth's faults.
var translated = map[string]*fault.Fault{
	fault.ErrUnauthorized.Code: fault.New(fault.Unauthenticated, "UNAUTHORIZED", "Unauthorized"),
	fault.ErrBadBody.Code:      errInvalidJSON,
}

// translate returns the fault of /api/auth for f. A repeated key of the query is named in the message.
func translate(f *fault.Fault) *fault.Fault {
	var repeated *endpoint.RepeatedKeyError
	if errors.As(f, &repeated) {
		return fault.New(fault.Invalid, errInvalidJSON.Code, fmt.Sprintf("Query key %.64q is repeated", repeated.Key))
	}
	return cmp.Or(translated[f.Code], f)
}

// errorBody is an error response of /api/auth. Message is better-auth's text, Error the sentence to show. The other
// members are the same as in errors of the product's own calls.
type errorBody struct {
	Message     string                     `json:"message"`
	Code        string                     `json:"code,omitempty"`
	Error       string                     `json:"error,omitempty"`
	Fields      map[string]string          `json:"fields,omitempty"`
	FieldCodes  map[string]fault.FieldCode `json:"field_codes,omitempty"`
	FieldParams map[string]fault.Params    `json:"field_params,omitempty"`
}

// bodyOf returns the error response for a fault. Message is better-auth's text, for programs. Error is for people: the
// product's sentence, if there is one. The messages about fields are always the product's.
func bodyOf(f *fault.Fault) errorBody {
	body := errorBody{Message: f.Sentence, Code: f.Code, Error: cmp.Or(productSentences[f.Code], f.Sentence)}
	var named *fault.Fault
	if errors.As(errors.Unwrap(f), &named) && len(named.Fields) > 0 {
		words := named.Body("")
		body.Error, body.Fields = words.Error, words.Fields
		body.FieldCodes, body.FieldParams = words.FieldCodes, words.FieldParams
	}
	return body
}

// emptyWithoutSession reports whether a call without a session returns 401 with an empty body.
func emptyWithoutSession(path string) bool {
	switch strings.TrimPrefix(path, base) {
	case "/account-info", "/get-access-token", "/refresh-token":
		return true
	}
	return false
}

// reject writes a fault in the form that better-auth's client expects, and internal errors as all services do.
func reject(ctx context.Context, w http.ResponseWriter, route endpoint.Route, f *fault.Fault) {
	f = translate(f)
	switch {
	case f.Kind == fault.Internal:
		_ = wire.Write(w, f.Status(), f.Body(request.From(ctx).ID))
	case f.Kind == fault.RateLimited:
		w.Header().Set("X-Retry-After", w.Header().Get("Retry-After"))
		_ = wire.Write(w, f.Status(), errorBody{Message: f.Sentence})
	case f.Kind == fault.Unauthenticated && emptyWithoutSession(route.Pattern):
		w.WriteHeader(f.Status())
	default:
		_ = wire.Write(w, f.Status(), bodyOf(f))
	}
}

// read reads the body of a call that is not a GET. It checks in better-auth's order: media type and JSON, origin,
// redirect targets. known are the keys that the call uses.
func (s *Service) read(r *http.Request, form bool, known ...string) (*object, error) {
	o, err := readObject(r, form, append(known, redirectTargets...)...)
	if err != nil {
		return nil, err
	}
	if err := s.origins.check(r); err != nil {
		return nil, err
	}
	return o, s.checkTargets(o, r)
}

// redirectTargets are the members that hold URLs to redirect to.
var redirectTargets = []string{"callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"}

var targetFaults = map[string]*fault.Fault{
	"callbackURL": errInvalidCallback, "redirectTo": errInvalidRedirect,
	"errorCallbackURL": errInvalidErrorURL, "newUserCallbackURL": errInvalidNewUser,
}

func (s *Service) checkTargets(o *object, r *http.Request) error {
	for _, name := range redirectTargets {
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

// readQuery reads the query of a link and checks its redirect targets.
func (s *Service) readQuery(r *http.Request) (*object, error) {
	o, err := queryObject(r)
	if err != nil {
		return nil, err
	}
	return o, s.checkTargets(o, r)
}

// readNothing checks the body of a call that uses no fields.
func (s *Service) readNothing(r *http.Request) (*object, error) {
	o, err := s.read(r, false)
	if err != nil {
		return nil, err
	}
	return o, o.err()
}

// withSession returns an answer with the cookies of a live session.
func (s *Service) withSession(c current, body any) answer {
	out := answer{body: body, header: http.Header{}}
	s.cookies.set(out.header, c.token, c.Session.Remember)
	return out
}

// withRenewal adds the cookies of a session that the request has renewed, unless the call sets cookies itself.
func withRenewal[Req any](
	s *Service, call func(context.Context, Req) (answer, error),
) func(context.Context, Req) (answer, error) {
	return func(ctx context.Context, req Req) (answer, error) {
		out, err := call(ctx, req)
		c := currentOf(ctx)
		if err != nil || !c.renewed || len(out.header["Set-Cookie"]) > 0 {
			return out, err
		}
		return s.withSession(c, out.body), nil
	}
}
