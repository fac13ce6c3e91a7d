package chaos

import (
	"context"
	"net/http"
	"time"

	"baari.dev/tools/checker"
	"baari.dev/tools/client"
)

const (
	withdrawn     = time.Second      // how long a right may outlive its end
	withdrawnDark = 30 * time.Second // the same while auth cannot be asked
	probeEvery    = 3 * time.Second
)

// probe takes rights away from people and watches how long they can still use them ([I12]), until ctx ends.
func (r *run) probe(ctx context.Context, o *office) {
	for turn := 0; ctx.Err() == nil; turn++ {
		if turn%2 == 0 {
			r.revoke(ctx, o)
		} else {
			r.deactivate(ctx, o)
		}
		sleep(ctx, probeEvery)
	}
}

// revoke ends one more session of a robot, with a stream open on it.
func (r *run) revoke(ctx context.Context, o *office) {
	person := o.robots[r.probing.IntN(len(o.robots))]
	visitor := client.Client{Base: r.base}
	if visitor.SignIn(ctx, email(person.name), password) != nil {
		return // a fault is in force: another time
	}
	second := r.twin(person, person.name+"-second")
	second.token = visitor.Token()
	closed := r.watchStream(ctx, second)
	second.leaving.Store(true) // a stream that could not be opened in time may be asked for again
	if visitor.SignOut(ctx) != nil {
		return // whether the session ended is not known
	}
	r.expect(ctx, second, closed, "a session that has ended", func(got answer) bool { return got.status == http.StatusUnauthorized })
}

// deactivate locks the spare consultant out and lets them in again.
func (r *run) deactivate(ctx context.Context, o *office) {
	set := func(active bool) error {
		return o.admin.Call(ctx, http.MethodPut, "/api/users/"+o.spare.id, map[string]bool{"isActive": active}, nil)
	}
	closed := r.watchStream(ctx, o.spare)
	if set(false) == nil {
		r.expect(ctx, o.spare, closed, "a deactivated account", func(got answer) bool {
			return got.status == http.StatusForbidden && codeOf(got.body) == "account_inactive"
		})
	}
	for ctx.Err() == nil && set(true) != nil {
		sleep(ctx, time.Second)
	}
}

// watchStream opens a stream and tells when it is closed. The channel is nil when it did not open.
func (r *run) watchStream(ctx context.Context, person *robot) <-chan struct{} {
	d := newDashboard(person, steady, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.follow(ctx)
	}()
	for range 20 {
		if len(d.result().Frames) > 0 {
			return done
		}
		sleep(ctx, 50*time.Millisecond)
	}
	return nil
}

// expect asks again and again until the right is gone, and tells when that took longer than it may. Answers that are no answer count neither way.
func (r *run) expect(ctx context.Context, person *robot, closed <-chan struct{}, whose string, gone func(answer) bool) {
	began := r.history.now()
	for ctx.Err() == nil {
		got, err := person.send(ctx, r.history.requestID(), http.MethodGet, "/api/visits/today", nil, nil)
		now := r.history.now()
		if err == nil && gone(got) {
			break
		}
		if err == nil && got.status == http.StatusOK && now-began > r.patience(began, now) {
			r.history.tellCeased("%s (%s) was let in %s after its end", whose, person.name, time.Duration(now-began).Round(time.Millisecond))
			return
		}
		sleep(ctx, 100*time.Millisecond)
	}
	if closed == nil {
		return
	}
	limit := time.Duration(2 * float64(withdrawn) * r.slowness()) // as with Redis down
	if r.troubled(began, r.history.now()) {
		limit = withdrawnDark
	}
	select {
	case <-closed:
	case <-ctx.Done():
	case <-time.After(limit):
		r.history.tellCeased("the stream of %s (%s) stays open", whose, person.name)
	}
}

// patience is how long a right may live on between two moments: a second, and 30 s while auth may be out of reach.
func (r *run) patience(from, to int64) int64 {
	if r.troubled(from, to) {
		return int64(withdrawnDark)
	}
	return int64(float64(withdrawn) * r.slowness())
}

// troubled tells whether a fault was in force, or hardly over, at some time between two moments.
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
