package feed

import (
	"testing"
	"time"
)

// The first hint after a pause causes a read at once. The hints that follow cause one read, after the interval.
func TestHintsAreReadTogether(t *testing.T) {
	var hints pacer
	if !hints.now() {
		t.Fatal("the first hint is delayed")
	}
	hints.last = time.Now().Add(time.Hour) // the interval does not pass during the test
	if hints.now() || hints.later == nil {
		t.Fatal("the second hint is read at once, or never")
	}
	due := hints.later
	if hints.now() || hints.later != due {
		t.Error("a third hint has a read of its own")
	}
	hints.read()
	hints.last = time.Now().Add(-hintEvery)
	if hints.later != nil || !hints.now() {
		t.Error("after the interval a hint is delayed")
	}
}
