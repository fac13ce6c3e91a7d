package endpoint

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/request"
)

// Convention adapts the paths under Prefix to an external contract: other error bodies, other answers to unknown paths,
// and authentication only after the request was read. Limits by address still come first. Only GetOnly may be nil.
type Convention struct {
	Prefix string
	// Reject writes the response for f. Retry-After is already set.
	Reject func(ctx context.Context, w http.ResponseWriter, route Route, f *fault.Fault)
	// Unrouted responds to a request for an unknown path, or for a known path with another method.
	Unrouted http.HandlerFunc
	// Authenticate returns the caller of a route for roles; it replaces the checks of bearer and cookie. The context that
	// it returns is passed to the method.
	Authenticate func(*http.Request) (context.Context, identity.Caller, error)
	// GetOnly has the prefixes of paths at which HEAD is unrouted, because a GET uses up a token that works once.
	GetOnly []string
}

func (c *Convention) covers(path string) bool {
	return c != nil && (path == c.Prefix || strings.HasPrefix(path, c.Prefix+"/"))
}

// rejectsHead reports whether the convention treats r as unrouted because its method is HEAD, which the mux routes to
// GET.
func (c *Convention) rejectsHead(r *http.Request) bool {
	return r.Method == http.MethodHead && c.covers(r.URL.Path) &&
		slices.ContainsFunc(c.GetOnly, func(start string) bool { return strings.HasPrefix(r.URL.Path, start) })
}

type lateKey struct{}

// authorization authenticates the caller of a request whose body was read, and checks access.
type authorization func(context.Context) (context.Context, error)

// enterLate checks the rate by address and stores the other checks in the context, for authorizeLate.
func (g *guard) enterLate(r *http.Request, route Route) (context.Context, error) {
	ctx := r.Context()
	if route.Limit.By == limit.PerAddress {
		if err := g.deps.Limiter.Allow(ctx, route.Limit, request.From(ctx).ClientKey()); err != nil {
			return ctx, err
		}
	}
	var later authorization = func(ctx context.Context) (context.Context, error) {
		found, caller, err := g.deps.Convention.Authenticate(r.WithContext(ctx))
		if err != nil {
			g.metrics.unauthenticated(err)
			return ctx, err
		}
		if found, err = g.authorize(found, route, caller); err != nil || route.Limit.By != limit.PerUser {
			return found, err
		}
		return found, g.deps.Limiter.Allow(found, route.Limit, caller.ID)
	}
	return context.WithValue(ctx, lateKey{}, later), nil
}

// authorizeLate runs the checks that enterLate stored in ctx. If enterLate stored none, it returns ctx.
func authorizeLate(ctx context.Context) (context.Context, error) {
	if later, ok := ctx.Value(lateKey{}).(authorization); ok {
		return later(ctx)
	}
	return ctx, nil
}
