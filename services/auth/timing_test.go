//go:build nightly

// Timing is measured at night, without the race detector and beside nothing else:
// go test -tags nightly -run TestT15SignInTimeTellsNothing ./auth

package auth

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// T15: the time of a refused sign-in does not tell whether the address is known: the medians of 200 differ by less than a
// tenth. Another program's load can spoil one series of measurements, but a leak spoils every one.
func TestT15SignInTimeTellsNothing(t *testing.T) {
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
	t.Errorf("the time tells: %v", report)
}

// refusalTimes are the medians of refused sign-ins of a known and of unknown addresses, tried in turn.
func (o *office) refusalTimes(rounds int) (known, unknown time.Duration) {
	times := map[bool][]time.Duration{}
	for n := range rounds {
		pair := []string{"asha@example.com", fmt.Sprintf("nobody%d@example.com", n)}
		if n%2 == 1 { // the collector runs after every second hash: it must not meet the same one always
			slices.Reverse(pair)
		}
		for _, email := range pair {
			started := time.Now()
			o.guess(email, "wrong password", "10.0.0.1").want(401)
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
