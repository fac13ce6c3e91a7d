package forecast

import (
	"testing"
	"time"

	"baari.dev/services/visits/foresight"
)

// After a slow comparison of pinned visitors, the following forecasts show its result again.
func TestPinnedVisitorsAreNotComparedAgainBeforeTheRestHasPassed(t *testing.T) {
	minutes, at := 25, time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	f := &Forecaster{compared: map[string]*int{"pinned": &minutes}, compareAt: at}
	if got := f.lastCompared(foresight.State{At: at.Add(-time.Second)}, nil)["pinned"]; got != &minutes {
		t.Errorf("within the rest the pin costs %v", got)
	}
	if got := f.lastCompared(foresight.State{At: at}, nil); len(got) != 0 {
		t.Errorf("after the rest the pin still costs %v", got)
	}
	if rest := f.compareAt.Sub(at); rest > time.Minute {
		t.Errorf("after a short comparison there is a rest of %v", rest)
	}
}
