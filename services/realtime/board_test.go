package realtime

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

var boardTopics = subscriptions(contract.RoleDisplay, testkit.ID("display"))

// A board receives a frame for each call, and one frame about each change of the line or of the sessions.
func TestABoardHearsCallsAndWhoIsServed(t *testing.T) {
	for _, row := range []struct {
		kind     string
		from, to spot
		want     string
	}{
		{contract.VisitCreated, "", "new", ""},
		{contract.VisitApproved, "new", "waiting pin rao", "line"},
		{contract.VisitCalled, "waiting", "called rao", "visit_called"},
		{contract.VisitRecalled, "called rao", "called rao", "visit_called"},
		{contract.VisitReleased, "called rao", "waiting", "line"},
		{contract.VisitInSession, "called rao", "in-session rao", "line"},
		{contract.VisitCompleted, "in-session rao", "completed rao", "line"},
		{contract.VisitMissed, "called rao", "missed rao", "line"},
		{contract.VisitUndone, "called rao", "waiting", "line"},
		{contract.VisitMoved, "waiting", "waiting", "line"},
		{contract.VisitErased, "completed rao", "completed rao", ""},
	} {
		if got := heard(framesFor(t, moved(t, row.kind, row.from, row.to), boardTopics)); got != row.want {
			t.Errorf("%s, %s to %s: a board receives %q, want %q", row.kind, row.from, row.to, got, row.want)
		}
	}
	for _, row := range audience {
		if strings.HasPrefix(row.kind, "visit_") || row.kind == contract.NotificationSent {
			continue
		}
		want := ""
		if strings.HasPrefix(row.kind, contract.EntityOffice) {
			want = typeStatusUpdate
		}
		if got := heard(framesFor(t, record(row.kind), boardTopics)); got != want {
			t.Errorf("%s: a board receives %q, want %q", row.kind, got, want)
		}
	}
	if got := framesFor(t, notice(roleNames[:]...), boardTopics); len(got) > 0 {
		t.Errorf("a board receives the notification %v", got)
	}
}

func TestAFrameOfABoardNamesNobody(t *testing.T) {
	for _, kind := range []string{contract.VisitCalled, contract.VisitInSession} {
		for _, f := range framesFor(t, moved(t, kind, "called rao", "in-session rao"), boardTopics) {
			text, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, private := range []string{visitorName, visitorPhone, "CA Rao", "ITR Filing", consultantID} {
				if strings.Contains(string(text), private) {
					t.Errorf("a board receives %s", text)
				}
			}
			data := f["data"].(map[string]any)
			fields := strings.Join(slices.Sorted(maps.Keys(data)), " ")
			if kind == contract.VisitCalled && fields != "at callCount callId day token visitId" {
				t.Errorf("a call has the fields %s", fields)
			}
		}
	}
}

func TestTokensOfDesksArePublished(t *testing.T) {
	for token, published := range map[string]bool{
		"T-001": true, "A-001": true, "H-1000": true, "a-001": false, "A-01": false, "AA-001": false, "001": false,
	} {
		event := moved(t, contract.VisitCalled, "waiting", "called rao")
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			t.Fatal(err)
		}
		visit.Token = token
		event.After, _ = json.Marshal(visit)
		frames, err := framesOf(event)
		if (err == nil) != published || published != (len(frames) > 0) {
			t.Errorf("%s is published as %d frames, %v", token, len(frames), err)
		}
	}
}

func TestACallHasBothTokens(t *testing.T) {
	event := moved(t, contract.VisitCalled, "waiting", "called rao")
	var visit contract.Visit
	if err := json.Unmarshal(event.After, &visit); err != nil {
		t.Fatal(err)
	}
	visit.TokenAlso = "A-007"
	event.After, _ = json.Marshal(visit)
	frames := framesFor(t, event, boardTopics)
	if len(frames) != 1 {
		t.Fatalf("a board receives %v", frames)
	}
	data := frames[0]["data"].(map[string]any)
	if data["token"] != "T-007" || data["tokenAlso"] != "A-007" {
		t.Errorf("a board receives %v", data)
	}
}

func TestARevokedBoardIsDisconnected(t *testing.T) {
	ends, sessions := revocation(eventOf(contract.SourceAuth, contract.DeviceRevoked, contract.EntityDevice,
		testkit.ID("display"), 3, contract.Device{ID: testkit.ID("display"), Revoked: true}))
	if !ends || sessions != nil {
		t.Errorf("a revocation ends %v %v", ends, sessions)
	}
	if beat := (frame{broadcast: true}); !beat.reaches(boardTopics) {
		t.Error("a board receives no heartbeat and would disconnect")
	}
}
