package foresight_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"baari.dev/services/visits/foresight"
	"baari.dev/services/visits/line"
)

var ten = time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)

func minutes(m float64) time.Duration { return time.Duration(m * float64(time.Minute)) }

// officeOf returns an office of n consultants who serve all services. Each service has an estimate of 30 minutes.
func officeOf(n, services int) foresight.Setup {
	o := foresight.Setup{Policy: line.DefaultPolicy()}
	for i := range services {
		o.Services = append(o.Services, foresight.Service{ID: fmt.Sprint("s", i), EstMinutes: 30})
	}
	for i := range n {
		o.Consultants = append(o.Consultants, foresight.Consultant{ID: fmt.Sprint("c", i)})
	}
	return o
}

// place returns a visitor of class normal who joined the line the given number of minutes ago.
func place(o foresight.Setup, n int, service string, ago float64) foresight.Place {
	joined := ten.Add(-minutes(ago))
	return foresight.Place{
		Registered: joined, Joined: joined,
		Waiting: line.Waiting{
			ID: fmt.Sprint("v", n), Token: n, ServiceID: service, Class: line.Normal,
			RankAt: joined, DueAt: o.Policy.Due(joined, line.Normal),
		},
	}
}

// busy returns a state in which every desk is in a session and n visitors wait.
func busy(o foresight.Setup, n int) foresight.State {
	s := foresight.State{At: ten}
	for i, c := range o.Consultants {
		since := ten.Add(-minutes(float64(3 * i)))
		s.Desks = append(s.Desks, foresight.Desk{
			ConsultantID: c.ID, State: foresight.Open, Since: since,
			Visit: &foresight.DeskVisit{ServiceID: o.Services[i%len(o.Services)].ID, InSession: true, Since: since},
		})
	}
	for i := range n {
		s.Line = append(s.Line, place(o, i+1, o.Services[i%len(o.Services)].ID, float64(n-i)))
	}
	return s
}

func model(o foresight.Setup, sittings []foresight.Sitting) *foresight.Model {
	return foresight.Learn(o, foresight.History{Sittings: sittings}, ten)
}

// history returns a number of sittings per consultant, with lognormal session lengths of a given median in minutes.
func history(o foresight.Setup, each int, median, sigma float64) (all []foresight.Sitting) {
	random := rand.New(rand.NewPCG(1, 2))
	for c, one := range o.Consultants {
		at := ten.AddDate(0, 0, -30)
		for i := range each {
			joined := at
			called := joined.Add(minutes(2))
			started := called.Add(minutes(1))
			ended := started.Add(minutes(median * math.Exp(sigma*random.NormFloat64())))
			all = append(all, foresight.Sitting{
				VisitID: fmt.Sprintf("h%d-%d", c, i), ServiceID: o.Services[i%len(o.Services)].ID, ConsultantID: one.ID,
				Class: line.Normal, Registered: joined.Add(-minutes(3)), Joined: joined, Called: called, Started: started,
				Ended: ended, EndedAs: foresight.Completed,
			})
			if at = ended; i%10 == 9 {
				at = at.Truncate(24 * time.Hour).Add(34 * time.Hour) // ten o'clock of the next day
			}
		}
	}
	slices.SortFunc(all, func(a, b foresight.Sitting) int { return a.Ended.Compare(b.Ended) })
	return all
}

func TestEqualStatesHaveEqualForecasts(t *testing.T) {
	o := officeOf(4, 3)
	sittings := history(o, 60, 20, 0.5)
	s := busy(o, 12)
	first := model(o, sittings).Forecast(s, foresight.Replicates)
	second := model(o, sittings).Forecast(s, foresight.Replicates)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%v, again %v", first, second)
	}
	s.Line[3].Bypassed++
	if reflect.DeepEqual(first, model(o, sittings).Forecast(s, foresight.Replicates)) {
		t.Error("another state has the same random numbers")
	}
}

func TestWhoStandsBehindIsNotCalledEarlier(t *testing.T) {
	for _, consultants := range []int{1, 3, 9} {
		o := officeOf(consultants, 1)
		got := model(o, history(o, 50, 20, 0.5)).Forecast(busy(o, 20), foresight.Replicates)
		for i := 1; i < len(got); i++ {
			a, b := got[i-1], got[i]
			if b.Q10 < a.Q10 || b.Q50 < a.Q50 || b.Q90 < a.Q90 {
				t.Errorf("%d consultants: place %d %v, place %d %v", consultants, i, a, i+1, b)
			}
			if b.Q10 > b.Q50 || b.Q50 > b.Q90 || b.Q10 < 0 {
				t.Errorf("place %d has the quantiles %v", i+1, b)
			}
		}
	}
}

func TestMoreConsultantsShortenTheWait(t *testing.T) {
	last := math.Inf(1)
	for consultants := 1; consultants <= 6; consultants++ {
		o := officeOf(consultants, 2)
		got := model(o, history(o, 40, 20, 0.5)).Forecast(busy(o, 15), foresight.Replicates)
		if wait := got[14].Q50; wait >= last {
			t.Errorf("%d consultants: %.1f minutes, with one less %.1f", consultants, wait, last)
		} else {
			last = wait
		}
	}
}

