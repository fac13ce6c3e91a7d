package visits

import (
	"testing"
	"time"

	"baari.dev/services/visits/foresight"
)

// While comparing pinned visitors took long, forecasts show what was compared before.
func TestPinnedVisitorsAreNotComparedAgainBeforeTheRestHasPassed(t *testing.T) {
	minutes := 25
	f := &forecaster{compared: map[string]*int{"pinned": &minutes}, compareAt: time.Now().Add(time.Hour)}
	if got := f.lastCompared(foresight.State{}, nil)["pinned"]; got != &minutes {
		t.Errorf("within the rest the pin costs %v", got)
	}
	f.compareAt = time.Now()
	if got := f.lastCompared(foresight.State{}, nil); len(got) != 0 {
		t.Errorf("after the rest the pin still costs %v", got)
	}
	if rest := time.Until(f.compareAt); rest > time.Minute {
		t.Errorf("after a short comparison there is a rest of %v", rest)
	}
}
