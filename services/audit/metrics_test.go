package audit

import (
	"math"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// Somebody with the owner's role notes what is done; the service only tells how long ago. Both begin with the installation.
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
		t.Errorf("a new installation tells %v and %v", backup, drill)
	}
	owner := o.db.Owner(t)
	if _, err := owner.Exec(t.Context(), `UPDATE operations SET done_at = now() - interval '2 days'`); err != nil {
		t.Fatal(err)
	}
	if backup, drill := ages(); math.Abs(backup-172_800) > 120 || math.Abs(drill-172_800) > 120 {
		t.Errorf("an installation of two days tells %v and %v", backup, drill)
	}
	if _, err := owner.Exec(t.Context(), `UPDATE operations SET done_at = now() WHERE name = 'backup'`); err != nil {
		t.Fatal(err)
	}
	if backup, drill := ages(); backup > 120 || backup < 0 || drill < 172_000 {
		t.Errorf("after a backup it tells %v and %v", backup, drill)
	}
	if _, err := o.db.Pool.Exec(t.Context(), `UPDATE operations SET done_at = now()`); err == nil {
		t.Error("the service may say that it was backed up")
	}
}
