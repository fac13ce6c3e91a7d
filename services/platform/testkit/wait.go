package testkit

import (
	"testing"
	"time"
)

// giveUp is far longer than anything that a test waits for takes on a busy machine: a test fails because of a wrong
// value, not because of a late one. Only a test that fails waits as long.
const giveUp = time.Minute

// Eventually calls holds every few milliseconds until it returns true. It fails the test if that does not happen
// within a minute. It is the only way for a test to wait for what another goroutine or process does.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(giveUp); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("within %s it did not happen that %s", giveUp, what)
}
