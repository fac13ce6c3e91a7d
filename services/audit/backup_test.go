package audit

import (
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// The rows of the table "operations" have the time of the installation until an operation is recorded.
func TestTheLastBackupIsAnsweredOnceItIsRecorded(t *testing.T) {
	o := newOffice(t)
	answered := func() string {
		t.Helper()
		w := o.call(t, "admin", "/api/analytics/backup")
		if w.Code != 200 {
			t.Fatalf("answered %d %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	if got := answered(); got != `{"backup":{"at":null}}` {
		t.Errorf("after the installation the answer is %s", got)
	}
	owner := o.db.Owner(t)
	before := time.Now().Add(-time.Minute)
	testkit.Exec(t, owner, `UPDATE operations SET done_at = now() WHERE name = 'backup'`)
	recorded := sql[time.Time](t, o.db, `SELECT done_at FROM operations WHERE name = 'backup'`)
	want := `{"backup":{"at":"` + recorded.UTC().Format("2006-01-02T15:04:05.000Z") + `"}}`
	if got := answered(); got != want || recorded.Before(before) {
		t.Errorf("after a backup the answer is %s, want %s", got, want)
	}
	testkit.Exec(t, owner, `UPDATE operations SET done_at = now() WHERE name = 'restore_drill'`)
	if got := answered(); got != want {
		t.Errorf("after a drill the answer is %s, want %s", got, want)
	}
}
