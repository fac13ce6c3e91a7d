package auth

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// S5 of reliability.md: a burst of 200 sign-ins fills the queue and no more. Who finds it full is told to come again, and
// whoever is signed in is answered all the while.
func TestABurstOfSignInsDoesNotStarveLiveSessions(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var err error
	if o.hasher, err = newHasher(argon2Cost, prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	var burst sync.WaitGroup
	var judged, refused atomic.Int64
	start := make(chan struct{})
	for n := range 200 {
		burst.Go(func() {
			<-start
			r := o.raw("POST", "/api/auth/sign-in/email", fmt.Sprintf(`{"email":"stranger%d@example.com","password":"a wrong password"}`, n),
				"Content-Type", "application/json")
			switch {
			case r.status == 401:
				judged.Add(1)
			case r.status == 503 && r.code() == "busy" && r.header.Get("Retry-After") != "":
				refused.Add(1)
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
		o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, asha.ID)
		if waiting > 0 && o.hasher.waiting.Load() > 0 {
			answered++
		}
		select {
		case <-over:
			going = false
		default:
		}
	}
	if judged.Load() == 0 || refused.Load() == 0 || judged.Load()+refused.Load() != 200 {
		t.Errorf("%d were judged and %d told to come again", judged.Load(), refused.Load())
	}
	if answered < 10 {
		t.Errorf("get-session was answered %d times while passwords waited", answered)
	}
}
