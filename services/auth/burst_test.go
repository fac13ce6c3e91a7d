package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/testkit"
)

// Of 200 concurrent sign-ins, those that find the hash queue full get 503 with Retry-After. Meanwhile get-session is
// served.
func TestABurstOfSignInsDoesNotDelayLiveSessions(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var err error
	if o.hasher, err = newHasher(argon2Cost, prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	var burst sync.WaitGroup
	var verified, rejected atomic.Int64
	start := make(chan struct{})
	for n := range 200 {
		burst.Go(func() {
			<-start
			attempt := credentials(fmt.Sprintf("stranger%d@example.com", n), "a wrong password")
			r := o.raw("POST", "/api/auth/sign-in/email", attempt, "Content-Type", "application/json")
			switch {
			case r.status == 401:
				verified.Add(1)
			case r.status == 503 && r.code() == "busy" && r.header.Get("Retry-After") != "":
				rejected.Add(1)
			default:
				t.Errorf("answered %d %s", r.status, r.body)
			}
		})
	}
	if err := o.hasher.slots.Acquire(t.Context(), int64(hashSlots)); err != nil {
		t.Fatal(err)
	}
	close(start)
	testkit.Eventually(t, "the queue is full", func() bool { return rejected.Load() > 0 })
	o.getSession(asha.Token).want(200, asha.ID) // No password can be hashed meanwhile.
	o.hasher.slots.Release(int64(hashSlots))
	burst.Wait()
	if verified.Load()+rejected.Load() != 200 {
		t.Errorf("%d were verified and %d rejected", verified.Load(), rejected.Load())
	}
}
