package privacy_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/testkit"
)

const source = "notes"

func notes(t *testing.T) (*testkit.Database, *outbox.Outbox) {
	t.Helper()
	db := testkit.NewDatabase(t, outbox.Migrations())
	if err := outbox.EnsureStream(t.Context(), db.Pool, source); err != nil {
		t.Fatal(err)
	}
	return db, outbox.New(source, db.Pool)
}

func written(id, text string) outbox.Change {
	return outbox.Change{Type: "note_written", Entity: "note", EntityID: id, After: map[string]string{"text": text}}
}

func erased(id string) outbox.Change {
	return outbox.Change{Type: "note_erased", Entity: "note", EntityID: id, After: map[string]string{"text": ""}}
}

func TestAnErasureRemovesTheValuesFromStoredEvents(t *testing.T) {
	db, o := notes(t)
	err := o.InTx(t.Context(), func(tx pgx.Tx) error {
		return outbox.Append(t.Context(), tx, written("1", "of Asha"), written("2", "of Ravi"))
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := privacy.Erase(t.Context(), o, map[string]string{"text": ""}, func(pgx.Tx) ([]outbox.Change, error) {
		return []outbox.Change{erased("1")}, nil
	})
	if err != nil || !slices.Equal(ids, []string{"1"}) {
		t.Fatalf("erased %v, %v", ids, err)
	}
	var texts []string
	rows, err := db.Pool.Query(t.Context(), `SELECT type || ' ' || (after->>'text') FROM outbox ORDER BY id`)
	if err == nil {
		texts, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	want := []string{"note_written ", "note_written of Ravi", "note_erased "}
	if err != nil || !slices.Equal(texts, want) {
		t.Errorf("the events are %q, %v, want %q", texts, err, want)
	}
}

func TestAnErasureOfNothingAppendsNoEvent(t *testing.T) {
	db, o := notes(t)
	nothing := func(pgx.Tx) ([]outbox.Change, error) { return nil, nil }
	ids, err := privacy.Erase(t.Context(), o, map[string]string{}, nothing)
	if err != nil || len(ids) != 0 {
		t.Fatalf("erased %v, %v", ids, err)
	}
	var events int
	if err := db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox`).Scan(&events); err != nil || events != 0 {
		t.Errorf("%d events, %v", events, err)
	}
}

func TestEraseAllEndsAtTheFirstEmptyBatch(t *testing.T) {
	batches := [][]string{{"1", "2"}, {"3"}, nil, {"4"}}
	all, err := privacy.EraseAll(func() ([]string, error) {
		next := batches[0]
		batches = batches[1:]
		return next, nil
	})
	if err != nil || !slices.Equal(all.Erased, []string{"1", "2", "3"}) {
		t.Errorf("erased %v, %v", all.Erased, err)
	}
	all, err = privacy.EraseAll(func() ([]string, error) { return nil, pgx.ErrTxClosed })
	if err == nil || all.Erased == nil {
		t.Errorf("after an error %v, %v", all.Erased, err)
	}
}

const accessLog = `
CREATE TABLE access_log (at timestamptz, user_id text, role text, call text);
INSERT INTO access_log VALUES
  (now() - interval '2 days', 'u1', 'pa', 'today'),
  (now(), 'u2', 'admin', 'lookup');
GRANT ALL ON access_log TO PUBLIC`

func TestOldEntriesOfTheAccessLogAreDeleted(t *testing.T) {
	db := testkit.NewDatabase(t, outbox.Migrations())
	owner := db.Owner(t)
	if _, err := owner.PgConn().Exec(t.Context(), accessLog).ReadAll(); err != nil {
		t.Fatal(err)
	}
	n, err := privacy.ForgetAccess(db.Pool).Erase(t.Context(), time.Now().Add(-24*time.Hour))
	if err != nil || n != 1 {
		t.Fatalf("%d rows deleted, %v", n, err)
	}
	rows, err := db.Pool.Query(t.Context(), `SELECT at, user_id, role, call FROM access_log`)
	if err != nil {
		t.Fatal(err)
	}
	left, err := pgx.CollectRows(rows, privacy.ScanDisclosure)
	if err != nil || len(left) != 1 || left[0].UserID != "u2" || left[0].Role != "admin" || left[0].Call != "lookup" {
		t.Errorf("left are %+v, %v", left, err)
	}
}

func TestDaysOfAPeriodAreCalendarDays(t *testing.T) {
	for _, c := range []struct {
		from, to string
		valid    bool
	}{
		{"2026-11-01", "2026-11-30", true},
		{"2026-11-01", "2026-11-31", false},
		{"2026-1-1", "2026-11-30", false},
		{"", "2026-11-30", false},
		{"2026-11-01 ", "2026-11-30", false},
	} {
		if err := (privacy.Period{From: c.from, To: c.to}).Check(); (err == nil) != c.valid {
			t.Errorf("%q to %q: %v", c.from, c.to, err)
		}
	}
}

func TestAReportIsOneValuePerLine(t *testing.T) {
	w := httptest.NewRecorder()
	lines := privacy.NewLines(w)
	for _, n := range []int{1, 2} {
		if err := lines.Write(map[string]int{"n": n}); err != nil {
			t.Fatal(err)
		}
	}
	if err := lines.Close(nil); err != nil {
		t.Fatal(err)
	}
	text, mediaType := w.Body.String(), w.Header().Get("Content-Type")
	if text != "{\"n\":1}\n{\"n\":2}\n" || mediaType != "application/x-ndjson" {
		t.Errorf("%q as %s", text, mediaType)
	}
}

func TestAReportThatFailsAfterItsFirstLineIsAborted(t *testing.T) {
	failed := errors.New("the connection was lost")
	if err := privacy.NewLines(httptest.NewRecorder()).Close(failed); !errors.Is(err, failed) {
		t.Errorf("before the first line: %v", err)
	}
	lines := privacy.NewLines(httptest.NewRecorder())
	if err := lines.Write(1); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("after the first line: %v", got)
		}
	}()
	_ = lines.Close(failed)
}

func TestEqualSetsOfUsersAreOneSet(t *testing.T) {
	sets := privacy.NewUserSets()
	ab := sets.With(sets.With(0, "a"), "b")
	ba := sets.With(sets.With(0, "b"), "a")
	if ab != ba || sets.With(ab, "a") != ab || sets.With(ab, "c") == ab {
		t.Errorf("sets %d and %d", ab, ba)
	}
	if got := strings.Join(sets.Members(ba), " "); got != "a b" || len(sets.Members(0)) != 0 {
		t.Errorf("members %q", got)
	}
}

func TestAServiceHasTheRoutesThatItHandles(t *testing.T) {
	handler := endpoint.JSON(endpoint.Nothing, func(context.Context, struct{}) (string, error) { return "", nil })
	var got []string
	for _, route := range privacy.Routes(privacy.Handlers{Asker: "shop", Export: handler, Uses: handler}) {
		got = append(got, route.Method+" "+route.Pattern)
	}
	if want := []string{"POST /internal/subject/export", "POST /internal/uses"}; !slices.Equal(got, want) {
		t.Errorf("the routes are %q, want %q", got, want)
	}
}
