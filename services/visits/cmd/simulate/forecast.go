package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"
)

// If the seed is even, the length of sessions is multiplied by the factor slower, beginning with judged day slowerFrom.
const (
	slowerFrom = 35
	slower     = 1.25
	afterDays  = 15
	fixedWait  = 22.0 // the wait in minutes that the specification shows to every visitor
	lateBy     = 5.0  // a call more than this many minutes after the forecast's upper end is late
	leastCount = 100  // a service with fewer visitors is never the worst service
	dueRule    = 2    // index of the product's rule in rules
)

// accuracy compares, for visitors who waited, the forecast shown on joining the line with the actual wait.
type accuracy struct {
	Office       string  `json:"office"` // pooled: all
	Visitors     int     `json:"visitors"`
	MAE          float64 `json:"mae"`
	Fixed        float64 `json:"fixedMae"`
	ByPlace      float64 `json:"byPlaceMae"`
	BelowFixed   float64 `json:"belowFixedPercent"`
	BelowByPlace float64 `json:"belowByPlacePercent"`
	Covered      float64 `json:"coveredPercent"`
	WorstService float64 `json:"worstServicePercent"` // only services with at least 100 visitors; 0 if there are none
	AfterChange  float64 `json:"afterChangePercent"`  // coverage for 15 days after sessions became longer; 0 if never
	Late         float64 `json:"latePercent"`         // called more than 5 minutes after the upper end
	Width        float64 `json:"widthMinutes"`
	Bias         float64 `json:"biasMinutes"`
	Simulated    float64 `json:"simulatedPercent"` // share of waits between the simulated quantiles
}

// forecastOffices returns the accuracy for each chosen office. The last result is for all of them together.
func forecastOffices(o options) (results []accuracy) {
	var pooled sums
	for i, s := range sizes {
		if !s.chosen(o) {
			continue
		}
		var own sums
		for n := range uint64(o.seeds) {
			one := o
			one.seed += n
			judged := watchOffice(s, one, rand.New(rand.NewPCG(one.seed, uint64(i))))
			own.add(judged, one)
			pooled.add(judged, one)
		}
		results = append(results, own.accuracy(s.name))
	}
	return append(results, pooled.accuracy("pooled"))
}

// watchOffice simulates an office with forecasts and returns the judged forecasts of the visitors who waited.
func watchOffice(s size, o options, random *rand.Rand) []judgement {
	drawn := newOffice(s, random)
	w := newWatcher(drawn)
	for n := range o.learn + o.days {
		pace := 1.0
		if o.changes() && n >= o.learn+slowerFrom {
			pace = slower
		}
		d := newDay(drawn, n, o.noShow, random)
		w.begin(n, openingOf(n))
		simulateWatched(drawn, d, rules()[dueRule], pace, w)
	}
	return slices.DeleteFunc(w.judged, func(j judgement) bool { return j.day < o.learn || j.actual <= 0 })
}

// changes reports whether sessions become longer during the run.
func (o options) changes() bool { return o.seed%2 == 0 && o.days > slowerFrom }

// sums has the sums over some visitors from which the figures of an accuracy are computed.
type sums struct {
	n, covered, late, inside         int
	err, fixed, byPlace, width, bias float64
	changed, changedCovered          int
	worst                            float64
}

func (t *sums) add(all []judgement, o options) {
	own := map[string][2]int{}
	for _, j := range all {
		t.n++
		covered := 0
		at := j.made.Add(time.Duration(math.Round(j.actual * float64(time.Minute))))
		if !at.Before(j.shown.From) && !at.After(j.shown.To) {
			covered = 1
		}
		t.covered += covered
		if at.Sub(j.shown.To).Minutes() > lateBy {
			t.late++
		}
		if j.actual >= j.estimate.Q10 && j.actual <= j.estimate.Q90 {
			t.inside++
		}
		t.err += math.Abs(j.actual - j.estimate.Q50)
		t.bias += j.estimate.Q50 - j.actual
		t.fixed += math.Abs(j.actual - fixedWait)
		t.byPlace += math.Abs(j.actual - j.byPlace)
		t.width += j.shown.To.Sub(j.shown.From).Minutes()
		if after := j.day - o.learn - slowerFrom; o.changes() && after >= 0 && after < afterDays {
			t.changed++
			t.changedCovered += covered
		}
		counts := own[j.estimate.ServiceID]
		own[j.estimate.ServiceID] = [2]int{counts[0] + 1, counts[1] + covered}
	}
	for _, counts := range own {
		if counts[0] >= leastCount {
			share := percent(counts[1], counts[0])
			t.worst = min(cmp.Or(t.worst, share), share)
		}
	}
}

func (t *sums) accuracy(office string) accuracy {
	n := float64(max(1, t.n))
	return accuracy{
		Office: office, Visitors: t.n, MAE: t.err / n, Fixed: t.fixed / n, ByPlace: t.byPlace / n,
		BelowFixed: below(t.err, t.fixed), BelowByPlace: below(t.err, t.byPlace),
		Covered: percent(t.covered, t.n), WorstService: t.worst, AfterChange: percent(t.changedCovered, t.changed),
		Late: percent(t.late, t.n), Width: t.width / n, Bias: t.bias / n, Simulated: percent(t.inside, t.n),
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(1, all)) }

func below(one, other float64) float64 {
	if other == 0 {
		return 0
	}
	return 100 * (1 - one/other)
}

// printAccuracy prints a row for each office, in minutes and per cent.
func printAccuracy(out io.Writer, results []accuracy) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "office\twaited\terror\tof 22\tof place\tbelow 22\tbelow place\tright\tworst service\t"+
		"after change\tlate\twidth\tsimulated\t")
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%d\t%.1f\t%.1f\t%.1f\t", r.Office, r.Visitors, r.MAE, r.Fixed, r.ByPlace)
		fmt.Fprintf(table, "%.1f %%\t%.1f %%\t%.1f %%\t", r.BelowFixed, r.BelowByPlace, r.Covered)
		fmt.Fprintf(table, "%.1f %%\t%.1f %%\t%.1f %%\t", r.WorstService, r.AfterChange, r.Late)
		fmt.Fprintf(table, "%.1f\t%.1f %%\t\n", r.Width, r.Simulated)
	}
	return table.Flush()
}
