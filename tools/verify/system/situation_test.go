package system

import (
	"maps"
	"testing"
)

// situation is how one row of the matrix is brought about: who asks, what is asked, and what `own` means for it.
type situation struct {
	// caller makes somebody of a column for this row alone, where asking changes the caller or more than a role is needed.
	// nil: everybody of the column asks.
	caller func(t *testing.T, o *office, column string) *person
	ask    func(t *testing.T, o *office, who *person) ask
	// own fails the test when an answer to who tells or changes more than who's own. nil: the status says it all.
	own func(t *testing.T, o *office, who *person, got reply)
}

// situations are those of all rows, by their keys.
func situations() map[string]situation {
	all := map[string]situation{}
	for _, some := range []map[string]situation{
		sessionSituations(), accountSituations(), userSituations(), directorySituations(), visitSituations(), otherSituations(),
	} {
		maps.Copy(all, some)
	}
	return all
}

// callers are all who ask in a column of a row.
func (o *office) callers(t *testing.T, s situation, column string) []*person {
	t.Helper()
	if s.caller == nil || column == "anonymous" {
		return o.shared[column]
	}
	return []*person{s.caller(t, o, column)}
}

// fresh is somebody new of a column.
func fresh(t *testing.T, o *office, column string) *person {
	t.Helper()
	if column == "inactive" {
		return o.dismiss(t, o.hire(t, "pa"))
	}
	return o.hire(t, column)
}

// veteran is somebody new whose session is older than a day.
func veteran(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := fresh(t, o, column)
	o.behind(t, "auth", `UPDATE sessions SET created_at = created_at - interval '25 hours' WHERE user_id = $1`, p.id)
	return p
}

// newcomer has just signed up and not yet chosen a role.
func newcomer(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := signUp(t, o.way)
	if column == "inactive" {
		return o.dismiss(t, p)
	}
	return p
}

// latecomer signed up eleven minutes ago and has not chosen a role.
func latecomer(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := newcomer(t, o, column)
	o.behind(t, "auth", `UPDATE users SET created_at = created_at - interval '11 minutes' WHERE id = $1`, p.id)
	return p
}

// applicant has signed up where accounts await their approval; a receptionist's has been given.
func applicant(t *testing.T, o *office, column string) *person {
	t.Helper()
	p := signUp(t, o.way)
	if column != "inactive" {
		o.way.must(t, o.admin, "PUT", "/api/users/"+p.id, map[string]any{"isActive": true}, nil)
	}
	return p
}

// employed is an applicant who has a role; an inactive one still waits.
func employed(t *testing.T, o *office, column string) *person {
	t.Helper()
	if column == "inactive" {
		return signUp(t, o.way)
	}
	return o.hire(t, column)
}

// plain asks without anything that depends on the caller.
func plain(method, path string, body any) func(*testing.T, *office, *person) ask {
	return func(*testing.T, *office, *person) ask { return ask{method: method, path: path, body: body} }
}

// asking makes the request out of the caller.
func asking(make func(who *person) ask) func(*testing.T, *office, *person) ask {
	return func(_ *testing.T, _ *office, who *person) ask { return make(who) }
}