func TestAVisitorWhomNoDeskCouldCallHasNoRange(t *testing.T) {
	o := officeOf(2, 2)
	o.Consultants[0].Serves, o.Consultants[1].Serves = []string{"s0"}, []string{"s1"}
	visitor := func(s *foresight.State) *foresight.Place { return &s.Line[0] }
	for name, c := range map[string]struct {
		change func(*foresight.State)
		want   foresight.Note
	}{
		"served":         {func(*foresight.State) {}, ""},
		"on a break":     {func(s *foresight.State) { s.Desks[1].State, s.Desks[1].Visit = foresight.Break, nil }, ""},
		"off":            {func(s *foresight.State) { s.Desks[1].State = foresight.Off }, foresight.NobodyAtDesk},
		"without a desk": {func(s *foresight.State) { s.Desks = s.Desks[:1] }, foresight.NobodyAtDesk},
		"pinned to another": {func(s *foresight.State) {
			s.Desks, visitor(s).PinnedTo = s.Desks[:1], "c0"
		}, ""},
		"pinned to a consultant who is off": {func(s *foresight.State) {
			s.Desks, visitor(s).PinnedTo = s.Desks[1:], "c0"
		}, foresight.NobodyAtDesk},
		"the desk closes too early": {func(s *foresight.State) {
			s.Desks[1].Until = ten.Add(time.Minute)
		}, foresight.MayNotBeToday},
		"a last desk without the pin": {func(s *foresight.State) {
			s.Desks[1].State = foresight.Last
		}, foresight.MayNotBeToday},
		"pinned to a last desk": {func(s *foresight.State) {
			s.Desks[1].State, visitor(s).PinnedTo = foresight.Last, "c1"
		}, ""},
		"registered, not decided": {func(s *foresight.State) {
			visitor(s).New, visitor(s).Joined = true, time.Time{}
		}, ""},
	} {
		s := busy(o, 0)
		s.Line = []foresight.Place{place(o, 1, "s1", 5)}
		c.change(&s)
		got := model(o, nil).Forecast(s, foresight.Replicates)[0]
		if got.Note != c.want {
			t.Errorf("%s: %q, want %q", name, got.Note, c.want)
		}
	}
}

func TestAFreeDeskCallsAtOnce(t *testing.T) {
	o := officeOf(2, 1)
	s := foresight.State{At: ten, Line: []foresight.Place{place(o, 1, "s0", 0)}}
	s.Desks = []foresight.Desk{{ConsultantID: "c0", State: foresight.Open, Since: ten.Add(-minutes(40))}}
	if got := model(o, nil).Forecast(s, foresight.Replicates)[0]; got.Q90 > 2 {
		t.Errorf("the 90 %% quantile is %.1f minutes", got.Q90)
	}
}

func TestPriorityVisitorsToComeDelayANormalOne(t *testing.T) {
	o := officeOf(1, 1)
	calm := history(o, 200, 20, 0.3)
	rush := slices.Clone(calm)
	for i := range rush {
		rush[i].Class = line.Priority
		rush[i].Registered = ten.AddDate(0, 0, -1-i%20).Add(minutes(float64(i % 30)))
	}
	s := busy(o, 3)
	before := model(o, calm).Forecast(s, foresight.Replicates)[2].Q50
	after := model(o, rush).Forecast(s, foresight.Replicates)[2].Q50
	if after < before+5 {
		t.Errorf("%.1f minutes without and %.1f with priority visitors to come", before, after)
	}
}

// An appointment delays those who are due later, but not if it is booked with another consultant.
func TestAppointmentsToComeDelayANormalVisitor(t *testing.T) {
	o := officeOf(2, 1)
	m := model(o, history(o, 200, 20, 0.3))
	with := func(consultant string, n int) float64 {
		s := busy(o, 4)
		for i := range s.Line {
			s.Line[i].PinnedTo = "c0"
		}
		for range n {
			s.Expected = append(s.Expected, foresight.Expected{
				ServiceID: "s0", At: ten.Add(minutes(5)), ConsultantID: consultant,
			})
		}
		return m.Forecast(s, foresight.Replicates)[3].Q50
	}
	none, own, another := with("", 0), with("c0", 2), with("c1", 2)
	if own < none+10 || another > none+5 {
		t.Errorf("%.1f minutes without, %.1f with appointments of the same and %.1f of another desk", none, own, another)
	}
}

// Confirmed appointments replace the arrivals of their class that are learned from earlier days.
func TestConfirmedAppointmentsAreNotCountedTwice(t *testing.T) {
	o := officeOf(1, 1)
	rush := history(o, 200, 20, 0.3)
	for i := range rush {
		rush[i].Class = line.Appointment
		rush[i].Registered = ten.AddDate(0, 0, -1-i%20).Add(minutes(float64(i % 30)))
	}
	m, s := model(o, rush), busy(o, 3)
	learned := m.Forecast(s, foresight.Replicates)[2].Q50
	s.Expected = []foresight.Expected{{ServiceID: "s0", At: ten.Add(-minutes(60))}}
	if known := m.Forecast(s, foresight.Replicates)[2].Q50; known > learned-5 {
		t.Errorf("%.1f minutes with learned and %.1f with known appointments", learned, known)
	}
}

// BenchmarkForecast reports the 95th percentile of the duration of a forecast of a line, without and with appointments
// of the next hours. The budget is 20 ms.
func BenchmarkForecast(b *testing.B) {
	b.Run("line", func(b *testing.B) { benchmarkForecast(b, 0) })
	b.Run("appointments", func(b *testing.B) { benchmarkForecast(b, 20) })
}

func benchmarkForecast(b *testing.B, appointments int) {
	o := officeOf(9, 11)
	for i := range o.Consultants {
		for k := range 4 {
			o.Consultants[i].Serves = append(o.Consultants[i].Serves, o.Services[(i+k)%11].ID)
		}
	}
	m := model(o, history(o, 400, 20, 0.5))
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		s := busy(o, 60)
		s.At = s.At.Add(time.Duration(n) * time.Second)
		for i := range appointments {
			s.Expected = append(s.Expected, foresight.Expected{ServiceID: "s0", At: s.At.Add(minutes(float64(i)))})
		}
		began := time.Now()
		m.Forecast(s, foresight.Replicates)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
