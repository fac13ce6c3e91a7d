package main

import (
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func benchPaintCommand() *cobra.Command {
	var options stack.Options
	var plan bench.PaintPlan
	var file string
	cmd := &cobra.Command{
		Use:   "paint",
		Short: "Measure from the commit of a change to its paint in a real browser",
		Long: `Starts a system, opens a thousand live streams, and the PA's dashboard in Chromium. One visitor after the
other comes; what counts is the time from the end of the commit to the frame that shows the card. Prints
p50 and p99 of it and of each part of the way, as the trace has it. There is no goal: the browser's own
work is most of it. Nothing else should run meanwhile.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			var err error
			if plan.Chromium, err = suite.FindChromium(cmd.Context(), options.Root, cmd.OutOrStdout()); err != nil {
				return err
			}
			if plan.Node, err = stack.FindNode(cmd.Context(), options.Progress); err != nil {
				return err
			}
			return benchIn(cmd, options, "paint", file, func(options stack.Options) (result, error) { return bench.Paint(cmd.Context(), options, plan) })
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&plan.Changes, "changes", 200, "how many changes are measured")
	flags.IntVar(&plan.Streams, "streams", 1000, "how many other streams are open")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/paint.json in the repository)")
	return cmd
}

func benchProfileCommand() *cobra.Command {
	var options stack.Options
	var plan bench.ProfilePlan
	var file string
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Take profiles of the hot paths under load",
		Long: `Starts a system with a past of 100,000 visits, drives one hot path after the other (today's list, the counts,
a page of the trail, an export, a call through the gateway, decisions, registrations), and takes profiles
of processor time and allocations of the program that does the work. services/docs/performance.md tells
what was found.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			plan.Reports = filepath.Join(options.Root, ".baari", "bench", "profile")
			return benchIn(cmd, options, "profile", file, func(options stack.Options) (result, error) { return bench.Profile(cmd.Context(), options, plan) })
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 10*time.Second, "how long each path is driven")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/profile.json in the repository)")
	return cmd
}
