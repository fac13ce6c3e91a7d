package endpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// guard checks a request before its body is read (except in a Convention): session, inactive account, role, rate.
type guard struct {
	deps    Deps
	tokens  *identity.ServiceTokens
	metrics *metrics
}

// enter returns the context in which a request is served, or the error of the first check that fails.
func (g *guard) enter(r *http.Request, route Route) (context.Context, error) {
	ctx := r.Context()
	access := route.Access
	switch {
	case access.service:
		caller, err := g.service(r, access)
		return identity.With(ctx, caller), err
	case access.public:
		return ctx, g.deps.Limiter.Allow(ctx, route.Limit, request.From(ctx).ClientKey())
	case g.deps.Convention.covers(route.Pattern):
		return g.enterLate(r, route)
	}
	caller, err := g.authenticate(r, access)
	if err != nil {
		g.metrics.unauthenticated(err)
		return ctx, err
	}
	ctx, err = g.authorize(ctx, route, caller)
	if err != nil {
		return ctx, err
	}
	return ctx, g.deps.Limiter.Allow(ctx, route.Limit, limitKey(ctx, route.Limit, caller))
}

// errSharedSecret is the cause if a route requires the caller's own key and the token is signed with the shared secret.
var errSharedSecret = errors.New("the route is for tokens by the caller's own key")

// service returns the service that calls an internal route. If access names services, it returns fault.ErrForbidden
// for any other service.
func (g *guard) service(r *http.Request, access Access) (identity.Caller, error) {
	name, shared, err := g.tokens.Verify(r)
	switch {
	case err != nil:
		return identity.Caller{}, err
	case shared && access.byKey:
		return identity.Caller{}, fault.ErrUnauthorized.Because(errSharedSecret)
	case len(access.callers) > 0 && !slices.Contains(access.callers, name):
		return identity.Caller{}, fault.ErrForbidden
	}
	return identity.Caller{Name: name, Active: true}, nil
}

// RepeatedKeyError is the cause of the fault for a query that repeats a key. No route has a key with several values,
// and parsers differ in which of the values they return.
type RepeatedKeyError struct{ Key string }

func (e *RepeatedKeyError) Error() string { return fmt.Sprintf("the query repeats the key %q", e.Key) }

func checkQuery(r *http.Request) error {
	if !strings.Contains(r.URL.RawQuery, "&") {
		return nil
	}
	for key, values := range r.URL.Query() {
		if len(values) > 1 {
			return fault.ErrBadBody.Because(&RepeatedKeyError{Key: key})
		}
	}
	return nil
}

func (g *guard) authorize(ctx context.Context, route Route, caller identity.Caller) (context.Context, error) {
	ctx = identity.With(ctx, caller)
	err := route.Access.check(caller)
	g.note(ctx, route, err)
	return ctx, err
}

// note counts and reports a denial: the table or the method has returned a fault of the kind Forbidden to a signed-in
// caller. fault.ErrNotFresh does not count.
func (g *guard) note(ctx context.Context, route Route, err error) {
	caller, known := identity.From(ctx)
	if err == nil || !known || fault.Of(err).Kind != fault.Forbidden || errors.Is(err, fault.ErrNotFresh) {
		return
	}
	g.metrics.denied(route, caller.Role)
	if g.deps.Denied != nil {
		g.deps.Denied(ctx, caller, route.Method+" "+route.Pattern)
	}
}

func limitKey(ctx context.Context, rule limit.Rule, caller identity.Caller) string {
	if rule.By == limit.PerAddress {
		return request.From(ctx).ClientKey()
	}
	return caller.ID
}

func (g *guard) authenticate(r *http.Request, access Access) (identity.Caller, error) {
	token := access.token(r)
	if token == "" {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	byCookie := access.cookie && identity.Bearer(r) == ""
	if byCookie && changes(r.Method) {
		if err := g.deps.CheckOrigin(r); err != nil {
			return identity.Caller{}, err
		}
	}
	return g.deps.Verifier.Verify(r.Context(), token)
}

// errorWriter returns a function that writes the response for an error, and logs the error with its cause.
func (g *guard) errorWriter(route Route) func(context.Context, error, http.ResponseWriter) {
	return func(ctx context.Context, err error, w http.ResponseWriter) {
		if written, ok := w.(*statusWriter); ok && written.status != 0 {
			g.deps.Log.WarnContext(ctx, "response aborted", "route", route.Pattern, "cause", err)
			return
		}
		f := timely(err)
		g.metrics.rejected(f)
		g.log(ctx, route.Pattern, f)
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
		}
		if g.deps.Convention.covers(route.Pattern) {
			g.deps.Convention.Reject(ctx, w, route, f)
			return
		}
		_ = wire.Write(w, f.Status(), f.Body(request.From(ctx).ID))
	}
}

// timely maps err to a fault. A disconnected client and an expired deadline are not internal errors.
func timely(err error) *fault.Fault {
	f := fault.Of(err)
	switch {
	case f.Kind == fault.Internal && errors.Is(err, context.Canceled):
		return fault.ErrUnavailable.Because(err)
	case f.Kind == fault.Internal && errors.Is(err, context.DeadlineExceeded):
		return fault.ErrBusy.Because(err)
	}
	return f
}

func (g *guard) log(ctx context.Context, route string, f *fault.Fault) {
	level := slog.LevelDebug
	switch {
	case f.Kind == fault.Internal:
		level = slog.LevelError
	case f.Kind == fault.Unavailable && !errors.Is(ctx.Err(), context.Canceled):
		level = slog.LevelWarn
	}
	g.deps.Log.Log(ctx, level, "rejected", "route", route, "code", f.Code, "cause", f.Unwrap())
}

// recover turns a panic into a 500 without details. A response that has begun is aborted instead.
func (g *guard) recover(w *statusWriter, r *http.Request) {
	caught := recover()
	if caught == nil {
		return
	}
	if err, ok := caught.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(caught)
	}
	g.deps.Log.ErrorContext(r.Context(), "panic", "cause", fmt.Sprint(caught), "stack", string(debug.Stack()))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	_ = wire.Write(w, http.StatusInternalServerError, fault.ErrInternal.Body(request.From(r.Context()).ID))
}

// unrouted responds to a request without a route: as the path's convention says, else with 405 and Allow if another
// method has a route, else with 404.
func (g *guard) unrouted(w http.ResponseWriter, r *http.Request, all *router) {
	if g.deps.Convention.covers(r.URL.Path) {
		g.deps.Convention.Unrouted(w, r)
		return
	}
	f := fault.ErrNotFound
	if !unclean(r.URL.Path) {
		if allow := all.allow(r); allow != "" {
			w.Header().Set("Allow", allow)
			f = fault.ErrNotAllowed
		}
	}
	_ = wire.Write(w, f.Status(), f.Body(request.From(r.Context()).ID))
}
