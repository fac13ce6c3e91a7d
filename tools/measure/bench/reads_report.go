package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// judge holds each call's growth and the exports against the goals.
func (r *ReadsReport) judge() {
	r.Ratios = map[string]float64{}
	pages := 0.0
	for i := 0; i < len(r.Looked); i += 2 {
		name, ratio := r.Looked[i].Call, r.Looked[i+1].Median/r.Looked[i].Median
		r.Ratios[name] = ratio
		pages = max(pages, r.Looked[i+1].Pages/max(1, r.Looked[i].Pages))
		if name != control {
			r.Goals = append(r.Goals, Goal{fmt.Sprintf("%s, with %d times the visits", name, r.Large/r.Small), fmt.Sprintf("<= %.1f", readsGrowth), ratio, ratio <= readsGrowth})
		}
	}
	r.Goals = append(r.Goals, Goal{"pages that any of them touches, times", fmt.Sprintf("<= %.1f", readsGrowth), pages, pages <= readsGrowth})
	for _, e := range r.Exports {
		rate, growth := e.Service/e.Copy, e.Peak-e.Before
		r.Goals = append(r.Goals,
			Goal{fmt.Sprintf("export at %d visits, times COPY", e.Visits), fmt.Sprintf(">= %.1f", exportTimes), rate, rate >= exportTimes},
			Goal{fmt.Sprintf("MB that audit grows by while it exports %d rows", e.Rows), fmt.Sprintf("<= %d", exportGrowth), growth, growth <= exportGrowth})
	}
}

// Print writes the comparison as tables.
func (r ReadsReport) Print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(table, "ms\tp50 at %d\tp95\tpages\tp50 at %d\tp95\tpages\tratio\t\n", r.Small, r.Large)
	for i := 0; i < len(r.Looked); i += 2 {
		few, many := r.Looked[i], r.Looked[i+1]
		_, _ = fmt.Fprintf(table, "%s\t%.2f\t%.2f\t%.0f\t%.2f\t%.2f\t%.0f\t%.2f\t\n", few.Call, few.Median, few.P95, few.Pages, many.Median, many.P95, many.Pages, r.Ratios[few.Call])
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "%q reads no visit: its ratio says how exact the others are\n\n", control)
	table = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprint(table, "visits\texported\trows/s\tCOPY rows/s\tratio\tmemory before, MB\tat most\t\n")
	for _, e := range r.Exports {
		_, _ = fmt.Fprintf(table, "%d\t%d\t%.0f\t%.0f\t%.2f\t%.1f\t%.1f\t\n", e.Visits, e.Rows, e.Service, e.Copy, e.Service/e.Copy, e.Before, e.Peak)
	}
	_ = table.Flush()
	_, _ = fmt.Fprintf(out, "%d visits take %.1f GB and were made in %.0f s; %d processors, %d calls of each kind, one at a time, at both in turns\n\n",
		r.Large, float64(r.Bytes)/1e9, r.Filled, r.Processors, r.Calls)
	printGoals(out, r.Goals)
}
