package outbox_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/trace"

	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/request"
)

// ask reads a page of the feed; raw is the response.
func (s shop) ask(t *testing.T, query string) (page outbox.Page, status int, raw string) {
	t.Helper()
	w := httptest.NewRecorder()
	s.Feed(s.db.Pool)(w, httptest.NewRequest(http.MethodGet, "/internal/events?"+query, nil))
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
	}
	return page, w.Code, w.Body.String()
}

func TestTheFeedIsReadInPages(t *testing.T) {
	s := open(t)
	s.sell(t, s.Outbox, 7)
	s.relay(t).Drain(t.Context())
	s.sell(t, s.Outbox, 2) // rows without a number, which are not in the feed yet
	epoch, _ := s.head(t)
	for query, want := range map[string]string{
		"":                  "1 2 3 4 5 6 7",
		"after=0&limit=3":   "1 2 3",
		"after=3&limit=3":   "4 5 6",
		"after=6&limit=3":   "7",
		"after=7":           "",
		"after=99":          "",
		"epoch=" + epoch:    "1 2 3 4 5 6 7",
		"epoch=&after=5":    "6 7",
		"limit=500&after=6": "7",
	} {
		page, status, _ := s.ask(t, query)
		var got []string
		for _, event := range page.Events {
			got = append(got, fmt.Sprint(event.Seq))
		}
		if status != 200 || strings.Join(got, " ") != want || page.Head != 7 || page.Epoch != epoch || page.Source != source {
			t.Errorf("%q: %d %v head %d", query, status, got, page.Head)
		}
	}
	if _, _, raw := s.ask(t, "after=7"); !strings.Contains(raw, `"events":[]`) {
		t.Errorf("no events are %s", raw)
	}
}

func TestAPositionOfAnotherEpochIsRejected(t *testing.T) {
	s := open(t)
	s.sell(t, s.Outbox, 2)
	s.relay(t).Drain(t.Context())
	epoch, head := s.head(t)
	_, status, raw := s.ask(t, "epoch=another&after=1")
	var published struct {
		Code  string `json:"code"`
		Epoch string `json:"epoch"`
		Head  int64  `json:"head"`
	}
	if err := json.Unmarshal([]byte(raw), &published); err != nil {
		t.Fatal(err)
	}
	if status != 409 || published.Code != "epoch_changed" || published.Epoch != epoch || published.Head != head {
		t.Errorf("answered %d %s", status, raw)
	}
}

func TestAnInvalidFeedQueryIsRejected(t *testing.T) {
	s := open(t)
	for _, query := range []string{
		"after=-1", "after=x", "after=9223372036854775808", "limit=0", "limit=501", "limit=-1", "limit=x",
	} {
		if _, status, raw := s.ask(t, query); status != 400 || !strings.Contains(raw, `"code":"validation"`) {
			t.Errorf("%q: %d %s", query, status, raw)
		}
	}
}

func TestAFeedWithoutItsDatabaseIsUnavailable(t *testing.T) {
	s := open(t)
	w := httptest.NewRecorder()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	s.Feed(s.db.Pool)(w, httptest.NewRequest(http.MethodGet, "/internal/events", nil).WithContext(gone))
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"code":"unavailable"`) {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

func TestAnEventHasTheWholeChange(t *testing.T) {
	s := open(t)
	span := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled,
	})
	ctx := trace.ContextWithSpanContext(t.Context(), span)
	ctx = request.With(ctx, request.Info{ID: "r1", Address: "203.0.113.9"})
	ctx = identity.With(ctx, identity.Caller{ID: "1", Name: "Asha", Email: "a@example.com", Role: "clerk"})
	then := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx,
			outbox.Change{
				Type: "thing_changed", Entity: "thing", EntityID: "a", Version: 1, Before: map[string]int{"n": 1},
				After: map[string]int{"n": 2},
			},
			outbox.Change{
				Type: "thing_imported", Entity: "thing", EntityID: "b",
				At: &then, Actor: &outbox.Actor{IP: "198.51.100.1"},
			})
	})
	if err != nil {
		t.Fatal(err)
	}
	s.relay(t).Drain(t.Context())
	page, _, raw := s.ask(t, "")
	changed, imported := page.Events[0], page.Events[1]
	if *changed.Actor != (outbox.Actor{ID: "1", Name: "Asha", Email: "a@example.com", Role: "clerk", IP: "203.0.113.9"}) ||
		changed.RequestID != "r1" || changed.Traceparent != "00-01000000000000000000000000000000-0200000000000000-01" ||
		changed.Subject != (outbox.Subject{"thing", "a"}) || changed.Version != 1 ||
		string(changed.Before) != `{"n":1}` && string(changed.Before) != `{"n": 1}` {
		t.Errorf("published %s", raw)
	}
	if age := time.Since(time.Time(changed.Time)); age < 0 || age > time.Minute {
		t.Errorf("it happened %v ago", age)
	}
	if *imported.Actor != (outbox.Actor{IP: "198.51.100.1"}) || !time.Time(imported.Time).Equal(then) ||
		string(imported.Before) != "null" || string(imported.After) != "null" {
		t.Errorf("the import is published as %+v", imported)
	}
}

func TestAChangeWithoutACallerHasNoActor(t *testing.T) {
	s := open(t)
	s.sell(t, s.Outbox, 1)
	if err := s.InTx(t.Context(), func(tx pgx.Tx) error { return outbox.Append(t.Context(), tx) }); err != nil {
		t.Errorf("no changes at all: %v", err)
	}
	s.relay(t).Drain(t.Context())
	if page, _, raw := s.ask(t, ""); len(page.Events) != 1 || page.Events[0].Actor != nil ||
		!strings.Contains(raw, `"actor":null`) {
		t.Errorf("published %s", raw)
	}
}

// Each version of a thing has one event. A second writer gets an error, and its change is rolled back.
func TestAVersionOfASubjectHasOneEvent(t *testing.T) {
	s := open(t)
	twice := func(tx pgx.Tx) error {
		return outbox.Append(t.Context(), tx, outbox.Change{
			Type: "thing_changed", Entity: "thing", EntityID: "a", Version: 5,
		})
	}
	if err := s.InTx(t.Context(), twice); err != nil {
		t.Fatal(err)
	}
	if err := s.InTx(t.Context(), twice); err == nil {
		t.Error("version 5 has two events")
	}
}
