package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"baari.dev/services/visits/line"
)

// waits has statistics of the waits of some visitors, in minutes.
type waits struct {
	Visitors int     `json:"visitors"`
	Mean     float64 `json:"mean"`
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90"`
	P99      float64 `json:"p99"`
}

// spans has the waits until the session begins, measured from two moments. The wait of a visitor who leaves is counted
// too: otherwise, a rule would look better the more visitors leave. An appointment does not wait before its slot, and
// no-shows are not counted.
type spans struct {
	Wait          waits `json:"wait"`          // time after the registration or the slot
	AfterDecision waits `json:"afterDecision"` // time after the PA's decision or the slot
}

// result has the figures of a rule in an office.
type result struct {
	Office   string `json:"office"`
	Policy   string `json:"policy"`
	Days     int    `json:"days"`
	Seed     uint64 `json:"seed"`
	Visitors int    `json:"visitors"`
	Left     int    `json:"left"`
	NoShows  int    `json:"noShows"`
	spans
	OverThirty float64              `json:"overThirtyPercent"` // share of Wait over 30 minutes
	Overtaken  int                  `json:"overtaken"`         // largest number of calls that passed the same visitor
	Classes    map[line.Class]spans `json:"classes"`
}

type sample struct {
	class               line.Class
	wait, afterDecision time.Duration
}

// tally collects the visits of one or more days under a rule.
type tally struct {
	samples                            []sample
	visitors, left, noShows, overtaken int
}

func (t *tally) add(visits []*visit) {
	for _, v := range visits {
		t.visitors++
		t.overtaken = max(t.overtaken, v.bypassed)
		switch v.state {
		case noShow:
			t.noShows++
			continue
		case left:
			t.left++
		}
		t.samples = append(t.samples, sample{
			class:         cmp.Or(v.waits.Class, v.class), // a visitor who left before a decision was never in the line
			wait:          max(0, v.ended.Sub(later(v.registered, v.slot))),
			afterDecision: max(0, v.ended.Sub(later(v.decided, v.slot))),
		})
	}
}

func (t *tally) result() result {
	r := result{
		Visitors: t.visitors, Left: t.left, NoShows: t.noShows, Overtaken: t.overtaken, spans: summarize(t.samples),
		Classes: map[line.Class]spans{},
	}
	over := 0
	byClass := map[line.Class][]sample{}
	for _, s := range t.samples {
		if s.wait > 30*time.Minute {
			over++
		}
		byClass[s.class] = append(byClass[s.class], s)
	}
	r.OverThirty = tenths(100 * float64(over) / float64(max(1, len(t.samples))))
	for class, samples := range byClass {
		r.Classes[class] = summarize(samples)
	}
	return r
}

func summarize(samples []sample) spans {
	var all, decided []time.Duration
	for _, s := range samples {
		all, decided = append(all, s.wait), append(decided, s.afterDecision)
	}
	return spans{Wait: figures(all), AfterDecision: figures(decided)}
}

func figures(all []time.Duration) waits {
	if len(all) == 0 {
		return waits{}
	}
	slices.Sort(all)
	var sum time.Duration
	for _, wait := range all {
		sum += wait
	}
	// percentile returns the nearest-rank percentile.
	percentile := func(p int) float64 { return tenths(all[(len(all)*p+99)/100-1].Minutes()) }
	return waits{
		Visitors: len(all), Mean: tenths((sum / time.Duration(len(all))).Minutes()),
		P50: percentile(50), P90: percentile(90), P99: percentile(99),
	}
}

func tenths(x float64) float64 { return math.Round(x*10) / 10 }

func printJSON(out io.Writer, results any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(results)
}

// printTable prints a row for each result, in minutes. The columns of the classes have the waits after the decision.
func printTable(out io.Writer, results []result) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "office\tpolicy\tvisitors\tleft\tno-show\tmean\tP50\tP90\tP99\t>30 min\tafter decision\t"+
		"appointment\tpriority\tdeadline\tnormal\tnormal P99\tovertaken\t")
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t", r.Office, r.Policy, r.Visitors, r.Left, r.NoShows)
		fmt.Fprintf(table, "%.1f\t%.1f\t%.1f\t%.1f\t", r.Wait.Mean, r.Wait.P50, r.Wait.P90, r.Wait.P99)
		fmt.Fprintf(table, "%.1f %%\t%.1f\t", r.OverThirty, r.AfterDecision.Mean)
		for _, class := range []line.Class{line.Appointment, line.Priority, line.Deadline, line.Normal} {
			fmt.Fprintf(table, "%.1f\t", r.Classes[class].AfterDecision.Mean)
		}
		fmt.Fprintf(table, "%.1f\t%d\t\n", r.Classes[line.Normal].AfterDecision.P99, r.Overtaken)
	}
	return table.Flush()
}
