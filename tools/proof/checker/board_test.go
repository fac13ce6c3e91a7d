package checker

import (
	"slices"
	"testing"
	"time"
)

func (e *Evidence) callOf(visit, kind string) Call {
	return Call{visit, visit, e.eventOf(visit, kind).After.Called}
}

// looks returns what a board showed after each change of the calls of visit-5 and visit-6, and at the end.
func (e *Evidence) looks() []Look {
	undone, first := e.callOf("visit-5", "visit_called"), e.callOf("visit-6", "visit_called")
	second, last := e.callOf("visit-6", "visit_recalled"), e.callOf("visit-9", "visit_called")
	at := func(visit, kind string, calls ...Call) Look {
		row := e.eventOf(visit, kind)
		return Look{Asked: row.At, Day: today, Seq: row.Seq, Calls: calls}
	}
	end := at("visit-9", "visit_called", last)
	end.Seq, end.Next = int64(len(e.Outbox)), []string{"T-005", "T-008", "T-010", "A-002"}
	return []Look{
		at("visit-5", "visit_called", undone), at("visit-5", "visit_undone"), at("visit-6", "visit_called", first),
		at("visit-6", "visit_recalled", second), at("visit-6", "visit_returned"), end,
	}
}

func (e *Evidence) lastLook() *Look {
	looks := e.Dashboards[3].Looks
	return &looks[len(looks)-1]
}

func liesOfBoards() []lie {
	return []lie{
		{"I10", "a board keeps a call that was undone", func(e *Evidence) {
			look := e.lastLook()
			look.Calls = append(look.Calls, e.callOf("visit-5", "visit_called"))
		}},
		{"I10", "a board kept an undone call for a while", func(e *Evidence) {
			looks := e.Dashboards[3].Looks
			looks[2].Calls = append(looks[2].Calls, e.callOf("visit-5", "visit_called"))
		}},
		{"I10", "a board kept the call of a visitor who was back in the line", func(e *Evidence) {
			looks := e.Dashboards[3].Looks
			looks[4].Calls = looks[3].Calls
		}},
		{"I10", "a board kept the first call of a visitor who was called again", func(e *Evidence) {
			looks := e.Dashboards[3].Looks
			looks[3].Calls = looks[2].Calls
		}},
		{"I10", "a board lacks a call", func(e *Evidence) { e.lastLook().Calls = nil }},
		{"I10", "a board shows the line in another order", func(e *Evidence) { slices.Reverse(e.lastLook().Next) }},
		{"I10", "a board shows a session that has ended", func(e *Evidence) { e.lastLook().Serving = []string{"T-001"} }},
		{"I10", "a board is still of yesterday", func(e *Evidence) { e.lastLook().Day = "2026-11-19" }},
		{"I10", "a board has shown nothing", func(e *Evidence) { e.Dashboards[3].Looks = nil }},
		{"I9", "a board does not hear of an undo", func(e *Evidence) {
			undo, d := e.eventOf("visit-5", "visit_undone"), &e.Dashboards[3]
			d.Frames = slices.DeleteFunc(d.Frames, func(f Frame) bool { return f.Seq == undo.Seq })
		}},
		{"I11", "a board receives the frame of staff", func(e *Evidence) {
			called, d := e.eventOf("visit-9", "visit_called"), &e.Dashboards[3]
			d.Frames = append(d.Frames, Frame{Type: "visit_called", Record: called.Visit, Version: 4, Seq: called.Seq})
		}},
	}
}

// Two calls in one millisecond have the order of the database. The oldest of nine calls is not shown.
func TestABoardShowsTheLastCalls(t *testing.T) {
	e := &Evidence{Today: today, Zone: time.UTC}
	var want []Call
	for i, called := range []time.Duration{0, 2, 1, 1000, 2000, 3000, 4000, 5000, 6000} {
		v := Visit{ID: string(rune('a' + i)), Called: begins.Add(called * time.Microsecond)}
		e.Visits = append(e.Visits, v)
		e.Outbox = append(e.Outbox, Event{
			Seq: int64(i), Visit: v.ID, Type: "visit_called",
			After: State{Stage: stageCalled, Called: v.Called.Truncate(time.Millisecond)},
		})
	}
	for _, id := range []string{"i", "h", "g", "f", "e", "d", "b", "c"} {
		want = append(want, Call{Visit: id, At: e.Visits[id[0]-'a'].Called.Truncate(time.Millisecond)})
	}
	if got := callsOfToday(e, &fold{evidence: e}, standingCalls(e)); !slices.EqualFunc(got, want, Call.is) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestABoardShowsNoCallOfYesterday(t *testing.T) {
	midnight := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	called := func(at time.Time) Event {
		return Event{Seq: 1, Visit: "v", Type: "visit_called", At: at, After: State{Stage: stageCalled, Called: at}}
	}
	before, after := midnight.Add(-time.Second), midnight.Add(time.Second)
	for _, c := range []struct {
		name          string
		called, asked time.Time
		day           string
		shows, broken bool
	}{
		{"it was called today", after, after, today, true, false},
		{"it was called today and is not shown", after, after, today, false, true},
		{"it was called yesterday", before, after, today, false, false},
		{"it was called yesterday and is kept", before, after, today, true, true},
		{"the whole board is of yesterday", before, after, "2026-11-19", true, true},
		{"the answer was requested before midnight", after, before, today, true, false},
	} {
		look := Look{Asked: c.asked, Day: c.day}
		if c.shows {
			look.Calls = []Call{{"v", "T-001", c.called}}
		}
		e := &Evidence{
			Today: today, Zone: time.UTC, Outbox: []Event{called(c.called)}, Visits: []Visit{{ID: "v", Called: c.called}},
		}
		if found := checkBoard(e, Dashboard{Name: "board", Looks: []Look{look}}); (len(found) > 0) != c.broken {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}

// An answer has every change up to its position, and possibly later ones.
func TestABoardMayBeAheadOfItsPosition(t *testing.T) {
	for position, broken := range map[int64]bool{0: false, 1: false, 2: true} {
		e := sound()
		call := e.eventOf("visit-5", "visit_called")
		look := Look{Asked: call.At, Day: today, Seq: call.Seq - 1 + position}
		look.Calls = []Call{e.callOf("visit-5", "visit_called")}
		e.Dashboards[3].Looks = slices.Insert(e.Dashboards[3].Looks, 0, look)
		if found := checkScreens(e); (len(found) > 0) != broken {
			t.Errorf("at %d: %v", position, found)
		}
	}
}

// After a restore the numbers of the earlier epoch cannot be compared, so answers of that epoch are not checked.
func TestWhatABoardShowedBeforeARestoreIsNotChecked(t *testing.T) {
	e := sound()
	e.Dashboards[3].Looks[0].Calls[0].Visit, e.Dashboards[3].Looks[0].Epoch = "gone", "old"
	if found := checkScreens(e); len(found) > 0 {
		t.Error(found)
	}
}
