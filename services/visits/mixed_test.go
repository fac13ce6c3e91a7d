package visits_test

import (
	"io/fs"
	"net/http"
	"testing"
	"testing/fstest"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

// The statements of the last release without stages. Its replicas send them while both releases run.
const (
	oldInsert = `
WITH counter AS (
  INSERT INTO day_counter (day, last) VALUES ((now() AT TIME ZONE 'Asia/Kolkata')::date, 1)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + 1 RETURNING day, last
)
INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, reception_notes,
  created_at, updated_at, created_by, created_by_name, notice_version)
SELECT gen_random_uuid(), day, last, 'Asha', '9876543210', $1, 'ITR Filing', 'new', '', now(), now(), 'r',
  'Reception', ''
FROM counter RETURNING id::text`
	oldApprove = `
UPDATE visits SET status = 'approved', consultant_id = $2, consultant_name = 'The consultant', decided_at = now(),
  decided_by = 'p', decided_by_name = 'The PA', updated_at = now(), version = version + 1 WHERE id = $1`
	oldDeny = `
UPDATE visits SET status = 'denied', decided_at = now(), decided_by = 'p', updated_at = now(), version = version + 1
WHERE id = $1`
	oldStart = `
UPDATE visits SET status = 'in-session', started_at = now(), started_by = consultant_id, updated_at = now(),
  version = version + 1 WHERE id = $1`
	oldComplete = `
UPDATE visits SET status = 'completed', completed_at = now(), completed_by = consultant_id, updated_at = now(),
  version = version + 1 WHERE id = $1`
)

// oldVisit registers a visitor and makes changes, with the statements of the old release.
func (d *desk) oldVisit(changes ...string) (id string) {
	d.t.Helper()
	if err := d.owner.QueryRow(d.t.Context(), oldInsert, d.offered).Scan(&id); err != nil {
		d.t.Fatal(err)
	}
	d.oldChange(id, changes...)
	return id
}

func (d *desk) oldChange(id string, changes ...string) {
	d.t.Helper()
	for _, change := range changes {
		args := []any{id}
		if change == oldApprove {
			args = append(args, testkit.ID("consultant"))
		}
		exec(d.t, d.owner, change, args...)
	}
}

// While replicas of the old release write, each visit has a stage that matches its status, and replicas of this release
// can continue the visit.
func TestVisitsOfTheReleaseBeforeHaveAStage(t *testing.T) {
	d := newDesk(t)
	for stage, changes := range map[string][]string{
		"new":        nil,
		"denied":     {oldDeny},
		"waiting":    {oldApprove},
		"in-session": {oldApprove, oldStart},
	} {
		id := d.oldVisit(changes...)
		var got string
		if err := d.owner.QueryRow(t.Context(), `SELECT stage FROM visits WHERE id = $1`, id).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != stage {
			t.Errorf("after %d changes the stage is %s, want %s", len(changes), got, stage)
		}
		if stage == "in-session" {
			done := d.must("complete", d.set("consultant", id, "completed"), "completed")
			if *done.Visit.SessionDuration != 1 || done.Visit.Queue.Sittings != 1 {
				t.Errorf("completed: %s", done.text)
			}
		}
	}
	called := d.lined("Called here, started there")
	d.must("next", d.next("consultant2"), "called")
	d.oldChange(called.ID, oldStart, oldComplete)
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND stage = 'completed' AND sat_since IS NULL`,
		called.ID); n != 1 {
		t.Error("a visit that the release before completed has another stage")
	}
}

// After the migration, today's list has the visits of the old release as before, with a stage in addition.
func TestMigratedVisitsGiveTheSameAnswers(t *testing.T) {
	db := testkit.NewDatabase(t, upTo(t, "0004_")...)
	d := newDeskOn(t, db)
	ids := map[string]string{
		"new": d.oldVisit(), "denied": d.oldVisit(oldDeny), "completed": d.oldVisit(oldApprove, oldStart, oldComplete),
		"waiting": d.oldVisit(oldApprove), "in-session": d.oldVisit(oldApprove, oldStart),
	}
	if err := postgres.Migrate(t.Context(), db.OwnerURL, "baari_test_app", visits.Migrations()...); err != nil {
		t.Fatal(err)
	}
	today := d.as("admin", http.MethodGet, "/api/visits/today", "")
	if len(today.Visits) != len(ids) {
		t.Fatalf("today is %s", today.text)
	}
	for _, v := range today.Visits {
		if ids[v.Queue.Stage] != v.ID {
			t.Errorf("%s has the stage %s", v.ID, v.Queue.Stage)
		}
		if v.Queue.Stage == "waiting" && !v.Queue.Pinned {
			t.Error("a visit that was approved for a consultant waits for any")
		}
		if v.Queue.Stage == "completed" && *v.SessionDuration != 1 {
			t.Errorf("the session took %d minutes", *v.SessionDuration)
		}
	}
}

// upTo returns all migrations, but of the service visits only those up to the file with the given prefix.
func upTo(t *testing.T, prefix string) []postgres.Set {
	t.Helper()
	sets := visits.Migrations()
	own := &sets[len(sets)-1]
	files, err := fs.Glob(own.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	kept := fstest.MapFS{}
	for _, name := range files {
		data, err := fs.ReadFile(own.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		if name[:len(prefix)] <= prefix {
			kept[name] = &fstest.MapFile{Data: data}
		}
	}
	own.Files = kept
	return sets
}
