package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func benchQueueCommand() *cobra.Command {
	var options stack.Options
	var plan bench.QueuePlan
	var file string
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Load a system with a day of the queue in k6, and check what is stored afterwards",
		Long: `Starts a system, opens dashboards with live streams, and runs the scenarios of tools/measure/load in k6: reception
registers, PAs decide, consultants work, screens fetch their lists, administrators read and export. The load is
open: visitors arrive at a rate whether or not earlier requests were answered, and times count from when a
request was due. Afterwards the stored data and the delivered events are checked against the invariants of the
chaos tests. It fails if an objective is missed or an invariant is violated.

ramp grows to its rate and stays there, spike jumps to its rate, soak runs for long, breakpoint grows until half
of the visitors wait and reports the highest rate at which the objective was met. Prints a table, writes the
figures as JSON and a page with charts. k6 is taken from PATH, or built once from its pinned module.`,
		Example: `  go run ./tools/baari bench queue
  go run ./tools/baari bench queue --profile spike --rate 40
  go run ./tools/baari bench queue --profile soak --lasting 1h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(bench.QueueProfiles, plan.Profile) {
				return stack.Advice(fmt.Sprintf("There is no profile %q: choose from %s.",
					plan.Profile, strings.Join(bench.QueueProfiles, ", ")))
			}
			return benchQueue(cmd, options, plan, file)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&plan.Profile, "profile", bench.QueueProfiles[0], strings.Join(bench.QueueProfiles, ", "))
	flags.DurationVar(&plan.Lasting, "lasting", 0, "duration of arrivals (default two minutes, soak ten)")
	flags.Float64Var(&plan.Rate, "rate", 0,
		"highest rate, in visitors a second (default ramp 10, spike 20, soak 5, breakpoint 100)")
	flags.IntVar(&plan.Screens, "dashboards", 40,
		"number of dashboards with an open stream; a quarter of them reads slowly or reconnects all the time")
	flags.StringVar(&file, "json", "",
		"file for the figures (default .baari/bench/queue-<profile>.json in the repository)")
	return cmd
}

func benchQueue(cmd *cobra.Command, options stack.Options, plan bench.QueuePlan, file string) error {
	if err := complete(cmd, &options); err != nil {
		return err
	}
	var err error
	if plan.K6, err = suite.FindK6(cmd.Context(), options.Root, cmd.OutOrStdout()); err != nil {
		return err
	}
	name := "queue-" + plan.Profile
	plan.Reports = filepath.Join(options.Root, ".baari", "bench", name)
	plan.Out = cmd.OutOrStdout()
	if file == "" {
		file = plan.Reports + ".json"
	}
	measure := func(options stack.Options) (result, error) { return bench.Queue(cmd.Context(), options, plan) }
	return benchIn(cmd, options, "queue --profile "+plan.Profile, file, measure)
}
