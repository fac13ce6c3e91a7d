package realtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

func (r *rig) keep(report identity.Reporter) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = r.hub.KeepSessions(ctx, report) }()
	r.t.Cleanup(cancel)
}

// A session with an open stream never counts as idle. It ends at the absolute expiry that auth sets.
func TestOpenStreamKeepsItsSessionAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		absolute := time.Now().Add(3 * time.Minute)
		r.people.SignIn("pa", contract.RolePA, func(c *identity.Caller) { c.ExpiresAt = time.Now().Add(time.Minute) })
		r.begin(0, 0)
		r.start()
		r.keep(func(_ context.Context, ids []string) (map[string]time.Time, error) {
			ends := map[string]time.Time{}
			for _, id := range ids {
				end := time.Now().Add(time.Minute)
				if end.After(absolute) {
					end = absolute
				}
				ends[id] = end
			}
			return ends, nil
		})
		r.open("pa", contract.RolePA, "")
		time.Sleep(time.Until(absolute) - time.Second)
		if r.clients() != 1 {
			t.Error("the stream was closed before the session's absolute expiry")
		}
		time.Sleep(reportEvery + time.Second)
		synctest.Wait()
		if r.clients() != 0 {
			t.Error("the stream is open after the session's absolute expiry")
		}
	})
}

func TestEachSessionWithAStreamIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, DefaultLimits)
		r.begin(0, 0)
		r.start()
		var reported []string
		r.keep(func(_ context.Context, ids []string) (map[string]time.Time, error) {
			reported = append(reported, fmt.Sprint(ids))
			return nil, errors.New("auth is unavailable")
		})
		time.Sleep(reportEvery + time.Second) // there is no stream, so nothing is reported
		r.open("pa", contract.RolePA, "")
		r.open("pa", contract.RolePA, "")
		r.open("admin", contract.RoleAdmin, "")
		time.Sleep(2 * reportEvery)
		synctest.Wait()
		if want := []string{"[session-admin session-pa]", "[session-admin session-pa]"}; !slices.Equal(reported, want) {
			t.Errorf("reported %v, want %v", reported, want)
		}
		if r.clients() != 3 {
			t.Error("streams were closed because auth is unavailable")
		}
	})
}
