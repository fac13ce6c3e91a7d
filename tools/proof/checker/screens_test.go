package checker

import (
	"slices"
	"testing"
	"time"
)

// A consultant's screen shows today's sessions, including sessions of visits of earlier days.
func TestTheScreenOfAConsultantHasTheSessionsOfToday(t *testing.T) {
	visits := []Visit{
		{ID: "today", Day: "2026-11-29", Consultant: "c1", Status: "completed"},
		{ID: "carried", Day: "2026-11-28", Consultant: "c1", Status: "completed", CompletedDay: "2026-11-29"},
		{ID: "past", Day: "2026-11-28", Consultant: "c1", Status: "completed", CompletedDay: "2026-11-28"},
	}
	for role, want := range map[string]int{"consultant": 2, "reception": 1} {
		if got := shows(role, "c1", "2026-11-29", visits); len(got) != want {
			t.Errorf("the screen of %s has %d visits, want %d: %v", role, len(got), want, got)
		}
	}
}

// Ranks are compared in milliseconds, and tokens decide between equal ranks. The time of a move is compared in
// microseconds, because the visitor may have been moved between two others.
func TestALineIsOrderedByMillisecondsAndMovesByMicroseconds(t *testing.T) {
	rank := time.Date(2026, 11, 29, 10, 0, 0, 367_000_000, time.UTC)
	of := func(id string, token int, moved time.Time) Visit {
		place := Place{Class: "normal", Series: "T", Token: token, Rank: rank, Moved: moved}
		return Visit{ID: id, Day: "2026-11-29", Stage: stageWaiting, Place: place}
	}
	due := rank.Add(allowances["normal"])
	e := &Evidence{Today: "2026-11-29", Visits: []Visit{
		of("c", 2, time.Time{}), of("b", 1, time.Time{}),
		of("a", 3, due.Add(-time.Microsecond)), of("d", 0, due.Add(time.Microsecond)),
	}}
	if got := lineOf(e, "pa", ""); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("the line is %v", got)
	}
}
