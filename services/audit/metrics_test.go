package audit

import (
	"math"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/testkit"
)

// The owner's role records backups and drills; the service's role can only read them. Until the first backup or drill,
// its age is counted from the installation.
func TestAgesOfBackupAndDrillAreExported(t *testing.T) {
	o := newOffice(t)
	registry := prometheus.NewRegistry()
	o.Register(registry)
	ages := func() (backup, drill float64) {
		t.Helper()
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]float64{"baari_backup_age_seconds": -1, "baari_restore_drill_age_seconds": -1}
		for _, family := range families {
			found[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
		}
		return found["baari_backup_age_seconds"], found["baari_restore_drill_age_seconds"]
	}
	if backup, drill := ages(); backup < 0 || drill < 0 {
		t.Errorf("after the installation the ages are %v and %v", backup, drill)
	}
	owner := o.db.Owner(t)
	testkit.Exec(t, owner, `UPDATE operations SET done_at = now() - interval '2 days'`)
	if backup, drill := ages(); math.Abs(backup-172_800) > 120 || math.Abs(drill-172_800) > 120 {
		t.Errorf("two days later the ages are %v and %v", backup, drill)
	}
	testkit.Exec(t, owner, `UPDATE operations SET done_at = now() WHERE name = 'backup'`)
	if backup, drill := ages(); backup > 120 || backup < 0 || drill < 172_000 {
		t.Errorf("after a backup the ages are %v and %v", backup, drill)
	}
	if _, err := o.db.Pool.Exec(t.Context(), `UPDATE operations SET done_at = now()`); err == nil {
		t.Error("the service's role can record a backup")
	}
}
