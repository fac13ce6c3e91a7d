package checker

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func (e *Evidence) op(kind, visit string) *Op {
	i := slices.IndexFunc(e.Ops, func(op Op) bool { return op.Kind == kind && op.Visit == visit })
	return &e.Ops[i]
}

func TestSoundEvidenceHasNoViolation(t *testing.T) {
	for _, v := range Check(sound()) {
		t.Error(v)
	}
}

// lie is an error that a test puts into sound evidence, and that the check of its invariant must find.
type lie struct {
	invariant, name string
	apply           func(*Evidence)
}

func TestEachErrorInTheEvidenceViolatesItsInvariant(t *testing.T) {
	lies := append(slices.Concat(liesToVisitors(), liesOfBoards(), liesOfAppointments()), []lie{
		{"I1", "a token is given twice", func(e *Evidence) { e.Visits[2].TokenNo = 2 }},
		{"I1", "a token is left out", func(e *Evidence) { e.Visits[4].TokenNo = 6 }},
		{"I1", "an acknowledged visit is lost", func(e *Evidence) { e.Visits = e.Visits[:4] }},
		{"I2", "a retry makes a second visit", func(e *Evidence) {
			e.op(Create, "visit-3").Outcome = Unknown
			e.op(Create, "visit-5").Key = "key-visit-3"
		}},
		{"I3", "a rejected request changed something", func(e *Evidence) { e.op(Deny, "visit-2").Outcome = Failed }},
		{"I3", "an acknowledged change left no record", func(e *Evidence) { e.Records = slices.Delete(e.Records, 5, 6) }},
		{"I3", "an acknowledged change was lost and repeated later", func(e *Evidence) {
			again := *e.op(Deny, "visit-2")
			again.Call, again.Return = again.Call+1e8, again.Return+1e8
			e.op(Deny, "visit-2").RequestID = "lost"
			e.Ops = append(e.Ops, again)
		}},
		{"I3", "one call left two records", func(e *Evidence) { e.Records = append(e.Records, e.Records[5]) }},
		{"I4", "a change without a request", func(e *Evidence) { e.Ops = slices.Delete(e.Ops, 5, 6) }},
		{"I4", "a record names a request about another visit", func(e *Evidence) {
			e.Records[5].RequestID = e.Records[1].RequestID
		}},
		{"I4", "a record names a request for another change", func(e *Evidence) {
			e.Records[2].RequestID = e.Records[1].RequestID
		}},
		{"I5", "a version is missing in the trail", func(e *Evidence) { e.Records = slices.Delete(e.Records, 1, 2) }},
		{"I5", "the visit is not where its trail ends", func(e *Evidence) { e.Visits[2].Stage = "denied" }},
		{"I5", "an illegal edge", func(e *Evidence) { e.Records[2].New["stage"] = "completed" }},
		{"I5", "a change starts from another value", func(e *Evidence) { e.Records[2].Old["stage"] = "new" }},
		{"I5", "a visit has another consultant without a transfer", func(e *Evidence) {
			e.record("visit-1", "completed").New["consultantId"] = "c2"
		}},
		{"I5", "a session has another consultant than its visitor waited for", func(e *Evidence) {
			delete(e.record("visit-4", "started").New, "byHand")
		}},
		{"I5", "an undo leaves what it undoes", func(e *Evidence) {
			e.record("visit-7", "undone").New["heldReason"] = "papers"
		}},
		{"I5", "an undo is undone", func(e *Evidence) { e.record("visit-7", "held").Action = "undone" }},
		{"I6", "two users decided one visit", func(e *Evidence) {
			again := *e.op(Deny, "visit-2")
			again.Actor, again.Call, again.Return = "p2", again.Call+1e8, again.Return+1e8
			e.Ops = append(e.Ops, again)
		}},
		{"I6", "a read goes back in time", func(e *Evidence) {
			at := e.op(Deny, "visit-2").Return
			e.Ops = append(e.Ops, Op{
				Kind: Read, Visit: "visit-2", Call: at + 1, Return: at + 2, Outcome: OK,
				Seen: &Visit{Status: "new", Stage: "new", Version: 1},
			})
		}},
		{"I6", "a decision is rejected as too late, but it was the first", func(e *Evidence) {
			late := *e.op(Approve, "visit-5")
			late.Outcome, late.Code, late.Seen, late.RequestID = Failed, "visit_already_decided", nil, "early"
			late.Call, late.Return = late.Call-2, late.Call-1
			e.Ops = append(e.Ops, late)
		}},
		{"I6", "a visit that exists is called missing", func(e *Evidence) {
			late := *e.op(Deny, "visit-2")
			late.Outcome, late.Code, late.Status, late.Seen, late.RequestID = Failed, "not_found", 404, nil, "late"
			late.Call, late.Return = late.Call+1e8, late.Return+1e8
			e.Ops = append(e.Ops, late)
		}},
		{"I6", "an undo names an older version", func(e *Evidence) { e.op(Undo, "visit-7").IfVersion = 2 }},
		{"I6", "a call names an older version", func(e *Evidence) { e.op(Recall, "visit-6").IfVersion = 1 }},
		{"I6", "someone undoes another's change", func(e *Evidence) { e.op(Undo, "visit-7").Actor = "p9" }},
		{"I7", "two sessions at once", func(e *Evidence) {
			e.eventOf("visit-1", "visit_completed").After.Updated = begins.Add(24 * time.Hour)
		}},
		{"I7", "a second session starts before the first ends", func(e *Evidence) {
			e.eventOf("visit-1", "visit_completed").After.Stage = "in-session"
		}},
		{"I8", "a row is never numbered", func(e *Evidence) {
			e.Feeds = map[string]Feed{"visits": {Unnumbered: 1}}
		}},
		{"I9", "a frame is lost in the middle", func(e *Evidence) {
			e.Dashboards[0].Frames = slices.Delete(e.Dashboards[0].Frames, 3, 4)
		}},
		{"I9", "the last frame is lost", func(e *Evidence) { e.Dashboards[1].Frames = e.Dashboards[1].Frames[:4] }},
		{"I9", "a frame for another audience", func(e *Evidence) {
			e.Dashboards[2].Frames = slices.Insert(e.Dashboards[2].Frames, 1, Frame{
				Type: "visit_created", Record: "visit-1", Version: 1, Seq: 1,
			})
		}},
		{"I10", "a screen is stale", func(e *Evidence) { e.Dashboards[0].Screen[1].Version = 1 }},
		{"I10", "a screen shows another line", func(e *Evidence) { slices.Reverse(e.Dashboards[1].Line) }},
		{"I10", "a screen lacks a visit", func(e *Evidence) { e.Dashboards[1].Screen = nil }},
		{"I11", "a frame holds a phone", func(e *Evidence) { e.Dashboards[2].Frames[1].Strange = "a phone" }},
		{"I11", "a frame is of a kind that the role does not receive", func(e *Evidence) {
			e.Dashboards[2].Frames = append(e.Dashboards[2].Frames, Frame{
				Type: "visit_denied", Record: "visit-2", Version: 2, Seq: 6,
			})
		}},
		{"I9", "after a restore the stream is not reset", func(e *Evidence) {
			e.Epoch = "new"
			for _, d := range e.Dashboards[:2] {
				for i := range d.Frames {
					d.Frames[i].Epoch = "new"
				}
			}
			frames := e.Dashboards[2].Frames
			for i := range frames {
				frames[i].Epoch = "new"
			}
			frames[0].Epoch = "old" // the epoch that the restore has ended
		}},
		{"I12", "a revoked token works", func(e *Evidence) { e.Ceased = []string{"a revoked token was accepted"} }},
		{"I13", "the dashboard counts one too many", func(e *Evidence) { e.Counts["completed"]++ }},
		{"I13", "a queue is too long", func(e *Evidence) { e.Queues["c2"] = 2 }},
		{"I13", "the export lacks a row", func(e *Evidence) { clear(e.Exported) }},
		{"I13", "a visitor on hold is counted in a queue", func(e *Evidence) { e.Queues["c1"]++ }},
		{"I13", "who left is counted as denied", func(e *Evidence) { e.Counts["denied"]++ }},
		{"I13", "a stage is counted wrong", func(e *Evidence) { e.Stages["left"]++ }},
		{"I14", "the chain is broken", func(e *Evidence) { e.Trail = "record 3 was changed" }},
		{"I15", "goroutines stay", func(e *Evidence) { e.Remains = []string{"visits has 900 goroutines"} }},
		{"I16", "a call hangs", func(e *Evidence) { e.Ops[0].Return += 11e9 }},
		{"I16", "a request fails without a fault", func(e *Evidence) { e.op(Create, "visit-3").Outcome = Unknown }},
		{"I17", "a called visit is called", func(e *Evidence) {
			e.eventOf("visit-6", "visit_recalled").Type = "visit_called"
		}},
		{"I17", "a consultant has two open calls", func(e *Evidence) {
			e.eventOf("visit-6", "visit_left").After.Stage = "called"
		}},
		{"I17", "one call is answered to two callers", func(e *Evidence) {
			twice, seen := *e.op(Next, "visit-9"), *e.op(Next, "visit-9").Seen
			seen.Consultant, twice.Seen, twice.Consultant = "c2", &seen, "c2"
			e.Ops = append(e.Ops, twice)
		}},
		{"I18", "a visit has been passed too often", func(e *Evidence) { e.Visits[7].Place.Bypassed = 4 }},
		{"I18", "the count is not that of the calls", func(e *Evidence) { e.Visits[7].Place.Bypassed = 0 }},
		{"I19", "Next passes the first of the line", func(e *Evidence) {
			e.eventOf("visit-9", "visit_approved").After.Class = "normal"
		}},
		{"I19", "Next calls a visitor who waits for another", func(e *Evidence) {
			s := &e.eventOf("visit-9", "visit_approved").After
			s.Pinned, s.Consultant = true, "c2"
		}},
		{"I19", "Next calls a visitor whose service the caller does not offer", func(e *Evidence) {
			e.Serves = map[string][]string{"c1": {"another"}}
		}},
		{"I19", "a resumed visitor has a new rank", func(e *Evidence) {
			s := &e.eventOf("visit-6", "visit_resumed").After
			s.Rank, s.Due = s.Rank.Add(time.Hour), s.Due.Add(time.Hour)
		}},
		{"I19", "a released visitor has a new rank", func(e *Evidence) {
			s := &e.eventOf("visit-5", "visit_released").After
			s.Rank, s.Due = s.Rank.Add(time.Hour), s.Due.Add(time.Hour)
		}},
		{"I19", "a released visitor has a move", func(e *Evidence) {
			e.eventOf("visit-5", "visit_released").After.Moved = begins
		}},
		{"I19", "a released visitor waits for another", func(e *Evidence) {
			e.eventOf("visit-5", "visit_released").After.Consultant = "c1"
		}},
		{"I10", "a board shows a released call", func(e *Evidence) {
			e.lastLook().Calls = append(e.lastLook().Calls, e.callOf("visit-5", "visit_called"))
		}},
		{"I19", "an allowance is another one", func(e *Evidence) {
			e.eventOf("visit-9", "visit_approved").After.Due = begins.Add(9 * time.Hour)
		}},
		{"I20", "an event has another status than the stage", func(e *Evidence) { e.Outbox[1].After.Status = "new" }},
		{"I20", "an answer has another status than the stage", func(e *Evidence) {
			e.Pairs = map[Pair]string{{"an answer", "approved", "left"}: "visit-1"}
		}},
		{"I20", "the table has an unknown stage", func(e *Evidence) { e.Visits[2].Stage = "lost" }},
		{"I21", "a promise to a called visitor is open", func(e *Evidence) {
			e.Promises[0].Outcome, e.Promises[0].Ended = "", time.Time{}
		}},
		{"I21", "a promise to a visitor who waits has ended", func(e *Evidence) { e.Promises[1].Outcome = "called" }},
		{"I21", "a promise to a held visitor was judged", func(e *Evidence) { e.Promises[2].Outcome = "called" }},
		{"I21", "a promise ended with a later call", func(e *Evidence) {
			e.Promises[0].Ended = e.Promises[0].Ended.Add(time.Minute)
		}},
		{"I21", "two promises of one kind", func(e *Evidence) { e.Promises = append(e.Promises, e.Promises[0]) }},
		{"I21", "the day of a promise of today is over", func(e *Evidence) {
			e.Promises[1].Outcome, e.Promises[1].Ended = "day-over", e.Promises[1].Made.Add(time.Hour)
		}},
		{"I21", "a promise ended with a day after its visitor was called", func(e *Evidence) {
			e.Promises[0].Outcome, e.Promises[0].Ended = "day-over", e.Promises[0].Ended.Add(24*time.Hour)
		}},
	}...)
	for _, l := range lies {
		t.Run(l.invariant+" "+l.name, func(t *testing.T) {
			e := sound()
			l.apply(e)
			found := Check(e)
			if !slices.ContainsFunc(found, func(v Violation) bool { return v.Invariant == l.invariant }) {
				t.Errorf("not found; found %v", found)
			}
		})
	}
	for _, invariant := range Invariants {
		if !slices.ContainsFunc(lies, func(l lie) bool { return l.invariant == invariant.ID }) {
			t.Errorf("no error is tested against %s", invariant.ID)
		}
	}
}

