package endpoint

import (
	"errors"
	"testing"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// A route for fresh sessions rejects a session whose age has reached the limit, after the checks of account and role.
func TestAFreshRouteNeedsASessionThatHasJustBegun(t *testing.T) {
	fresh := Roles("clerk").Fresh(10 * time.Minute)
	began := func(age time.Duration) identity.Caller {
		return identity.Caller{Role: "clerk", Active: true, CreatedAt: time.Now().Add(-age)}
	}
	guest, inactive := began(time.Hour), began(time.Hour)
	guest.Role, inactive.Active = "guest", false
	for _, c := range []struct {
		name   string
		access Access
		caller identity.Caller
		want   error
	}{
		{"a session of nine minutes", fresh, began(9 * time.Minute), nil},
		{"a session of ten minutes", fresh, began(10 * time.Minute), fault.ErrNotFresh},
		{"another role", fresh, guest, fault.ErrForbidden},
		{"an inactive account", fresh, inactive, fault.ErrAccountInactive},
		{"an old session elsewhere", Roles("clerk"), began(time.Hour), nil},
	} {
		if got := c.access.check(c.caller); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
