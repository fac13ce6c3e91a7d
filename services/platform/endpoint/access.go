// Package endpoint is the only way to register a handler: one table of routes, each with its access rule
// and limit, and one generic adapter from a go-kit endpoint to a typed method.
package endpoint

import (
	"net/http"
	"slices"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// Access is the access rule of a route. New rejects a table with a zero Access.
type Access struct {
	public   bool
	service  bool
	roles    []string
	owner    string
	inactive bool
	cookie   bool
}

// Public allows every client, without a session.
func Public() Access { return Access{public: true} }

// Service lets other services call with a service token; for internal tables only.
func Service() Access { return Access{service: true} }

// Roles lets signed-in, active people of the given roles call.
func Roles(roles ...string) Access { return Access{roles: roles} }

// Owned names the rule by which the method itself narrows access further, as "self" or "assigned".
func (a Access) Owned(rule string) Access {
	a.owner = rule
	return a
}

// Inactive lets a deactivated account call too.
func (a Access) Inactive() Access {
	a.inactive = true
	return a
}

// Cookie accepts the session cookie beside the bearer token.
func (a Access) Cookie() Access {
	a.cookie = true
	return a
}

// Owner is the rule given to Owned, "" when there is none.
func (a Access) Owner() string { return a.owner }

// IsPublic reports whether the route needs no session.
func (a Access) IsPublic() bool { return a.public }

// Admits reports whether role may call.
func (a Access) Admits(role string) bool { return a.public || slices.Contains(a.roles, role) }

// AdmitsInactive reports whether a deactivated account may call.
func (a Access) AdmitsInactive() bool { return a.public || a.inactive }

func (a Access) stated() bool { return a.public || a.service || len(a.roles) > 0 }

// token returns the session token of the request, "" if it has none.
func (a Access) token(r *http.Request) string {
	if token := identity.Bearer(r); token != "" || !a.cookie {
		return token
	}
	return identity.Cookie(r)
}

// check refuses a caller whose account or role may not call: first inactive, then role.
func (a Access) check(caller identity.Caller) error {
	if !caller.Active && !a.inactive {
		return fault.ErrAccountInactive
	}
	if !slices.Contains(a.roles, caller.Role) {
		return fault.ErrForbidden
	}
	return nil
}
