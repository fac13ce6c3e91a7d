package foresight

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// distance returns the Kolmogorov-Smirnov statistic: the largest difference between the empirical distribution of a
// sample and the distribution function cdf.
func distance(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	most, n := 0.0, float64(len(sample))
	for i, x := range sample {
		most = max(most, math.Abs(cdf(x)-float64(i)/n), math.Abs(cdf(x)-float64(i+1)/n))
	}
	return most
}

func cdfOf(mu, sigma float64) func(float64) float64 {
	return func(x float64) float64 { return 0.5 * math.Erfc(-(math.Log(x)-mu)/sigma/math.Sqrt2) }
}

// critical returns the value that the statistic of a sample of n exceeds with a probability of 0.001 (Massey, JASA 46,
// 1951), plus half a step of the table of quantiles.
func critical(n int) float64 { return 1.95/math.Sqrt(float64(n)) + 0.5/quantiles }

func sampleOf(n int, draw func() float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = draw()
	}
	return all
}

func TestDrawsHaveTheLawTheyAreDrawnFrom(t *testing.T) {
	r := random(5)
	l := lognormal(3, 0.5, &normalShape, shortest, longest, tailMinutes)
	sample := sampleOf(5000, func() float64 { return l.draw(&r) })
	if d := distance(sample, cdfOf(3, 0.5)); d > critical(5000) {
		t.Errorf("the distance is %.4f, the limit %.4f", d, critical(5000))
	}
	exponential := sampleOf(5000, func() float64 { return r.exponential(4) })
	if d := distance(exponential, func(x float64) float64 { return 1 - math.Exp(-x/4) }); d > critical(5000) {
		t.Errorf("exponential: the distance is %.4f", d)
	}
}

func TestWhatIsLeftHasTheLawOfWhatIsLonger(t *testing.T) {
	r := random(6)
	l := lognormal(3, 0.5, &normalShape, shortest, longest, tailMinutes)
	whole := cdfOf(3, 0.5)
	for _, elapsed := range []float64{0, 10, 20, 30} {
		left := sampleOf(5000, func() float64 { return l.rest(elapsed, &r) })
		above := 1 - whole(elapsed)
		d := distance(left, func(x float64) float64 { return (whole(elapsed+x) - whole(elapsed)) / above })
		if limit := critical(5000) + 1/(quantiles*above); d > limit {
			t.Errorf("after %v minutes the distance is %.4f, the limit %.4f", elapsed, d, limit)
		}
	}
	if left := l.rest(1000, &r); left <= 0 {
		t.Errorf("%v minutes are left beyond the table", left)
	}
}

// learned returns the law learned from n sessions, one every 24 minutes, in an office that estimates 10 minutes.
func learned(n int, draw func() float64) *law {
	at := time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)
	var all []Sitting
	for i := range n {
		started := at.Add(-time.Duration(i) * 24 * time.Minute)
		all = append(all, Sitting{
			ServiceID: "s", ConsultantID: "c", Called: started, Started: started, Ended: started.Add(duration(draw())),
			EndedAs: Completed,
		})
	}
	o := Setup{Services: []Service{{ID: "s", EstMinutes: 10}}, Consultants: []Consultant{{ID: "c"}}}
	return Learn(o, History{Sittings: all}, at).session[0][0]
}

func TestLearnedSessionsHaveTheLawOfTheObservedOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for name, draw := range map[string]func() float64{
		"lognormal": func() float64 { return 20 * math.Exp(0.4*random.NormFloat64()) },
		"two kinds": func() float64 {
			if random.Float64() < 0.5 {
				return 8 + 2*random.Float64()
			}
			return 40 + 10*random.Float64()
		},
	} {
		l := learned(3000, draw)
		seen := sampleOf(20000, draw)
		slices.Sort(seen)
		cdf := func(x float64) float64 {
			at, _ := slices.BinarySearch(seen, x)
			return float64(at) / float64(len(seen))
		}
		if d := distance(slices.Clone(l.values[:]), cdf); d > 0.08 {
			t.Errorf("%s: the distance is %.4f", name, d)
		}
	}
}

func TestWithoutSittingsSessionsTakeWhatTheOfficeEntered(t *testing.T) {
	if mean := learned(0, nil).mean(); math.Abs(mean-10) > 0.3 {
		t.Errorf("the mean is %.1f minutes, entered 10", mean)
	}
	few := learned(4, func() float64 { return 40 }).mean()
	many := learned(400, func() float64 { return 40 }).mean()
	if few < 12 || few > 32 || math.Abs(many-40) > 4 {
		t.Errorf("of sessions of 40 minutes: after 4 %.1f, after 400 %.1f", few, many)
	}
}

func TestArrivalsArePoissonAtTheLearnedRate(t *testing.T) {
	var a arrivals
	for i := range a.perSlot {
		a.perSlot[i] = 3 + 3*float64(i%2) // expected arrivals in even and odd half hours: 3 and 6
	}
	for d := range a.weekday {
		a.weekday[d] = 1
	}
	r, at := random(9), time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)
	counts, days := [2]float64{}, 4000
	for range days {
		for next := a.next(at, 0, 60, &r); next >= 0; next = a.next(at, next, 60, &r) {
			counts[int(next/30)]++
		}
	}
	for half, expected := range []float64{3, 6} {
		mean := counts[half] / float64(days)
		if math.Abs(mean-expected) > 4*math.Sqrt(expected/float64(days)) {
			t.Errorf("half hour %d: %.3f arrivals, expected %v", half, mean, expected)
		}
	}
}

func TestAPaceThatChangedIsFollowedWithinDays(t *testing.T) {
	n := 0
	slow := func() float64 { // called for the newest sitting first, 60 sittings a day
		if n++; n <= 600 {
			return 25
		}
		return 20
	}
	if mean := learned(3000, slow).mean(); mean < 23 || mean > 26 {
		t.Errorf("the mean is %.1f minutes, of 25 in the last ten days and 20 before", mean)
	}
}

func TestAConsultantsSpeedIsLearned(t *testing.T) {
	at := time.Date(2026, time.March, 2, 10, 0, 0, 0, time.UTC)
	o := Setup{Services: []Service{{ID: "s", EstMinutes: 20}}, Consultants: []Consultant{{ID: "a"}, {ID: "b"}}}
	var all []Sitting
	for i := range 400 {
		started := at.Add(-time.Duration(i) * time.Hour)
		all = append(all, Sitting{
			ServiceID: "s", ConsultantID: o.Consultants[i%2].ID, Called: started, Started: started,
			Ended: started.Add(duration(16 + 8*float64(i%2))), EndedAs: Completed,
		})
	}
	m := Learn(o, History{Sittings: all}, at)
	if a, b := m.session[0][0].mean(), m.session[0][1].mean(); b < 1.3*a {
		t.Errorf("%.1f and %.1f minutes, of 16 and 24", a, b)
	}
}
