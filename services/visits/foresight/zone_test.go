package foresight

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

// Two histories with the same local times in different zones give the same rates and first calls, even if midnight in
// UTC is within the office's day.
func TestALearnedDayIsTheOffices(t *testing.T) {
	learned := func(zone string) *Model {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		o := Setup{
			Policy: line.DefaultPolicy(), Services: []Service{{"s", 30}}, Consultants: []Consultant{{ID: "c"}}, Zone: place,
		}
		var h History
		for day := range 28 {
			for n := range 8 {
				at := time.Date(2026, time.June, 1+day, 9+n, 20, 0, 0, place)
				h.Sittings = append(h.Sittings, Sitting{
					VisitID: fmt.Sprint(day, "-", n), ServiceID: "s", ConsultantID: "c", Class: line.Normal, Registered: at,
					Joined: at, Called: at.Add(10 * time.Minute), Started: at.Add(11 * time.Minute),
					Ended: at.Add(40 * time.Minute), EndedAs: Completed,
				})
			}
		}
		return Learn(o, h, time.Date(2026, time.June, 29, 12, 0, 0, 0, place))
	}
	here := learned("Asia/Kolkata")
	if rate := here.arrivals.perSlot; rate[18] < 0.9 || rate[32] < 0.9 || rate[17] != 0 {
		t.Errorf("the rates of the half hours are %v", rate)
	}
	for _, zone := range []string{"Australia/Sydney", "America/New_York", "Pacific/Chatham", "UTC"} {
		there := learned(zone)
		if here.arrivals.perSlot != there.arrivals.perSlot || here.arrivals.weekday != there.arrivals.weekday {
			t.Errorf("in %s visitors arrive by %v and %v, in Kolkata by %v and %v", zone, there.arrivals.perSlot,
				there.arrivals.weekday, here.arrivals.perSlot, here.arrivals.weekday)
		}
		if !reflect.DeepEqual(here.starts, there.starts) || here.breaks.share != there.breaks.share {
			t.Errorf("in %s desks open by %v, in Kolkata by %v", zone, there.starts, here.starts)
		}
	}
}
