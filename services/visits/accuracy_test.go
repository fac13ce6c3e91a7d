package visits_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/testkit"
)

// GET /api/visits/accuracy compares promised and actual times of calls. With too few promises, it has no figures.
func TestAccuracyComparesPromises(t *testing.T) {
	d := newDesk(t)
	type scores struct {
		N, Censored, AtOnce               int
		MAE, Coverage, Late5, Width, Bias *float64
		Service                           *struct{ Name string }
		Hour                              *int
	}
	read := func() (s struct {
		Accuracy struct {
			Total                  scores
			Kinds, Services, Hours []scores
			Rivals                 []struct {
				Name string
				MAE  *float64
			}
			Calibration []struct{ Level, Share float64 }
		}
	}) {
		a := d.as("admin", http.MethodGet, "/api/visits/accuracy?days=7", "")
		if a.status != http.StatusOK {
			t.Fatalf("accuracy answered %d %s", a.status, a.text)
		}
		if err := json.Unmarshal([]byte(a.text), &s, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if got := read().Accuracy.Total; got.N != 0 || got.MAE != nil {
		t.Errorf("without promises the total is %+v", got)
	}
	// 20 visitors, promised a median of 20 minutes, are called after 30: 16 within their range, 4 ten minutes after it.
	exec(t, d.owner, `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  rival_place, ended_at, outcome, actual_minutes)
SELECT gen_random_uuid(), 'join', $1, at, at, 10, 20, 40, at + interval '5 minutes',
  at + CASE WHEN n <= 16 THEN interval '45 minutes' ELSE interval '20 minutes' END, 0.2, 50, at + interval '30 minutes',
  'called', 30
FROM generate_series(1, 20) n, (SELECT now() - interval '1 day' AS at)`, d.offered)
	exec(t, d.owner, `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  ended_at, outcome)
SELECT gen_random_uuid(), 'join', $1, at, at, 10, 20, 40, at, at + interval '45 minutes', 0.2, now(), 'left'
FROM (SELECT now() - interval '1 day' AS at)`, d.offered)
	got := read().Accuracy
	if total := got.Total; total.N != 20 || total.Censored != 1 || *total.MAE != 10 || *total.Bias != 10 ||
		*total.Coverage != 0.8 || *total.Late5 != 0.2 || *total.Width != 35 {
		t.Errorf("the total is %+v", total)
	}
	if len(got.Services) != 1 || got.Services[0].Service.Name != "ITR Filing" || len(got.Hours) != 1 {
		t.Errorf("by service %+v, by hour %+v", got.Services, got.Hours)
	}
	const selectHour = `SELECT extract(hour FROM min(made_at) AT TIME ZONE $1)::int FROM promises`
	var hour int
	if err := d.owner.QueryRow(t.Context(), selectHour, zone).Scan(&hour); err != nil || *got.Hours[0].Hour != hour {
		t.Errorf("the promises are of %d:00, want %d:00 by the office's clock, %v", *got.Hours[0].Hour, hour, err)
	}
	if *got.Rivals[0].MAE != 8 || *got.Rivals[1].MAE != 20 {
		t.Errorf("the rivals are %+v", got.Rivals)
	}
	if got.Calibration[1].Share != 0 || got.Calibration[2].Share != 1 {
		t.Errorf("the calibration is %+v", got.Calibration)
	}
	if a := d.as("admin", http.MethodGet, "/api/visits/accuracy?days=91", ""); a.status != http.StatusBadRequest {
		t.Errorf("91 days answered %d", a.status)
	}
	if err := d.service.LoadForecasts(t.Context()); err != nil {
		t.Fatal(err)
	}
	line := d.as("reception", http.MethodGet, "/api/visits/line", "")
	if line.Accuracy == nil || line.Accuracy.N != 20 || line.Accuracy.Coverage != 0.8 {
		t.Errorf("the line says %+v", line.Accuracy)
	}
}

func TestImportedPromiseIsJudged(t *testing.T) {
	d := newDesk(t)
	day := time.Now().UTC().Truncate(24 * time.Hour).Add(-72 * time.Hour)
	at := func(minutes int) string { return day.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339) }
	body := fmt.Sprintf(`{"visits":[{"name":"Asha","phone":"9876543210","service_id":%q,"created_at":%q,"decided_at":%q,
    "consultant_id":%q,"started_at":%q,"completed_at":%q,"reception_user_id":"r","pa_user_id":"p",
    "promise":{"q10":10,"q50":20,"q90":30,"from":%q,"to":%q,"place":40}}]}`,
		d.offered, at(300), at(305), testkit.ID("consultant"), at(330), at(350), at(315), at(340))
	table, err := endpoint.New(
		endpoint.Deps{Service: "visits", Keys: testkit.Keys("visits"), Log: slog.New(slog.DiscardHandler)},
		d.service.InternalRoutes(true)...)
	if err != nil {
		t.Fatal(err)
	}
	token, err := testkit.Keys(contract.CallerOperator).Token("visits")
	if err != nil {
		t.Fatal(err)
	}
	if w := testkit.Call(t, table, token, http.MethodPost, "/internal/import", body); w.Code != http.StatusOK {
		t.Fatalf("the import answered %d %s", w.Code, w.Body)
	}
	d.forecast()
	if n := count(t, d, `SELECT count(*) FROM promises WHERE outcome = 'called' AND round(actual_minutes) = 25`); n != 1 {
		t.Errorf("%d promises were judged", n)
	}
	if n := count(t, d, `SELECT count(*) FROM sittings WHERE ended_as = 'completed'`); n != 1 {
		t.Errorf("%d sittings were learned", n)
	}
}

// Nineteen promises are too few for figures. Promises of an immediate call are counted separately.
func TestFewPromisesAndPromisesAtOnceAreNoFigure(t *testing.T) {
	d := newDesk(t)
	const promise = `
INSERT INTO promises (visit_id, kind, service_id, owed_at, made_at, q10, q50, q90, shown_from, shown_to, level,
  rival_place, ended_at, outcome, actual_minutes)
SELECT gen_random_uuid(), 'join', $1, at, at, 0, 0, $3::float8, at, at + interval '45 minutes', 0.2, 50, now(),
	'called', 0
FROM generate_series(1, $2::int), (SELECT now() - interval '1 day' AS at)`
	exec(t, d.owner, promise, d.offered, 19, 40.0)
	exec(t, d.owner, promise, d.offered, 5, 0.5)
	a := d.as("admin", http.MethodGet, "/api/visits/accuracy?days=7", "")
	var got struct {
		Accuracy struct {
			Total struct {
				N, AtOnce int
				MAE       *float64
			}
			Calibration []struct{ Level float64 }
		}
	}
	d.decode(a, &got)
	if total := got.Accuracy.Total; total.N != 19 || total.AtOnce != 5 || total.MAE != nil ||
		len(got.Accuracy.Calibration) != 0 {
		t.Errorf("the total is %s", a.text)
	}
}
