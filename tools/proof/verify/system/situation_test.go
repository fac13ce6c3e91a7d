package system

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"baari.dev/tools/proof/verify"
)

// situation describes how to test one row of the matrix: the callers, the request, and what the cell `own` requires.
type situation struct {
	// caller creates a caller of a column for this row alone. It is needed if the request changes the caller, or if the
	// caller needs more than a role. If it is nil, and for anonymous and display, the shared callers send the request.
	caller func(t *testing.T, o *office, column string) *person
	ask    func(t *testing.T, o *office, sender *person) ask
	// own fails the test if the answer shows or changes data of others. If own is nil, only the status is checked.
	own func(t *testing.T, o *office, sender *person, got reply)
}

// situations returns the situations of all rows, keyed by Row.Key. The functions called below need no entry for a GET
// without a variant, without parameters in the path and without a cell `own`.
func situations(rows []verify.Row) map[string]situation {
	all := map[string]situation{}
	for _, row := range rows {
		own := slices.Contains(slices.Collect(maps.Values(row.Cells)), verify.Own)
		if row.Method == http.MethodGet && row.Variant == "" && !strings.Contains(row.Path, "{") && !own {
			all[row.Key()] = situation{ask: plain(row.Method, row.Path, nil)}
		}
	}
	for _, some := range []map[string]situation{
		sessionSituations(), accountSituations(), userSituations(), directorySituations(), visitSituations(),
		lifeSituations(), lobbySituations(), deviceSituations(), privacySituations(), otherSituations(),
	} {
		maps.Copy(all, some)
	}
	return all
}

func (o *office) callers(t *testing.T, s situation, column string) []*person {
	t.Helper()
	if s.caller == nil || column == "anonymous" || column == "display" {
		if column == "admin" {
			o.shared[column][0].renewed(t, o.way)
		}
		return o.shared[column]
	}
	return []*person{s.caller(t, o, column)}
}

func fresh(t *testing.T, o *office, column string) *person {
	t.Helper()
	if column == "inactive" {
		return o.dismiss(t, o.hire(t, "pa"))
	}
	return o.hire(t, column)
}

// veteran creates a user whose session is older than a day.
func veteran(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := fresh(t, o, column)
	o.behind(t, "auth", `UPDATE sessions SET created_at = created_at - interval '25 hours' WHERE user_id = $1`, p.id)
	return p
}

// newUser creates a user who has just signed up and has not chosen a role.
func newUser(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := signUp(t, o.way)
	if column == "inactive" {
		return o.dismiss(t, p)
	}
	return p
}

// lateUser creates a user who signed up eleven minutes ago and has not chosen a role.
func lateUser(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := newUser(t, o, column)
	o.behind(t, "auth", `UPDATE users SET created_at = created_at - interval '11 minutes' WHERE id = $1`, p.id)
	return p
}

// applicant creates a user of a system where accounts await approval. For all columns but inactive, the account is
// approved, so it can no longer choose a role.
func applicant(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := signUp(t, o.way)
	if column != "inactive" {
		o.way.must(t, o.admin, "PUT", "/api/users/"+p.id, map[string]any{"isActive": true}, nil)
	}
	return p
}

// employed returns a new user with a role, in a system where accounts await approval. For the column inactive, the
// account still awaits approval.
func employed(t *testing.T, o *office, column string) *person {
	t.Helper()
	if column == "inactive" {
		return signUp(t, o.way)
	}
	return o.hire(t, column)
}

// plain returns a request that does not depend on the caller.
func plain(method, path string, body any) func(*testing.T, *office, *person) ask {
	return func(*testing.T, *office, *person) ask { return ask{method: method, path: path, body: body} }
}

// asking returns a request that depends on the caller alone.
func asking(make func(sender *person) ask) func(*testing.T, *office, *person) ask {
	return func(_ *testing.T, _ *office, sender *person) ask { return make(sender) }
}
