package visits_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// The end of a hold, of a desk's opening and of a break must be later than now and on the same day of the office.
func TestATimeOfAHoldOrOfADeskIsLaterToday(t *testing.T) {
	d, _ := newDesk(t).midday()
	v := d.lined("Late")
	in := func(later time.Duration) string { return time.Now().Add(later).UTC().Format(time.RFC3339) }
	set := func(body string) answer {
		return d.as("consultant", http.MethodPut, "/api/visits/desks/"+testkit.ID("consultant"), body)
	}
	for what, at := range map[string]string{
		"a minute ago": in(-time.Minute), "tomorrow": in(13 * time.Hour), "no time": "at four",
	} {
		for field, got := range map[string]answer{
			"until":  d.act("pa", v.ID, "hold", fmt.Sprintf(`{"reason":"late","until":%q}`, at)),
			"backAt": set(fmt.Sprintf(`{"state":"break","backAt":%q}`, at)),
		} {
			if got.status != http.StatusBadRequest || got.Fields[field] == "" {
				t.Errorf("%s of %s answered %d %s", field, what, got.status, got.text)
			}
		}
		if got := set(fmt.Sprintf(`{"state":"open","until":%q}`, at)); got.Fields["until"] == "" {
			t.Errorf("a desk open until %s answered %d %s", what, got.status, got.text)
		}
	}
	d.must("hold", d.act("pa", v.ID, "hold", fmt.Sprintf(`{"reason":"late","until":%q}`, in(11*time.Hour))), "held")
	d.setDesk("consultant", fmt.Sprintf(`{"state":"break","backAt":%q}`, in(11*time.Hour)))
}

// If a visitor is put on hold for 20 minutes shortly before midnight, the hold ends with the day.
func TestALateVisitorIsNotExpectedTomorrow(t *testing.T) {
	d := newDesk(t)
	d = d.replica(d.zoneWhereMidnightIsIn(10 * time.Minute))
	v := d.lined("Late")
	d.taps(v.ID, "late", `,"minutes":20`, "held")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND held_until > now() + interval '5 minutes'
		AND held_until < now() + interval '11 minutes'`, v.ID); n != 1 {
		t.Error("the visitor is expected at another time than the last second of the day")
	}
}
