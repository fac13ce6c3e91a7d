package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
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
	close(start)
	over := make(chan struct{})
	go func() { burst.Wait(); close(over) }()
	answered := 0
	for going := true; going; {
		waiting := o.hasher.waiting.Load()
		o.getSession(asha.Token).want(200, asha.ID)
		if waiting > 0 && o.hasher.waiting.Load() > 0 {
			answered++
		}
		select {
		case <-over:
			going = false
		default:
		}
	}
	if verified.Load() == 0 || rejected.Load() == 0 || verified.Load()+rejected.Load() != 200 {
		t.Errorf("%d were verified and %d rejected", verified.Load(), rejected.Load())
	}
	if answered < 3 { // would be 0 if get-session waited in the queue, too; was 6 on a busy machine
		t.Errorf("get-session was served %d times while passwords waited", answered)
	}
}