func TestEachSeriesOfADayIsDense(t *testing.T) {
	of := func(series string, number int, also string) Visit {
		return Visit{ID: series + strconv.Itoa(number) + also, Day: "2026-11-20", Series: series, TokenNo: number, Also: also}
	}
	dense := []Visit{of("T", 1, ""), of("A", 1, ""), of("T", 2, "A-002"), of("A", 3, ""), of("B", 1, "")}
	for _, c := range []struct {
		name   string
		visits []Visit
		broken bool
	}{
		{"series side by side, a number given to a visit of T", dense, false},
		{"a number of a desk is left out", append(slices.Clone(dense), of("B", 3, "")), true},
		{"a number of a desk is given twice", append(slices.Clone(dense), of("A", 3, "again")), true},
		{"a second token was given to another visit, too", append(slices.Clone(dense), of("A", 2, "")), true},
	} {
		if found := checkTokens(&Evidence{Visits: c.visits}); (len(found) > 0) != c.broken {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}

// A fault of a program that the robots do not need is no excuse for a failed request.
func TestAFaultAsideExcusesNothing(t *testing.T) {
	for _, aside := range []bool{false, true} {
		e := sound()
		lost := e.op(Deny, "visit-2")
		lost.Outcome, lost.Seen = Unknown, nil
		e.Faults = []Window{{Fault: "lobby is killed", Start: lost.Call - 1, End: lost.Return + 1, Aside: aside}}
		if found := checkCalm(e); (len(found) > 0) != aside {
			t.Errorf("aside %v: %v", aside, found)
		}
	}
}

func TestAResumedStreamMayRepeatEventsAndAResetStreamMaySkipThem(t *testing.T) {
	e := sound()
	frames := e.Dashboards[0].Frames
	repeated := slices.Concat(frames[:5], []Frame{{Type: Connection, Seq: frames[4].Seq, Resumed: true}}, frames[3:])
	e.Dashboards[0].Frames = repeated
	e.Dashboards[1].Frames = []Frame{{Type: Connection}, {Type: Connection, Seq: 4}, {Type: Reset, Seq: e.Head}}
	for _, v := range Check(e) {
		t.Error(v)
	}
}

func TestFramesOfAnEpochBeforeARestoreAreNotChecked(t *testing.T) {
	e := sound()
	e.Epoch = "new"
	for i := range e.Dashboards {
		d := &e.Dashboards[i]
		for j := range d.Frames {
			d.Frames[j].Epoch = "new"
		}
		d.Frames = slices.Concat([]Frame{
			{Type: Connection, Epoch: "old", Seq: 3}, {Type: "visit_denied", Record: "gone", Version: 2, Seq: 40, Epoch: "old"},
			{Type: Connection, Epoch: "old", Seq: 40, Resumed: true}, {Type: Reset, Epoch: "new"},
		}, d.Frames[1:])
	}
	for _, v := range Check(e) {
		t.Error(v)
	}
}

func TestAViolationHoldsOnlyTheRequestsThatProveIt(t *testing.T) {
	e := sound()
	again := *e.op(Approve, "visit-1")
	again.Actor, again.Call, again.Return = "p2", again.Call+1e8, again.Return+1e8
	e.Ops = append(e.Ops, again)
	found := checkLinearizable(e)
	if len(found) != 1 || len(found[0].Records) > 3 {
		t.Errorf("found %v", found)
	}
}

func TestTheExportContainsTheDaysOfTheRunOnly(t *testing.T) {
	e := sound()
	e.Since = today
	earlier := e.Visits[0]
	earlier.Day, earlier.Status = "2026-11-19", "completed"
	e.Visits = append(e.Visits, earlier)
	if found := checkCounts(e); len(found) > 0 {
		t.Error(found)
	}
	e.Since = earlier.Day
	if len(checkCounts(e)) != 2 { // the row is missing, and so the number of rows is wrong
		t.Error("a visit of an earlier day of the run may be missing")
	}
	e.Exported[earlier.Day+" "+earlier.Token+" "+earlier.Status] = true
	if found := checkCounts(e); len(found) > 0 {
		t.Error(found)
	}
}

// A desk without network sends its registrations later. Only the user who sent them, or an admin, may undo them.
func TestTheSenderOfASlipUndoesItsRegistration(t *testing.T) {
	for sender, want := range map[string]int{"r1": 0, "r2": 1} {
		e := &Evidence{
			Ops: []Op{
				{Kind: Offline, Actor: sender, RequestID: "slips", Outcome: OK, Call: 1, Return: 2},
				{
					Kind: Undo, Actor: "r1", Role: "reception", Visit: "slip-1", Outcome: OK, Call: 3, Return: 4,
					Seen: &Visit{ID: "slip-1", Status: "cancelled", Stage: stageCancelled, Version: 2},
				},
			},
			Records: []Record{{Visit: "slip-1", Action: createdAction, RequestID: "slips"}},
		}
		if found := checkLinearizable(e); len(found) != want {
			t.Errorf("sent by %s: %v", sender, found)
		}
	}
}
