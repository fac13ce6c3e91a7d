package realtime

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func TestAccountChangeClosesTheUsersStreams(t *testing.T) {
	userID := testkit.ID("pa")
	session := func(kind string, ids ...string) outbox.Event {
		return eventOf("auth", kind, contract.EntitySession, userID, 1, contract.Session{UserID: userID, SessionIDs: ids})
	}
	user := func(kind string) outbox.Event {
		return eventOf("auth", kind, contract.EntityUser, userID, 1, contract.User{ID: userID})
	}
	for name, c := range map[string]struct {
		event outbox.Event
		open  int // number of streams left; at first the user has two, in two sessions, and another user has one
	}{
		"signed out of one session": {session(contract.SessionSignedOut, "session-pa"), 2},
		"one session revoked":       {session(contract.SessionRevoked, "session-pa"), 2},
		"another session revoked":   {session(contract.SessionRevoked, "session-other"), 3},
		"both revoked":              {session(contract.SessionRevoked, "session-pa", "session-phone"), 1},
		"revoked without ids":       {session(contract.SessionRevoked), 1},
		"deactivated":               {user(contract.UserDeactivated), 1},
		"deleted":                   {user(contract.UserDeleted), 1},
		"role changed":              {user(contract.UserRoleChanged), 1},
		"role set":                  {user(contract.UserRoleSet), 1},
		"name changed":              {user(contract.UserUpdated), 3},
		"signed in":                 {session(contract.SessionSignedIn, "session-pa"), 3},
		"a failed sign-in":          {session(contract.SessionSignInFailed), 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, DefaultLimits)
				r.people.SignIn("phone", contract.RolePA, func(c *identity.Caller) { c.ID = userID })
				r.begin(0, 0)
				r.start()
				first := r.open("pa", contract.RolePA, "")
				r.openAs("phone", "pa", contract.RolePA)
				r.open("admin", contract.RoleAdmin, "")
				time.Sleep(heartbeatEvery - time.Second) // close to the next heartbeat, long after the last write
				r.deliver("auth", c.event)
				synctest.Wait()
				if _, over := first.ended(); over != nil && over != io.EOF {
					t.Errorf("the stream ended with %v", over)
				}
				// ASVS 8.3.2
				if r.clients() != c.open || r.cut(endedRevoked) != float64(3-c.open) {
					t.Errorf("%d streams stay open, want %d", r.clients(), c.open)
				}
				if first.types() != "connection" {
					t.Errorf("the user received %q", first.types())
				}
			})
		})
	}
}

func TestRevocationAbortsABlockedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		r.stall(t)
		r.deliver("visits", visitsFrom(1, 1)...)
		synctest.Wait()
		r.deliver("auth", eventOf("auth", contract.UserDeactivated, "user", testkit.ID("pa"), 1, nil))
		synctest.Wait()
		if r.clients() != 0 {
			t.Error("the stream is still open")
		}
	})
}

func TestStreamClosesWhenItsSessionExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.people.SignIn("pa", contract.RolePA, func(c *identity.Caller) { c.ExpiresAt = time.Now().Add(time.Minute) })
		r.begin(0, 0)
		r.start()
		r.open("pa", contract.RolePA, "")
		time.Sleep(59 * time.Second)
		if r.clients() != 1 {
			t.Error("it closed too early")
		}
		time.Sleep(heartbeatEvery)
		synctest.Wait()
		// ASVS 7.3.1, 7.3.2
		if r.clients() != 0 {
			t.Error("it is still open after the session's end")
		}
	})
}

type verifierFunc func() (identity.Caller, error)

func (f verifierFunc) Verify(context.Context, string) (identity.Caller, error) { return f() }

func TestSessionIsVerifiedAgainAfterJoining(t *testing.T) {
	pa := identity.Caller{ID: testkit.ID("pa"), Role: contract.RolePA, Active: true}
	inactive, promoted := pa, pa
	inactive.Active, promoted.Role = false, contract.RoleAdmin
	for name, second := range map[string]struct {
		caller identity.Caller
		err    error
		status int
	}{
		"signed out":       {identity.Caller{}, fault.ErrUnauthorized, 401},
		"auth unavailable": {identity.Caller{}, fault.ErrUnavailable, 503},
		"deactivated":      {inactive, nil, 403},
		"role changed":     {promoted, nil, 403},
		"unchanged":        {pa, nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, DefaultLimits)
				asked := 0
				r.verify = verifierFunc(func() (identity.Caller, error) {
					if asked++; asked == 1 {
						return pa, nil
					}
					return second.caller, second.err
				})
				r.begin(0, 0)
				r.start()
				// ASVS 4.4.4
				if d := r.connect("pa", contract.RolePA, ""); d.status != second.status {
					t.Errorf("answered %d, want %d", d.status, second.status)
				}
			})
		})
	}
}

func TestStreamsAreLimitedPerUserAndReplica(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{PerUser: 5, PerReplica: 7})
		r.begin(0, 0)
		r.start()
		for i := range 6 {
			d := r.open("pa", contract.RolePA, "")
			// ASVS 15.2.2
			if want := map[bool]int{true: 200, false: 429}[i < 5]; d.status != want {
				t.Errorf("stream %d of one user answered %d, want %d", i+1, d.status, want)
			}
		}
		for i := range 3 {
			d := r.open("admin", contract.RoleAdmin, "")
			if want := map[bool]int{true: 200, false: 429}[i < 2]; d.status != want {
				t.Errorf("stream %d of the replica answered %d, want %d", i+6, d.status, want)
			}
		}
	})
}

func TestStreamsAreNotLimitedWithoutLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Limits{})
		r.begin(0, 0)
		r.start()
		for range 20 {
			if d := r.open("pa", contract.RolePA, ""); d.status != 200 {
				t.Fatalf("answered %d", d.status)
			}
		}
	})
}
