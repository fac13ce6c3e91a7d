package visits_test

import (
	"math"
	"net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/visits/visit"
)

// figures returns the values of all metrics, keyed by name and label values. A histogram has its count, and its sum
// under the key that ends with " sum".
func figures(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			name := family.GetName()
			for _, label := range metric.GetLabel() {
				name += " " + label.GetValue()
			}
			found[name] = metric.GetGauge().
				GetValue() +
				metric.GetCounter().
					GetValue() +
				float64(
					metric.GetHistogram().GetSampleCount(),
				)
			found[name+" sum"] = metric.GetHistogram().GetSampleSum()
		}
	}
	return found
}

func TestMetricsShowTheQueue(t *testing.T) {
	d := newDesk(t)
	registry := d.registry
	for _, status := range []visit.Status{visit.New, visit.Approved, visit.InSession, visit.Completed, visit.Denied} {
		if got, there := figures(t, registry)["baari_visits_total "+string(status)]; !there || got != 0 {
			t.Errorf("%s is not 0 at the start", status)
		}
	}

	waits, denied, seen := d.arrive("Waits"), d.arrive("Denied"), d.arrive("Seen")
	left := d.arrive("Left from yesterday")
	exec(t, d.owner, `UPDATE visits SET created_at = created_at - interval '10 minutes' WHERE id = $1`, waits.ID)
	exec(t, d.owner, `UPDATE visits SET created_at = created_at - interval '30 minutes' WHERE id = $1`, seen.ID)
	exec(
		t,
		d.owner,
		`UPDATE visits SET office_day = office_day - 1, created_at = created_at - interval '1 day' WHERE id = $1`,
		left.ID,
	)
	d.set("pa", denied.ID, "denied")
	d.set("pa", denied.ID, "denied") // a repetition by the same user is no second change
	d.set("pa", seen.ID, "approved", to("consultant"))
	if a := d.set("consultant", seen.ID, "in-session"); a.status != http.StatusOK {
		t.Fatalf("starting answered %d %s", a.status, a.text)
	}
	got := figures(t, registry)
	for name, want := range map[string]float64{
		"baari_visits_total new":        4,
		"baari_visits_total denied":     1,
		"baari_visits_total approved":   1,
		"baari_visits_total in-session": 1,
		"baari_visits_total completed":  0,
		"baari_visits_today new":        1,
		"baari_visits_today in-session": 1,
		"baari_visits_today denied":     1,
		"baari_visits_today approved":   0,
		"baari_queue_waiting":           1,
		"baari_queue_left_over":         1,
		"baari_consultants_busy":        1,
		"baari_consultants_active":      2,
		"baari_visit_wait_seconds":      1,
		"baari_visit_session_seconds":   0,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	for name, want := range map[string]float64{
		"baari_queue_oldest_wait_seconds": 600,
		"baari_visit_wait_seconds sum":    1800,
	} {
		if math.Abs(got[name]-want) > 60 {
			t.Errorf("%s is %v, want about %v", name, got[name], want)
		}
	}

	exec(t, d.owner, `UPDATE visits SET started_at = started_at - interval '20 minutes' WHERE id = $1`, seen.ID)
	d.set("consultant", seen.ID, "completed")
	got = figures(t, registry)
	if got["baari_visit_session_seconds"] != 1 || math.Abs(got["baari_visit_session_seconds sum"]-1200) > 60 ||
		got["baari_consultants_busy"] != 0 {
		t.Errorf("after the session: %v", got)
	}
}

// A metric that cannot be read is omitted, because an outdated value must not be exported.
func TestTheQueueHasNoMetricsWithoutTheDatabase(t *testing.T) {
	d := newDesk(t)
	registry := d.registry
	d.db.Pool.Close()
	for name := range figures(t, registry) {
		if name == "baari_queue_waiting" || name == "baari_visits_today new" {
			t.Errorf("%s is exported", name)
		}
	}
}

func TestOfflineVisitsAreCounted(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	registry := d.registry
	leased := d.lease(t, "A", 0)
	d.send(t, "reception", "A", leased.Days[0].Day, noteOf("A", 1))
	if got := figures(t, registry)["baari_visits_total new"]; got != 1 {
		t.Errorf("%v visits are counted", got)
	}
}
