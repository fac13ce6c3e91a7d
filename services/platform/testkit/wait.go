package testkit

import (
	"testing"
	"time"
)

// giveUp is far longer than any wait of a test takes on a busy machine, so that a test fails because of a wrong value
// and never because of a late one. Only a failing test waits that long.
const giveUp = time.Minute

// Eventually calls the function holds every few milliseconds until it returns true. It fails the test if that does not
// happen within a minute. It is the only way for a test to wait for what another goroutine or process does.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(giveUp); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("within %s it did not happen that %s", giveUp, what)
}

// Receive returns the next value of a channel, or its zero value once the channel is closed. It fails the test if there
// is none within a minute.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(giveUp):
		t.Fatalf("within %s it did not happen that %s", giveUp, what)
		panic("unreachable")
	}
}

// AtMost compares a duration with its limit. It fails in nightly runs only, which have the machine for themselves: a
// busy machine makes a test slow.
func AtMost(t testing.TB, what string, took, limit time.Duration) {
	t.Helper()
	if took <= limit {
		return
	}
	if measured {
		t.Errorf("%s took %s, the limit is %s", what, took, limit)
	} else {
		t.Logf("%s took %s, the limit of a nightly run is %s", what, took, limit)
	}
}
