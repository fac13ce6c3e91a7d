package chaos

import (
	"testing"
	"time"
)

func TestTheOfficesDayEndsAtItsOwnMidnight(t *testing.T) {
	for now, want := range map[string]time.Duration{
		"2026-11-20T18:29:59Z": time.Second,
		"2026-11-20T18:30:00Z": 24 * time.Hour,
		"2026-11-20T06:30:00Z": 12 * time.Hour,
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&run{zone: time.FixedZone("Asia/Kolkata", 5*3600+1800)}).untilMidnight(at); got != want {
			t.Errorf("at %s: %s, want %s", now, got, want)
		}
	}
}
