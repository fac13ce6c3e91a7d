package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// measurement runs a benchmark on a temporary data folder.
type measurement func(ctx context.Context, options stack.Options, out io.Writer) (*bench.Report, error)

func benchCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Measure a whole system",
		Long: `Each benchmark prints a table and its goals, and writes its figures as JSON and its row into the table of last
results, ` + bench.ResultsFile + `, which also says how each measures. Nothing else should run meanwhile.`,
	}
	flags := root.PersistentFlags()
	flags.Bool("record", true, "write the row into the table of last results, "+bench.ResultsFile)
	flags.String("json", "", "file for the figures (default .baari/bench/NAME.json in the repository)")
	root.AddCommand(benchStartCommand(), benchQueueCommand())
	return root
}

// benchmark returns a command that measures, prints the report, and writes it as JSON and to the table of last results.
// The command returns Advice if a goal is missed.
func benchmark(cmd *cobra.Command, measure measurement) *cobra.Command {
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		options := stack.Options{}
		if err := cli.Complete(cmd, &options); err != nil {
			return err
		}
		var err error
		if options.Data, err = os.MkdirTemp("", "baari-bench-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(options.Data) }()
		out := cmd.OutOrStdout()
		report, err := measure(cmd.Context(), options, out)
		if err != nil {
			return err
		}
		report.Print(out)
		return keepReport(cmd, report, options.Root)
	}
	return cmd
}

func keepReport(cmd *cobra.Command, report *bench.Report, root string) error {
	name := cmd.Name()
	if profile := cmd.Flags().Lookup("profile"); profile != nil {
		name += " --profile " + profile.Value.String()
	}
	file, _ := cmd.Flags().GetString("json")
	if file == "" {
		base := strings.ReplaceAll(name, " --profile ", "-")
		file = filepath.Join(root, ".baari", "bench", base+".json")
	}
	if err := stack.WriteJSON(file, report); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "figures in", file)
	if record, _ := cmd.Flags().GetBool("record"); record {
		if err := report.Record(cmd.Context(), root, "bench "+name); err != nil {
			return err
		}
	}
	if !report.Met() {
		return stack.Advice("A goal is missed.")
	}
	return nil
}

func benchStartCommand() *cobra.Command {
	var rounds int
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Measure start times, memory and the size of the program",
		Long: `Starts all targets in one process, then each service in its own, on an empty data folder and again on the same
folder, and kills the programs to measure when the next process is ready. It fails if the second start of eight
processes takes more than 5 s, if all targets in one process take more than 2 s to be ready or use more than 200 MB, a
service more than 1 s or 41 MB, or if the program has more than 38 MB or its packages take more than 10 ms to
initialize.`,
	}
	cmd.Flags().IntVar(&rounds, "rounds", 3, "number of starts, and of kills of each service")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Start(ctx, options, rounds)
	})
}

func benchQueueCommand() *cobra.Command {
	var plan bench.QueuePlan
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Load a system with a day of the queue in k6, and check what is stored afterwards",
		Long: `Starts a system, opens dashboards with live streams, and runs the scenarios of tools/measure/load in k6.
Afterwards the stored data and the delivered events are checked against the invariants of the chaos tests. It fails
if an objective is missed or an invariant is violated.

ramp grows to its rate and stays there, spike jumps to its rate, soak runs for long, breakpoint grows until half
of the visitors wait and reports the highest rate at which the objective was met.`,
		Example: `  go run ./tools/baari bench queue
  go run ./tools/baari bench queue --profile spike --rate 40
  go run ./tools/baari bench queue --profile soak --lasting 1h`,
	}
	flags := cmd.Flags()
	flags.StringVar(&plan.Profile, "profile", bench.QueueProfiles[0], strings.Join(bench.QueueProfiles, ", "))
	flags.DurationVar(&plan.Lasting, "lasting", 0, "duration of arrivals (default two minutes, soak ten)")
	flags.Float64Var(&plan.Rate, "rate", 0,
		"highest rate, in visitors a second (default ramp 10, spike 20, soak 5, breakpoint 100)")
	flags.IntVar(&plan.Screens, "dashboards", 40,
		"number of dashboards with an open stream; a quarter of them reads slowly or reconnects all the time")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, out io.Writer) (*bench.Report, error) {
		if !slices.Contains(bench.QueueProfiles, plan.Profile) {
			return nil, stack.Advice(fmt.Sprintf("There is no profile %q: choose from %s.",
				plan.Profile, strings.Join(bench.QueueProfiles, ", ")))
		}
		var err error
		if plan.K6, err = suite.FindK6(ctx, options.Root, out); err != nil {
			return nil, err
		}
		plan.Reports, plan.Out = filepath.Join(options.Root, ".baari", "bench", "queue-"+plan.Profile), out
		return bench.Queue(ctx, options, plan)
	})
}
