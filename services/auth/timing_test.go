//go:build nightly

// The test measures time, so it runs at night, without the race detector and without other load:
// go test -tags nightly -run TestT15SignInTimeRevealsNothing ./auth

package auth

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// T15: the time of a failed sign-in does not reveal whether the address is known. In at least one of four series, the
// two medians differ by less than a tenth; each is of 200 sign-ins. Other load on the machine can distort one series,
// but a real difference shows in all series.
func TestT15SignInTimeRevealsNothing(t *testing.T) {
	o := open(t)
	var err error
	if o.hasher, err = newHasher(argon2Cost, prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	o.join("asha")
	var report []string
	for range 4 {
		known, unknown := o.refusalTimes(200)
		if ratio := float64(known) / float64(unknown); ratio > 0.9 && ratio < 1.1 {
			return
		}
		report = append(report, fmt.Sprintf("known %s, unknown %s", known, unknown))
	}
	t.Errorf("the times differ: %v", report)
}

// refusalTimes returns the median times of failed sign-ins to a known address and to unknown addresses, measured in
// turn.
func (o *office) refusalTimes(rounds int) (known, unknown time.Duration) {
	times := map[bool][]time.Duration{}
	for n := range rounds {
		pair := []string{"asha@example.com", fmt.Sprintf("nobody%d@example.com", n)}
		if n%2 == 1 { // garbage collection can run after every second hash, so the order alternates
			slices.Reverse(pair)
		}
		for _, email := range pair {
			started := time.Now()
			o.trySignIn(email, "wrong password", "10.0.0.1").want(401)
			isKnown := email == "asha@example.com"
			times[isKnown] = append(times[isKnown], time.Since(started))
		}
	}
	return median(times[true]), median(times[false])
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
