// Package endpoint serves the routes of a service. It is the only way to register a handler: New takes a table of
// routes, each with its access rule and its limit, and JSON adapts a typed method to a go-kit endpoint. The package
// owns the order of the checks before a method is called, error responses, and the metrics and spans of requests.
//
// Start with Route in table.go, then Access in this file and guard.go, which usually decides before a body is read.
package endpoint

import (
	"net/http"
	"slices"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// Access is the access rule of a route. New rejects a table with a zero Access.
type Access struct {
	public   bool
	service  bool
	callers  []string
	byKey    bool
	roles    []string
	owner    string
	inactive bool
	cookie   bool
	fresh    time.Duration
}

// Public admits every client, without a session.
func Public() Access { return Access{public: true} }

// Service admits the named services with a service token; without names, it admits every service. It is for internal
// tables only.
func Service(callers ...string) Access { return Access{service: true, callers: callers} }

// ByKey rejects tokens signed with the secret that the services of the previous release share.
func (a Access) ByKey() Access {
	a.byKey = true
	return a
}

// Roles admits signed-in, active users of the given roles.
func Roles(roles ...string) Access { return Access{roles: roles} }

// Owned names the rule by which the method restricts access further, such as "self" or "assigned".
func (a Access) Owned(rule string) Access {
	a.owner = rule
	return a
}

// Inactive also admits a deactivated account.
func (a Access) Inactive() Access {
	a.inactive = true
	return a
}

// Cookie accepts the session cookie as well as the bearer token.
func (a Access) Cookie() Access {
	a.cookie = true
	return a
}

// Fresh requires a session that is younger than age: the caller has just entered the password.
func (a Access) Fresh(age time.Duration) Access {
	a.fresh = age
	return a
}

// Owner returns the rule given to Owned, "" if there is none.
func (a Access) Owner() string { return a.owner }

// IsPublic reports whether the route admits every client.
func (a Access) IsPublic() bool { return a.public }

// Allows reports whether role can call the route.
func (a Access) Allows(role string) bool { return a.public || slices.Contains(a.roles, role) }

// AllowsInactive reports whether a deactivated account can call the route.
func (a Access) AllowsInactive() bool { return a.public || a.inactive }

func (a Access) stated() bool { return a.public || a.service || len(a.roles) > 0 }

func (a Access) token(r *http.Request) string {
	if token := identity.Bearer(r); token != "" || !a.cookie {
		return token
	}
	return identity.Cookie(r)
}

// check returns fault.ErrAccountInactive for a deactivated caller, else fault.ErrForbidden for a role without access,
// else fault.ErrNotFresh for a session that is too old.
func (a Access) check(caller identity.Caller) error {
	if !caller.Active && !a.inactive {
		return fault.ErrAccountInactive
	}
	if !slices.Contains(a.roles, caller.Role) {
		return fault.ErrForbidden
	}
	if a.fresh > 0 {
		return RequireFresh(caller, a.fresh)
	}
	return nil
}

// RequireFresh returns fault.ErrNotFresh unless the caller's session is younger than age. A method calls it if only
// some requests of its route need such a session; if all do, the route has Access.Fresh.
func RequireFresh(caller identity.Caller, age time.Duration) error {
	if time.Since(caller.CreatedAt) >= age {
		return fault.ErrNotFresh
	}
	return nil
}
