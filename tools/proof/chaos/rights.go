package chaos

import (
	"context"
	"net/http"
	"time"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/proof/checker"
)

const (
	withdrawn     = time.Second      // longest time that a right may outlive its end
	withdrawnDark = 30 * time.Second // the same while auth may be unreachable
	probeEvery    = 3 * time.Second
	probeAgain    = 100 * time.Millisecond
	probeLimit    = time.Minute // time after which an undecided probe is dropped
)

// rightPaths has a path each of visits, directory, audit and realtime. A session of a consultant may request all four.
var rightPaths = []string{"/api/visits/today", "/api/services", "/api/analytics/dashboard", "/api/stream/notifications"}

// probe withdraws rights and measures how long they can still be used ([I12]), until ctx ends.
func (r *run) probe(ctx context.Context, c *crew) {
	for turn := 0; ctx.Err() == nil; turn++ {
		r.rights.Lock()
		[]func(context.Context, *crew){r.revoke, r.deactivate, r.replaceSession}[turn%3](ctx, c)
		r.rights.Unlock()
		sleep(ctx, probeEvery)
	}
}

// revoke signs a robot out of a second session, on which a stream is open.
func (r *run) revoke(ctx context.Context, c *crew) {
	person := c.robots[r.probing.IntN(len(c.robots))]
	second, err := r.signIn(ctx, person, person.name+"-second", nil)
	if err != nil {
		return // a fault is active
	}
	closed := r.watchStream(ctx, second)
	r.warm(ctx, second)
	second.leaving.Store(true) // a stream that did not open in time may be answered with 401
	if !second.signOut(ctx) {
		return // the outcome of the sign-out is unknown
	}
	r.expect(ctx, second, closed, "a session that has ended", isUnauthorized)
}

// replaceSession signs a robot in with another robot's browser. That replaces a session which has an open stream.
func (r *run) replaceSession(ctx context.Context, c *crew) {
	i := r.probing.IntN(len(c.robots))
	other := (i + 1 + r.probing.IntN(len(c.robots)-1)) % len(c.robots)
	first, second := c.robots[i], c.robots[other]
	desk, err := r.signIn(ctx, first, first.name+"-desk", nil)
	if err != nil {
		return // a fault is active
	}
	closed := r.watchStream(ctx, desk)
	r.warm(ctx, desk)
	desk.leaving.Store(true)
	next, err := r.signIn(ctx, second, second.name+"-desk", desk)
	if err != nil {
		return // the outcome of the sign-in is unknown
	}
	r.expect(ctx, desk, closed, "a session that the sign-in of another user replaced", isUnauthorized)
	next.leaving.Store(true)
	next.signOut(ctx)
}

func isUnauthorized(got httpclient.Answer) bool { return got.Status == http.StatusUnauthorized }

func (r *run) deactivate(ctx context.Context, c *crew) {
	set := func(active bool) error {
		admin, err := c.admin.Again(ctx)
		if err != nil {
			return err
		}
		return admin.Call(ctx, http.MethodPut, "/api/users/"+c.spare.id, map[string]bool{"isActive": active}, nil)
	}
	closed := r.watchStream(ctx, c.spare)
	r.warm(ctx, c.spare)
	c.spare.leaving.Store(true) // the sessions may end with the deactivation
	if set(false) == nil {
		r.expect(ctx, c.spare, closed, "a deactivated account", func(got httpclient.Answer) bool {
			return isUnauthorized(got) || got.Status == http.StatusForbidden && got.Code() == "account_inactive"
		})
	}
	for ctx.Err() == nil && set(true) != nil {
		sleep(ctx, time.Second)
	}
	for ; ctx.Err() == nil; sleep(ctx, time.Second) {
		if again, err := r.signIn(ctx, c.spare, c.spare.name, nil); err == nil {
			c.spare.token = again.token
			c.spare.leaving.Store(false)
			return
		}
	}
}

// warm sends a request with the robot's session to each of rightPaths, so that the services cache an introspection.
func (r *run) warm(ctx context.Context, person *robot) {
	for _, path := range rightPaths { // a service that does not answer has cached nothing
		_, _ = person.send(ctx, r.history.requestID(), http.MethodGet, path, nil, nil)
	}
}

// watchStream opens a stream and returns a channel that is closed when the stream ends, or nil if it did not open.
func (r *run) watchStream(ctx context.Context, person *robot) <-chan struct{} {
	d := newDashboard(person, steady, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.follow(ctx)
	}()
	if !poll(ctx, time.Second, 50*time.Millisecond, func() bool { return len(d.result().Frames) > 0 }) {
		return nil
	}
	return done
}

// expect sends requests to each of rightPaths until the right is gone, and then waits for the end of the stream. It
// reports a request that was sent after the limit and granted, whenever the answer came, or a stream that stays open.
func (r *run) expect(
	ctx context.Context, person *robot, closed <-chan struct{}, whose string, gone func(httpclient.Answer) bool,
) {
	began := r.history.now()
	for _, path := range rightPaths {
		for ctx.Err() == nil && r.history.now()-began < int64(probeLimit) {
			sent := r.history.now()
			got, err := person.send(ctx, r.history.requestID(), http.MethodGet, path, nil, nil)
			if err == nil && gone(got) {
				break
			}
			if err == nil && got.Status == http.StatusOK && sent-began > r.patience(began, r.history.now()) {
				late := time.Duration(sent - began).Round(time.Millisecond)
				r.history.addCeased("%s (%s) was accepted at %s %s after its end", whose, person.name, path, late)
				return
			}
			sleep(ctx, probeAgain)
		}
	}
	if closed == nil {
		return
	}
	limit := time.Duration(began+int64(withdrawn)-r.history.now()) + streamMargin
	if r.troubled(began, r.history.now()) {
		limit = withdrawnDark
	}
	select {
	case <-closed:
	case <-ctx.Done():
	case <-time.After(max(limit, streamMargin)):
		if r.troubled(began, r.history.now()) { // a fault started meanwhile
			return
		}
		r.history.addCeased("the stream of %s (%s) stays open", whose, person.name)
	}
}

// streamMargin is the time for a stream's end to reach the harness through the gateway, in addition to the limit.
const streamMargin = 250 * time.Millisecond

// patience returns how long a right may outlive its end: a second, or 30 s if auth may have been unreachable.
func (r *run) patience(from, to int64) int64 {
	if r.troubled(from, to) {
		return int64(withdrawnDark)
	}
	return int64(withdrawn)
}

// troubled reports whether a fault was active, or had just ended, between two times.
func (r *run) troubled(from, to int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.windows {
		if to >= w.Start && from <= w.End+int64(checker.Aftermath) {
			return true
		}
	}
	return r.striking
}
