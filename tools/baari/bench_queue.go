package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/tools/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func benchQueueCommand() *cobra.Command {
	var options stack.Options
	var plan bench.QueuePlan
	var file string
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Put a day of the queue on a system with k6, and check what is stored afterwards",
		Long: `Starts a system, opens dashboards with live streams, and has k6 play the queue's day of tools/load:
reception registers, PAs decide, consultants work, screens fetch their lists, administrators read and
export. People come at a rate, whether or not others were answered; times count from when a call was
due. Afterwards what was stored, told and shown is held against the promises of the fault tests. It
fails when an objective is missed or a promise is broken.

ramp grows to its rate and stays there, spike comes in a rush, soak goes on, breakpoint grows until
half of the visitors wait and tells up to which rate the objective was kept. Prints a table, writes the figures as JSON and a page
with charts. k6 is taken from PATH, or built once from its pinned module.`,
		Example: `  go run ./tools/baari bench queue
  go run ./tools/baari bench queue --profile spike --rate 40
  go run ./tools/baari bench queue --profile soak --lasting 1h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains(bench.QueueProfiles, plan.Profile) {
				return stack.Advice(fmt.Sprintf("There is no profile %q: choose of %s.", plan.Profile, strings.Join(bench.QueueProfiles, ", ")))
			}
			return benchQueue(cmd, options, plan, file)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&plan.Profile, "profile", bench.QueueProfiles[0], strings.Join(bench.QueueProfiles, ", "))
	flags.DurationVar(&plan.Lasting, "lasting", 0, "how long people come (default two minutes, soak ten)")
	flags.Float64Var(&plan.Rate, "rate", 0, "visitors a second at most (default ramp 10, spike 20, soak 5, breakpoint 100)")
	flags.IntVar(&plan.Screens, "dashboards", 40, "how many dashboards keep a stream open; a quarter of them reads slowly or comes anew all the time")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/queue-<profile>.json in the repository)")
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
