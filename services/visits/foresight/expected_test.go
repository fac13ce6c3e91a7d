package foresight

import (
	"math"
	"testing"
	"time"

	"baari.dev/services/visits/line"
)

// guestOf returns the only guest of a state whose appointment is the given minutes from now, nil if there is none.
// A visitor waits who is due later than any appointment.
func guestOf(t *testing.T, slot float64, booked Attendance) *guest {
	t.Helper()
	o := Setup{
		Policy: line.DefaultPolicy(), Services: []Service{{"s", 30}}, Consultants: []Consultant{{ID: "c"}, {ID: "off"}},
	}
	m := Learn(o, History{Booked: booked}, noon)
	f := m.newForecast(State{
		At: noon, Desks: []Desk{{ConsultantID: "c", State: Open, Since: noon}},
		Line:     []Place{{Waiting: line.Waiting{ID: "v", ServiceID: "s", DueAt: noon.Add(24 * time.Hour)}}},
		Expected: []Expected{{ServiceID: "s", At: noon.Add(duration(slot)), ConsultantID: "off"}},
	})
	switch len(f.guests) {
	case 0:
		return nil
	case 1:
		return &f.guests[0]
	}
	t.Fatalf("one appointment has %d guests", len(f.guests))
	return nil
}

// drawn returns the share of draws in which a guest comes, and the times.
func drawn(g *guest) (share float64, times []float64) {
	const n = 20000
	r := random(1)
	for range n {
		if at, ok := g.comes(&r); ok {
			times = append(times, at)
		}
	}
	return float64(len(times)) / n, times
}

func TestVisitorsOfAppointmentsComeAroundTheirSlots(t *testing.T) {
	g := guestOf(t, 60, Attendance{})
	share, times := drawn(g)
	if math.Abs(share-0.8) > 0.02 {
		t.Errorf("without history %.3f come, want 0.8", share)
	}
	if d := distance(times, func(x float64) float64 { return normal((x - 57) / 8) }); d > critical(len(times)) {
		t.Errorf("the times differ from the normal distribution by %.3f", d)
	}
	if g.ConsultantID != "" {
		t.Error("the visitor waits for a consultant who has no desk")
	}
}

func TestTheShareOfAppointmentsThatComeIsLearned(t *testing.T) {
	for _, c := range []struct {
		booked Attendance
		want   float64
	}{{Attendance{Arrived: 10, NoShow: 30}, 18.0 / 50}, {Attendance{Arrived: 990}, 998.0 / 1000}} {
		if share, _ := drawn(guestOf(t, 60, c.booked)); math.Abs(share-c.want) > 0.02 {
			t.Errorf("after %+v %.3f come, want %.3f", c.booked, share, c.want)
		}
	}
}

// The longer a visitor has not come, the less probable it is that the visitor comes. No visitor comes in the past.
func TestAVisitorWhoHasNotComeIsExpectedLessAndLess(t *testing.T) {
	last := 0.81
	for _, slot := range []float64{30, 5, 0, -5, -10, -20} {
		share, times := drawn(guestOf(t, slot, Attendance{}))
		if share >= last {
			t.Errorf("%.0f minutes from the slot %.3f come, earlier %.3f", slot, share, last)
		}
		last = share
		for _, at := range times {
			if at < 0 || math.IsNaN(at) || math.IsInf(at, 0) {
				t.Fatalf("%.0f minutes from the slot a visitor comes at %f", slot, at)
			}
		}
	}
	if g := guestOf(t, -240, Attendance{}); g != nil {
		t.Errorf("four hours after the slot the visitor comes with probability %g", g.chance)
	}
}

func TestTheNormalQuantileIsTheInverse(t *testing.T) {
	for _, p := range []float64{0.001, 0.1, 0.5, 0.9, 0.999} {
		if got := normal(normalQuantile(p)); math.Abs(got-p) > 1e-9 {
			t.Errorf("normal(normalQuantile(%g)) is %g", p, got)
		}
	}
	for _, p := range []float64{0, 1} {
		if math.IsInf(normalQuantile(p), 0) {
			t.Errorf("the quantile of %g is infinite", p)
		}
	}
}
