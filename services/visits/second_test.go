package visits_test

import (
	"time"

	"github.com/google/uuid"

	"baari.dev/services/platform/testkit"
	"baari.dev/services/visits"
)

func (d *desk) stage(id string) (stage string) {
	d.t.Helper()
	if err := d.owner.QueryRow(d.t.Context(), `SELECT stage FROM visits WHERE id = $1`, id).Scan(&stage); err != nil {
		d.t.Fatal(err)
	}
	return stage
}

// midday returns the service in an office in whose time zone it is noon, so that hours before and after now are on the
// same day.
func (d *desk) midday() (noon *desk, zone string) {
	d.t.Helper()
	zone = d.zoneWhereMidnightIsIn(12 * time.Hour)
	noon = d.replica(zone)
	noon.with(func(deps *visits.Deps) { deps.Directory = d.deps.Directory })
	return noon, zone
}

// offering adds an offered service, and returns a copy of the desk that registers visitors for it.
func (d *desk) offering(name string) *desk {
	d.t.Helper()
	other := *d
	other.offered = uuid.NewString()
	exec(d.t, d.owner, `INSERT INTO services (id, name, is_active) VALUES ($1, $2, true)`, other.offered, name)
	return &other
}

func (d *desk) serve(consultant string, services ...string) {
	d.t.Helper()
	exec(d.t, d.owner, `UPDATE consultants SET serves = $2::text[]::uuid[]
		WHERE id = $1`, testkit.ID(consultant), services)
}
