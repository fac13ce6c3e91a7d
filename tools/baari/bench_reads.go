package main

import (
	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
)

func benchReadsCommand() *cobra.Command {
	var plan bench.ReadsPlan
	cmd := benchmark(&cobra.Command{
		Use:   "reads",
		Short: "Measure reads of screens and administrators with one and ten million past visits",
		Long: `Starts two systems with the same visits today, one with a million past visits and one with ten, and requests
from both in turns today, pending, a consultant's visits, the lookup, the consultants, the counts, and the audit
trail's first and thousandth page with totals; then a year's export, compared with COPY of the same rows. It fails
if a request takes more than 1.3 times as long with ten times the visits, if the export is slower than half of
COPY, or if audit's memory grows by more than 20 MB meanwhile. The visits take about 22 GB of disk (TMPDIR) and,
on two busy processors, three quarters of an hour to create.`,
		Example: `  go run ./tools/baari bench reads
  go run ./tools/baari bench reads --small 100000 --large 1000000 --record=false`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		if plan.Small < 1 || plan.Large <= plan.Small {
			return nil, stack.Advice("There have to be visits, and more of them the second time.")
		}
		return bench.Reads(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.IntVar(&plan.Small, "small", 1_000_000, "number of past visits in the first system")
	flags.IntVar(&plan.Large, "large", 10_000_000, "number of past visits in the second system")
	flags.IntVar(&plan.Calls, "calls", 300, "number of requests of each kind")
	return cmd
}
