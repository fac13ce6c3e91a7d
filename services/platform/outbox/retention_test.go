package outbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// publish commits one event for each id, with the time at.
func (s shop) publish(t *testing.T, at time.Time, entity string, ids ...string) {
	t.Helper()
	err := s.InTx(t.Context(), func(tx pgx.Tx) error {
		for _, id := range ids {
			change := outbox.Change{
				Type: entity + "_changed", Entity: entity, EntityID: id, At: &at,
				Actor:  &outbox.Actor{ID: "1", Name: "Asha"},
				Before: map[string]string{"name": "old " + id}, After: map[string]string{"name": "new " + id}}
			if err := outbox.Append(t.Context(), tx, change); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.relay(t).Drain(t.Context())
}

func (s shop) prune(t *testing.T, before time.Time, keep ...string) {
	t.Helper()
	for {
		n, err := s.Prune(t.Context(), before, keep...)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// Old events are deleted. For entities from which projections are rebuilt, the newest event stays, without its actor.
func TestOldEventsArePrunedToTheNewestOfEachSubject(t *testing.T) {
	s := open(t)
	young := time.Now()
	old := young.AddDate(0, 0, -500)
	s.publish(t, old, "thing", "a", "b", "a", "c")
	s.publish(t, old, "visitor", "x", "y")
	s.publish(t, young, "thing", "b", "d")
	s.prune(t, young.AddDate(0, 0, -400), "thing")

	page, _, raw := s.ask(t, "")
	var kept []string
	for _, event := range page.Events {
		kept = append(kept, fmt.Sprint(event.Seq, event.Subject.ID))
	}
	// ASVS 14.2.7
	if want := []string{"3a", "4c", "7b", "8d"}; !slices.Equal(kept, want) || page.Begins != 7 || page.Head != 8 {
		t.Errorf("kept %v of %d, begins at %d, want %v from 7", kept, page.Head, page.Begins, want)
	}
	if first := page.Events[0]; first.Actor != nil || string(first.Before) != "null" ||
		!strings.Contains(string(first.After), "new a") {
		t.Errorf("the newest of a is %s", raw)
	}
	if last := page.Events[3]; last.Actor == nil || string(last.Before) == "null" {
		t.Error("a young event was touched")
	}

	if _, err := s.db.Owner(t).Exec(
		t.Context(), `UPDATE outbox SET created_at = created_at - interval '400 days'`,
	); err != nil {
		t.Fatal(err)
	}
	s.prune(t, young.AddDate(0, 0, -366))
	if page, _, _ := s.ask(t, ""); len(page.Events) != 0 || page.Begins != 9 {
		t.Errorf("%d events are left, the stream begins at %d", len(page.Events), page.Begins)
	}
	s.publish(t, young, "thing", "e")
	if page, _, _ := s.ask(t, "after=8"); len(page.Events) != 1 || page.Events[0].Seq != 9 {
		t.Errorf("what follows is %+v", page.Events)
	}
}

// The service's role can delete no event of the last year, even with a DELETE without a condition, and cannot change an
// event's time or subject.
func TestEventsOfTheLastYearCannotBeDeleted(t *testing.T) {
	s := open(t)
	s.publish(t, time.Now().AddDate(0, 0, -364), "thing", "a")
	s.publish(t, time.Now().AddDate(0, 0, -366), "thing", "b")
	s.publish(t, time.Now(), "thing", "c")
	removed, err := s.db.Pool.Exec(t.Context(), `DELETE FROM outbox`)
	// ASVS 16.4.2
	if err != nil || removed.RowsAffected() != 1 {
		t.Errorf("%d of 3 events are gone, want the one that is older than a year: %v", removed.RowsAffected(), err)
	}
	for _, column := range []string{
		"created_at = created_at - interval '2 years'", "type = 'nothing'", "entity_id = 'z'", "version = 7",
		"request_id = ''",
	} {
		if _, err := s.db.Pool.Exec(t.Context(), `UPDATE outbox SET `+column); postgres.Code(err) != "42501" {
			t.Errorf("SET %s: %v", column, err)
		}
	}
}

func TestRedactOverwritesTheEventsOfASubject(t *testing.T) {
	s := open(t)
	s.publish(t, time.Now(), "thing", "a", "b")
	err := s.InTx(t.Context(), func(tx pgx.Tx) error {
		if err := outbox.Append(t.Context(), tx, outbox.Change{Type: "thing_asked", Entity: "thing", EntityID: "a",
			After: map[string]any{"name": "Asha", "size": 3}, Actor: &outbox.Actor{IP: "198.51.100.7"}}); err != nil {
			return err
		}
		return outbox.Redact(t.Context(), tx, "thing", []string{"a"}, map[string]string{"name": "Erased"})
	})
	if err != nil {
		t.Fatal(err)
	}
	s.relay(t).Drain(t.Context())
	page, _, raw := s.ask(t, "")
	if len(page.Events) != 3 || strings.Contains(raw, "new a") || strings.Contains(raw, "old a") ||
		strings.Contains(raw, "198.51.100.7") || strings.Contains(raw, `"name":"Asha","size"`) {
		t.Errorf("published %s", raw)
	}
	if page.Events[0].Actor == nil || page.Events[2].Actor != nil ||
		!strings.Contains(string(page.Events[2].After), `"size":3`) {
		t.Errorf("too much or too little is gone: %s", raw)
	}
	if !strings.Contains(string(page.Events[1].After), "new b") {
		t.Errorf("another thing was redacted: %s", page.Events[1].After)
	}
}
