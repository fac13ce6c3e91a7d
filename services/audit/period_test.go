package audit

import (
	"io/fs"
	"net/http"
	"testing"
	"testing/fstest"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func TestWaitsOfAHistogram(t *testing.T) {
	if w := (histogram{}).waits(); w != (Waits{}) {
		t.Errorf("without visits: %+v", w)
	}
	w := histogram{1: 5, 10: 3, 31: 1, 90: 1}.waits()
	if w.Visits != 10 || *w.P50 != 1 || *w.P80 != 10 || *w.P95 != 90 || w.Over30 != 2 {
		t.Errorf("%+v: %d, %d, %d", w, *w.P50, *w.P80, *w.P95)
	}
}

func TestPeriodBefore(t *testing.T) {
	for days, want := range map[Days]Days{
		{"2026-11-20", "2026-11-20"}: {"2026-11-19", "2026-11-19"},
		{"2026-03-01", "2026-03-31"}: {"2026-01-29", "2026-02-28"},
	} {
		if got := before(days); got != want {
			t.Errorf("before %v is %v, want %v", days, got, want)
		}
	}
}

// The offset of a time zone is determined for each day, so a clock change within the period is taken into account.
func TestHoursFollowClockChanges(t *testing.T) {
	moved, err := quartersMoved("Europe/Berlin", "2026-03-28", "2026-03-29")
	if err != nil || len(moved) != 2 || moved[0] != 4 || moved[1] != 8 {
		t.Errorf("%v, %v", moved, err)
	}
	if moved, err := quartersMoved(zone, "2026-11-20", "2026-11-20"); err != nil || len(moved) != 1 || moved[0] != 22 {
		t.Errorf("%v, %v", moved, err)
	}
	if _, err := quartersMoved("Nowhere/City", "2026-11-20", "2026-11-20"); err == nil {
		t.Error("a zone that does not exist is no error")
	}
}

func TestNamesAreMasked(t *testing.T) {
	for name, want := range map[string]string{
		"Asha Kulkarni": "A*** K***", "\u092e\u0940\u0928\u093e": "\u092e***", "": "",
	} {
		if got := maskName(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func (o *office) periodOf(t *testing.T, query string) periodAnswer {
	t.Helper()
	w := o.call(t, "admin", "/api/analytics/period"+query)
	if w.Code != http.StatusOK {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	return decode[periodAnswer](t, w.Body.Bytes())
}

// A period is compared with the period of the same length before it. Denied visits have no wait.
func TestPeriodBesideTheOneBefore(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	on := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 20, 0, 0, officeZone) }
	visits.Publish(t,
		completedVisit(on(8, 10), someService, "rao", 5, 10), // one day before both periods
		completedVisit(on(9, 10), someService, "rao", 90, 60),
		completedVisit(on(11, 10), someService, "rao", 10, 20), completedVisit(on(11, 10), someService, "rao", 40, 40),
		completedVisit(on(12, 17), someService, "iyer", 20, 30), completedVisit(on(12, 18), someService, "", 0, 0),
	)
	o.caughtUp(t, visits)

	got := o.periodOf(t, "?start_date=2026-11-11&end_date=2026-11-12")
	p, b := got.Period, got.Before
	if p.periodBody != (periodBody{"2026-11-11", "2026-11-12"}) ||
		b.periodBody != (periodBody{"2026-11-09", "2026-11-10"}) {
		t.Errorf("periods are %+v and %+v", p.periodBody, b.periodBody)
	}
	if p.Outcomes != (outcomesBody{Total: 4, Completed: 3, Denied: 1}) || b.Outcomes.Total != 1 {
		t.Errorf("outcomes are %+v and %+v", p.Outcomes, b.Outcomes)
	}
	if w := p.Waits; w.Visits != 3 || *w.P50 != 20 || *w.P95 != 40 || w.Over30 != 1 || *b.Waits.P50 != 90 {
		t.Errorf("waits are %+v and %+v", p.Waits, b.Waits)
	}
	if p.Arrivals[2][10] != 2 || p.Arrivals[3][17] != 1 || p.Arrivals[3][18] != 1 || b.Arrivals[0][10] != 1 {
		t.Errorf("arrivals are %v", p.Arrivals) // Wednesday, Thursday and Monday
	}
	if len(p.Services) != 1 || p.Services[0].Name != "Service 1" || p.Services[0].Visits != 4 ||
		p.Services[0].Sessions != 3 || p.Services[0].Minutes != 90 || p.Services[0].Waits.Visits != 3 {
		t.Errorf("services are %+v", p.Services)
	}
	if len(p.Hours) != 2 || p.Hours[0].Hour != 10 || p.Hours[0].Waits.Visits != 2 || p.Hours[1].Hour != 17 {
		t.Errorf("hours are %+v", p.Hours)
	}
	if c := p.Consultants; len(c) != 2 || c[0].Name != "CA rao" || c[0].Minutes != 60 || c[1].ID != "iyer" {
		t.Errorf("consultants are %+v", c)
	}
}

// Later changes of a visit update the counts. Emptying the projection resets them.
func TestPeriodFollowsTheProjection(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	change := completedVisit(noon, someService, "rao", 10, 20)
	after := change.After.(contract.Visit)
	after.Version, after.StartedAt, after.CompletedAt, after.Status = 5, nil, nil, contract.StatusApproved
	o.publish(t, visits, change, outbox.Change{Type: contract.VisitUndone, Entity: contract.EntityVisit,
		EntityID: after.ID, Version: 5, Before: change.After, After: after})
	const days = "?start_date=2026-11-20&end_date=2026-11-20"
	if p := o.periodOf(t, days).Period; p.Waits.Visits != 0 || p.Services[0].Visits != 1 || p.Services[0].Sessions != 0 ||
		len(p.Hours) != 0 {
		t.Errorf("after the undo: %+v", p)
	}
	early := completedVisit(noon, someService, "rao", -5, 20)
	o.publish(t, visits, early)
	if p := o.periodOf(t, days).Period; p.Waits.Visits != 1 || *p.Waits.P50 != 0 {
		t.Errorf("a session that began before the arrival was noted: %+v", p.Waits)
	}
	testkit.Exec(t, o.db.Owner(t), `TRUNCATE visits`)
	if n := sql[int](t, o.db, `SELECT count(*) FROM daily_sessions`); n != 0 {
		t.Errorf("%d counts are left of an empty projection", n)
	}
}

const insertYear = `
INSERT INTO visits (id, day, token_no, token, name, phone, service_name, status, reception_notes, pa_notes,
  session_notes, created_at, started_at, completed_at, created_by_name, service_id, consultant_id, consultant_name)
SELECT gen_random_uuid(), day, n, 'T-' || n, 'Asha', '9876543210', 'Service ' || n % 11, 'completed', '', '', '', came,
  came + n * 7 % 90 * interval '1 minute', came + (n * 7 % 90 + 30) * interval '1 minute',
  'R', 's' || n % 11, 'c' || n % 9,
  'C' || n % 9
FROM (SELECT day::date, n, day + interval '3 hours 30 minutes' + n * interval '3 minutes' AS came
  FROM generate_series(timestamptz '2025-01-01Z', '2026-12-31Z', interval '1 day') day,
    generate_series(1, $1::int) n) v`

func TestAYearIsTheSumOfItsDays(t *testing.T) {
	o := newOffice(t)
	daily := testkit.Volume(150, 40)
	testkit.Exec(t, o.db.Owner(t), insertYear, daily)
	got := o.periodOf(t, "?start_date=2026-01-01&end_date=2026-12-31")
	if got.Period.Waits.Visits != 365*daily || got.Before.Waits.Visits != 365*daily {
		t.Errorf("%d and %d visits", got.Period.Waits.Visits, got.Before.Waits.Visits)
	}
}

// The migration counts earlier visits in the same way as the triggers count later ones.
func TestMigrationCountsStoredVisits(t *testing.T) {
	before := Migrations()
	own := &before[len(before)-1]
	kept := fstest.MapFS{}
	files, err := fs.Glob(own.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(own.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if name < "0006" {
			kept[name] = &fstest.MapFile{Data: data}
		}
	}
	own.Files = kept
	daily := testkit.Volume(150, 40)
	old, later := testkit.NewDatabase(t, before...), testkit.NewDatabase(t, Migrations()...)
	testkit.Exec(t, old.Owner(t), insertYear, daily)
	if err := postgres.Migrate(t.Context(), old.OwnerURL, "baari_test_app", Migrations()...); err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, later.Owner(t), insertYear, daily)
	for _, table := range []string{"daily_waits", "daily_sessions"} {
		rows := `SELECT count(*) || ' ' || md5(string_agg(r::text, ',' ORDER BY r::text)) FROM ` + table + ` r`
		if got, want := sql[string](t, old, rows), sql[string](t, later, rows); got != want {
			t.Errorf("%s is %s after the migration, want %s", table, got, want)
		}
	}
}

func TestRegisterOfADay(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	change := completedVisit(noon, someService, "rao", 10, 20)
	merged := change.After.(contract.Visit)
	merged.TokenAlso = "A-007"
	change.After = merged
	visits.Publish(t, change)
	o.caughtUp(t, visits)
	w := o.call(t, "admin", "/api/analytics/register?day=2026-11-20")
	got := decode[registerAnswer](t, w.Body.Bytes())
	if len(got.Entries) != 1 || got.Entries[0].Token != "T-001" || got.Entries[0].TokenAlso != "A-007" ||
		got.Entries[0].Name != "A***" ||
		*got.Entries[0].Consultant != "CA rao" || got.Entries[0].Started == nil || got.Entries[0].Called != nil {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
	w = o.call(t, "admin", "/api/analytics/register?day=2026-11-19")
	if got := decode[registerAnswer](t, w.Body.Bytes()); got.Day != "2026-11-19" || len(got.Entries) != 0 {
		t.Errorf("a day without visits answered %s", w.Body)
	}
	if w := o.call(t, "admin", "/api/analytics/register?day=x"); w.Code != http.StatusBadRequest {
		t.Errorf("a text that is no day answered %d", w.Code)
	}
}
