package realtime

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// spot is where a visit is: its stage, then "pin" if it waits for one consultant alone, then its consultant's name, if
// any.
type spot string

func (s spot) apply(visit *contract.Visit) {
	fields := strings.Fields(string(s))
	visit.Stage, visit.ConsultantID, visit.ConsultantName = fields[0], nil, nil
	visit.Pinned = slices.Contains(fields, "pin")
	if len(fields) == 1 {
		return
	}
	name := fields[len(fields)-1]
	id := map[string]string{"rao": consultantID, "iyer": otherConsultantID}[name]
	visit.ConsultantID, visit.ConsultantName = &id, &name
}

// moved returns the event of a visit that moves from one place to another. from is "" for a new visit.
func moved(t *testing.T, kind string, from, to spot) outbox.Event {
	t.Helper()
	event := visitEvent(kind, 3)
	var visit contract.Visit
	if err := json.Unmarshal(event.After, &visit); err != nil {
		t.Fatal(err)
	}
	encoded := func(where spot) jsontext.Value {
		where.apply(&visit)
		data, err := json.Marshal(visit)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if from != "" {
		event.Before = encoded(from)
	}
	event.After = encoded(to)
	return event
}

// The table has the frames that the office and two consultants, rao and iyer, receive for each change: line is the
// status_update about the line, quiet the one about the visit.
func TestEachChangeReachesTheConsultantsItConcerns(t *testing.T) {
	const quiet, line, call, nothing = "quiet", "line", "visit_called", ""
	for _, row := range []struct {
		kind              string
		from, to          spot
		office, rao, iyer string
	}{
		{contract.VisitCalled, "waiting", "called rao", call, call, line},
		{contract.VisitCalled, "waiting pin rao", "called pin rao", call, call, line},
		{contract.VisitCalled, "waiting pin iyer", "called pin rao", call, call, quiet},
		{contract.VisitCalled, "missed rao", "called rao", call, call, nothing},
		{contract.VisitRecalled, "called rao", "called rao", call, call, nothing},
		{contract.VisitReleased, "called rao", "waiting", quiet, quiet, line},
		{contract.VisitReleased, "called pin rao", "waiting pin rao", quiet, quiet, nothing},
		{contract.VisitMissed, "called rao", "missed rao", quiet, quiet, nothing},
		{contract.VisitReturned, "missed rao", "waiting", quiet, quiet, line},
		{contract.VisitReturned, "missed pin rao", "waiting pin rao", quiet, quiet, nothing},
		{contract.VisitHeld, "waiting", "held", quiet, line, line},
		{contract.VisitHeld, "in-session rao", "held rao", quiet, quiet, nothing},
		{contract.VisitResumed, "held rao", "waiting pin rao", quiet, quiet, nothing},
		{contract.VisitResumed, "held", "waiting", quiet, line, line},
		{contract.VisitTransferred, "in-session rao", "waiting", quiet, quiet, line},
		{contract.VisitTransferred, "in-session rao", "waiting pin iyer", quiet, quiet, quiet},
		{contract.VisitPinned, "waiting", "waiting pin rao", quiet, quiet, line},
		{contract.VisitPinned, "waiting pin rao", "waiting pin iyer", quiet, quiet, quiet},
		{contract.VisitMoved, "waiting", "waiting", quiet, line, line},
		{contract.VisitPrioritised, "new", "new", quiet, nothing, nothing},
		{contract.VisitPrioritised, "waiting", "waiting", quiet, line, line},
		{contract.VisitCorrected, "waiting pin rao", "waiting pin rao", quiet, quiet, nothing},
		{contract.VisitLeft, "new", "left", quiet, nothing, nothing},
		{contract.VisitLeft, "waiting", "left", quiet, line, line},
		{contract.VisitCancelled, "new", "cancelled", quiet, nothing, nothing},
		{contract.VisitReopened, "completed rao", "waiting pin rao", quiet, quiet, nothing},
		{contract.VisitReopened, "left", "waiting", quiet, line, line},
		{contract.VisitNoShow, "missed rao", "no-show rao", quiet, quiet, nothing},
		{contract.VisitUndone, "waiting pin rao", "new", quiet, quiet, nothing},
		{contract.VisitUndone, "called rao", "waiting", quiet, quiet, line},
	} {
		event := moved(t, row.kind, row.from, row.to)
		want := map[string]string{"reception": row.office, "pa": row.office, "admin": row.office,
			"assigned consultant": row.rao, "other consultant": row.iyer}
		for _, subscriber := range subscribers {
			if got := heard(framesFor(t, event, subscriber.topics)); got != want[subscriber.name] {
				t.Errorf("%s, %s to %s: %s receives %q, want %q", row.kind, row.from, row.to, subscriber.name, got,
					want[subscriber.name])
			}
		}
	}
}

// heard returns the names of the frames that a stream receives.
func heard(frames []map[string]any) string {
	var names []string
	for _, f := range frames {
		name, data := f["type"].(string), f["data"].(map[string]any)
		switch {
		case data["entity"] == "line" && data["entityId"] == "2026-11-20" && len(data) == 2:
			name = "line"
		case name == typeStatusUpdate && data["visitId"] != nil:
			name = "quiet"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestApprovalForTheLineNamesNoConsultant(t *testing.T) {
	event := moved(t, contract.VisitApproved, "new", "waiting")
	for _, subscriber := range subscribers {
		frames := framesFor(t, event, subscriber.topics)
		if len(frames) != 1 {
			t.Fatalf("%s receives %v", subscriber.name, frames)
		}
		data := frames[0]["data"].(map[string]any)
		fields := strings.Join(slices.Sorted(maps.Keys(data)), " ")
		alerted := fields == "line service token version visitId" && data["line"] == true &&
			frames[0]["type"] == contract.VisitApproved
		if quiet := heard(frames) == "quiet"; alerted == quiet ||
			quiet != (subscriber.name == "pa" || subscriber.name == "admin") {
			t.Errorf("%s receives %v", subscriber.name, frames[0])
		}
	}
}

func TestACallHasItsCounterAndCountAndNoName(t *testing.T) {
	event := moved(t, contract.VisitRecalled, "called rao", "called rao")
	var visit contract.Visit
	if err := json.Unmarshal(event.After, &visit); err != nil {
		t.Fatal(err)
	}
	visit.Counter, visit.CallCount = "Desk 3", 2
	event.After, _ = json.Marshal(visit)
	frames, err := framesOf(event)
	if err != nil || len(frames) != 2 {
		t.Fatalf("%d frames, want that of staff and that of boards, %v", len(frames), err)
	}
	const want = `{"type":"visit_called","data":{"visitId":"01890a5d-ac96-774b-bcce-b302099a8057","version":3,` +
		`"token":"T-007","service":"ITR Filing","assignedConsultant":"rao","counter":"Desk 3","callCount":2}}`
	if got := string(frames[0].data); got != want {
		t.Errorf("published %s, want %s", got, want)
	}
	visit.CallCount = 0
	event.After, _ = json.Marshal(visit)
	if frames, err := framesOf(event); err == nil {
		t.Errorf("a call without a count was published as %v", frames)
	}
}

// If a visitor waits for one consultant alone, the start of the session sends consultants no frame about the line. No
// event of an early release, which had no stages, has such a frame.
func TestChangesOfPinnedVisitorsSendNothingAboutTheLine(t *testing.T) {
	for _, kind := range []string{contract.VisitCreated, contract.VisitApproved, contract.VisitDenied,
		contract.VisitInSession, contract.VisitCompleted} {
		frames, err := framesOf(visitEvent(kind, 2))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			if strings.Contains(string(f.data), entityLine+`"`) {
				t.Errorf("%s publishes %s", kind, f.data)
			}
		}
	}
	if frames := framesFor(t, moved(t, contract.VisitInSession, "waiting pin rao", "in-session pin rao"),
		subscribers[3].topics); len(frames) != 0 {
		t.Errorf("a start reaches another consultant: %v", frames)
	}
}
