//go:build nightly

package visits_test

import (
	"net/http"
	"testing"
	"time"
)

// aMillionVisits inserts a million visits of 300,000 visitors on 400 days. Each visit is in two entries of the access
// log, which have a hundred visits each.
const aMillionVisits = `
INSERT INTO visits (
  id, office_day, token_no, name, phone, service_id, service_name, status, consultant_id, consultant_name,
  created_at, updated_at, decided_at, started_at, completed_at,
  created_by, created_by_name, decided_by, decided_by_name, started_by, completed_by, notice_version
)
SELECT gen_random_uuid(), at::date, n / 400 + 1, 'Visitor ' || n % 300000, (9000000000 + n % 300000)::text,
  gen_random_uuid(), 'ITR Filing', 'completed', 'c' || n % 8, 'Consultant',
  at, at, at, at, at, 'r' || n % 6, 'Reception', 'p' || n % 4, 'PA', 'c' || n % 8, 'c' || n % 8, ''
FROM (SELECT n, now() - make_interval(days => n % 400) AS at FROM generate_series(0, 999999) n) x;
INSERT INTO access_log (at, user_id, role, call, visit_ids)
SELECT max(created_at), 'r' || min(row) % 6, 'reception', 'today', array_agg(id)
FROM (SELECT id, created_at, row_number() OVER (ORDER BY created_at) AS row FROM visits) v, generate_series(1, 2) twice
GROUP BY row / 100, twice;
ANALYZE`

func TestABreachReportOfAMillionVisits(t *testing.T) {
	d := newDesk(t)
	exec(t, d.owner, `SET session_replication_role = replica`)
	exec(t, d.owner, aMillionVisits)
	started := time.Now()
	w := d.askBreach(t, d.question(t, -400, 0, `,"exported":[{"start":"2020-01-01","end":"2099-12-31"}]`))
	took := time.Since(started)
	if w.Code != http.StatusOK || w.Body.Len() < 300_000*50 {
		t.Fatalf("answered %d, %d bytes", w.Code, w.Body.Len())
	}
	if took > time.Minute {
		t.Errorf("it took %s, want less than a minute", took)
	}
	t.Logf("%s for %d MiB", took, w.Body.Len()>>20)
}
