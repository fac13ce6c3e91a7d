package realtime

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

var carried = []*source{{name: "auth"}, {name: "directory"}, {name: "realtime"}, {name: "visits"}}

// T5: a Last-Event-ID is either rejected, or parsed to a position whose rendered id is parsed to the same position. It
// cannot insert a line into the stream.
func FuzzLastEventID(f *testing.F) {
	for _, seed := range []string{"", at(1, 2), at(0, 9_007_199_254_740_993), "visits=" + epoch + ":-1", "visits=a\n:1",
		";;", "auth=" + epoch + ":1;auth=" + epoch + ":1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last, valid := parsePosition(text, carried)
		if !valid {
			return
		}
		frame := string(render(last, carried, []byte("{}"), ""))
		if strings.Count(frame, "\n") != 3 {
			t.Fatalf("%q writes %q", text, frame)
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(frame, "id: "), "\n")
		again, valid := parsePosition(id, carried)
		if !valid || !slices.Equal(again, last) {
			t.Errorf("%q is written as %q", text, id)
		}
	})
}

// T5: a body is either read as a valid notification or rejected with a 4xx.
func FuzzNotify(f *testing.F) {
	for _, seed := range []string{`{"message":"Tea"}`, `{"message":"Tea","type":"error","target_roles":["pa"]}`,
		`{"message":null}`, `{"message":"a\u0000"}`, `{`, `[]`, `{"message":"\ud800"}`} {
		f.Add(seed, "a-key-of-mine")
	}
	f.Fuzz(func(t *testing.T, body, key string) {
		r := httptest.NewRequest(http.MethodPost, "/api/stream/notify", strings.NewReader(body))
		r.Header["Content-Type"], r.Header["Idempotency-Key"] = []string{"application/json"}, []string{key}
		read, err := decodeNotification(r)
		if err != nil {
			var rejected *fault.Fault
			if !errors.As(err, &rejected) || rejected.Status() >= 500 {
				t.Errorf("rejected with %v", err)
			}
			return
		}
		length := utf8.RuneCountInString(read.Message)
		if length < 1 || length > longestMessage || !utf8.ValidString(read.Message) ||
			strings.ContainsAny(read.Message, "\x00\n\u202e") {
			t.Errorf("read the message %q", read.Message)
		}
		if !slices.Contains(notificationTypes, read.Type) || len(read.TargetRoles) == 0 ||
			len(topicsOfRoles(read.TargetRoles...)) != len(read.TargetRoles) {
			t.Errorf("read %+v", read)
		}
	})
}

// T5: an event of a feed is translated to frames that the API document allows, or to none.
func FuzzFeedMessage(f *testing.F) {
	schema := testkit.LoadContract(f, "api.yaml").Document.Components.Schemas["LiveEvent"].Value
	for _, event := range []outbox.Event{visitEvent(contract.VisitCreated, 1), visitEvent(contract.VisitCompleted, 4),
		record(contract.UserUpdated), notice(contract.RolePA)} {
		text, err := json.Marshal(event)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"type":"visit_approved","after":{"id":"x","token":"T-1"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var event outbox.Event
		if json.Unmarshal(text, &event) != nil {
			return
		}
		frames, err := framesOf(event)
		if err != nil {
			return
		}
		for _, published := range frames {
			if strings.Contains(string(published.data), "\n") {
				t.Errorf("%q would end the frame", published.data)
			}
			var value any
			if err := json.Unmarshal(published.data, &value); err != nil {
				t.Fatal(err)
			}
			if err := schema.VisitJSON(value); err != nil {
				t.Errorf("%s: %v", published.data, err)
			}
		}
	})
}
