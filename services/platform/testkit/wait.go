package testkit

import (
	"testing"
	"time"
)

// giveUp is much longer than a test has to wait even on a busy machine, so a test fails because a value is wrong, not
// because the value is late. Only a failing test waits that long.
const giveUp = time.Minute

// Eventually calls condition every few milliseconds until the result is true. It fails the test if this takes longer
// than a minute.
func Eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(giveUp); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("within %s it did not happen that %s", giveUp, what)
}

// Receive returns the next value of a channel, or its zero value once the channel is closed. It fails the test if
// neither happens within a minute.
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

// AtMost fails the test if a duration exceeds its limit, but only in nightly runs, which have the machine to
// themselves. In other runs, a busy machine could make the test slow.
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
