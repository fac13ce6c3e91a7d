package main

import (
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func benchPaintCommand() *cobra.Command {
	var plan bench.PaintPlan
	cmd := benchmark(&cobra.Command{
		Use:   "paint",
		Short: "Measure the time from a commit to its paint in a real browser",
		Long: `Starts a system, opens a thousand live streams, and the PA's dashboard in Chromium. Visitors are registered one
by one, and the time from the end of the commit to the frame that shows the card is measured. Prints its p50
and p99, and those of each span in between. There is no goal, since most of the time is the browser's.
Nothing else should run meanwhile.`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		var err error
		if plan.Chromium, err = suite.FindChromium(cmd.Context(), options.Root, cmd.OutOrStdout()); err != nil {
			return nil, err
		}
		if plan.Node, err = stack.FindNode(cmd.Context(), options.Progress); err != nil {
			return nil, err
		}
		return bench.Paint(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.IntVar(&plan.Changes, "changes", 200, "number of measured changes")
	flags.IntVar(&plan.Streams, "streams", 1000, "number of other open streams")
	return cmd
}

func benchProfileCommand() *cobra.Command {
	var plan bench.ProfilePlan
	cmd := benchmark(&cobra.Command{
		Use:   "profile",
		Short: "Take profiles of the hot paths under load",
		Long: `Starts a system with 100,000 past visits, loads one hot path after the other (today's list, the counts, a page
of the trail, an export, a request through the gateway, decisions, registrations), and takes CPU and
allocation profiles of the program that serves it. The findings are in services/docs/performance.md.`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		plan.Reports = filepath.Join(options.Root, ".baari", "bench", "profile")
		return bench.Profile(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 10*time.Second, "duration of the load on each path")
	return cmd
}
