package chaos

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"baari.dev/tools/proof/checker"
)

var boardDay = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func callAt(number, second int) call {
	return call{
		CallID: fmt.Sprintf("v%d:%d", number, second), VisitID: fmt.Sprintf("v%d", number),
		Token: fmt.Sprintf("T-%d", number), At: boardDay.Add(time.Duration(second) * time.Second),
	}
}

func (s *shownCalls) tokens() (tokens []string) {
	for _, c := range s.all {
		tokens = append(tokens, c.Token)
	}
	return tokens
}

// The first three cases are also in web/src/board/shown-calls.test.ts.
func TestABoardShowsTheNewestAnswerAndLaterCallsOfTheStream(t *testing.T) {
	shown := shownCalls{}
	shows := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(shown.tokens(), want) {
			t.Errorf("%s: it shows %v, want %v", what, shown.tokens(), want)
		}
	}
	shown.hear(callAt(1, 1))
	first := shown.request()
	shown.hear(callAt(2, 2))
	shown.answer(first, nil)
	shows("an answer removes what it lacks, but for a call since its request", "T-2")
	second, third := shown.request(), shown.request()
	shown.answer(third, []call{callAt(3, 3)})
	if shown.answer(second, []call{callAt(1, 1)}) {
		t.Error("an older answer is taken")
	}
	shows("an older answer never replaces a newer one", "T-3")
	shown.hear(callAt(3, 2))
	shows("an earlier call of the same visitor comes late", "T-3")
	for number := range 8 {
		shown.hear(callAt(10+number, 10+number))
	}
	shows("eight calls", "T-17", "T-16", "T-15", "T-14", "T-13", "T-12", "T-11", "T-10")
	shown.keepSince(boardDay.Add(16 * time.Second))
	shows("midnight", "T-17", "T-16")
}

// A board is recorded only if it has no unread change and no open request.
func TestABoardIsRecordedAtRest(t *testing.T) {
	const called = `{"type":"visit_called","data":{"callId":"v1:1","visitId":"v1","token":"T-1","counter":"3",` +
		`"at":"2026-11-20T00:00:01.000Z","callCount":1,"day":"2026-11-20"}}`
	r := &room{}
	ask := func() int {
		r.changed = false
		r.asking++
		return r.calls.request()
	}
	first := ask()
	r.take(messageOf("visits=0d:7", called), called)
	r.answered(first, checker.Look{Seq: 6}, nil)
	if len(r.looks) != 0 || len(r.calls.all) != 1 {
		t.Errorf("after a call since the request it shows %v, recorded %v", r.calls.all, r.looks)
	}
	second := ask()
	r.take(messageOf("visits=0d:7", `{"type":"heartbeat","data":{}}`), "")
	r.answered(second, checker.Look{Seq: 7}, []call{callAt(1, 1)})
	if len(r.looks) != 1 || r.looks[0].Seq != 7 || len(r.looks[0].Calls) != 1 {
		t.Errorf("after the answer it has recorded %v", r.looks)
	}
}

func TestACallOnABoardNamesNobody(t *testing.T) {
	const call = `{"type":"visit_called","data":{"callId":"v:1","visitId":"v","token":"T-001",` +
		`"at":"2026-11-20T09:00:00.000Z","callCount":1,"day":"2026-11-20"%s}}`
	for more, strange := range map[string]string{
		"": "", `,"counter":"3","language":"hi","tokenAlso":"A-001"`: "",
		`,"name":"Asha"`:               "visit_called with the field name",
		`,"assignedConsultant":"Ravi"`: "visit_called with the field assignedConsultant",
	} {
		got := messageOf("visits=0d:42", fmt.Sprintf(call, more)).frame("visits")
		want := checker.Frame{Type: "visit_called", Record: "v", Seq: 42, Epoch: "0d", Strange: strange}
		if got != want {
			t.Errorf("%s: %+v, want %+v", more, got, want)
		}
	}
}
