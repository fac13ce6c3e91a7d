package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func benchCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Run benchmarks, most of them against an alternative",
	}
	root.PersistentFlags().Bool("record", true, "write the row into the table of last results, "+bench.ResultsFile)
	root.AddCommand(
		benchAuthCommand(), benchObserveCommand(), benchStreamCommand(), benchWriteCommand(), benchGatewayCommand(),
		benchStartCommand(), benchQueueCommand(), benchReadsCommand(), benchPaintCommand(), benchProfileCommand(),
	)
	return root
}

func benchAuthCommand() *cobra.Command {
	var plan bench.Plan
	cmd := benchmark(&cobra.Command{
		Use:   "auth",
		Short: "Measure sign-ins and get-session against better-auth's own server",
		Long: `Starts auth without the other services, and better-auth's own server in Node on the same PostgreSQL, from its
pinned npm package. The same clients call one, then the other, in rounds; the medians are compared. Prints a
table and writes the figures as JSON. It fails if get-session is not ten times as fast, or if a sign-in costs
more than 1.1 times its password hash. Nothing else should run meanwhile.`,
		Example: `  go run ./tools/baari bench auth
  go run ./tools/baari bench auth --each 10s --rounds 5 --json figures.json`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		return bench.Auth(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "duration of one measurement")
	flags.IntVar(&plan.Rounds, "rounds", 3, "number of rounds")
	return cmd
}

func benchObserveCommand() *cobra.Command {
	var plan bench.ObservePlan
	cmd := benchmark(&cobra.Command{
		Use:   "observe",
		Short: "Measure the cost of traces and metrics per request",
		Long: `Starts two systems: one without traces and metrics, one that samples a tenth of its traces, keeps all failed
ones, exports them to a collector and is scraped every 30 seconds. k6 runs the queue's day in both at the same
time, with open dashboards; then each gets requests for the cheapest list and for new visits at the same rate.
Then the next pair is started, because the memory layout of a process changes its speed by some percent. The
result is the CPU time of gateway and services per request, with the events it causes. It fails if that is more
than 1.05 times that of the system without traces and metrics. Nothing else should run meanwhile. k6 is taken
from PATH, or built once from its pinned module.`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		var err error
		if plan.Day.K6, err = suite.FindK6(cmd.Context(), options.Root, cmd.OutOrStdout()); err != nil {
			return nil, err
		}
		plan.Day.Out = io.Discard
		return bench.Observe(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 20*time.Second, "duration of one measurement")
	flags.IntVar(&plan.Rounds, "rounds", 1, "number of rounds with each pair of systems, after a warm-up")
	plan.Day = bench.QueuePlan{Profile: "soak", Screens: 20}
	flags.DurationVar(&plan.Day.Lasting, "day", time.Minute, "duration of arrivals")
	flags.Float64Var(&plan.Day.Rate, "rate", 5, "visitors a second in each system")
	flags.IntVar(&plan.Pairs, "pairs", 4, "number of pairs of systems")
	return cmd
}

// result is the outcome of a benchmark.
type result interface {
	Print(out io.Writer)
	Met() bool
	Summary() string
}

// benchmark makes cmd run a benchmark, and adds the flag for the file of its figures. measure gets options with a
// temporary data folder.
func benchmark(cmd *cobra.Command, measure func(*cobra.Command, stack.Options) (result, error)) *cobra.Command {
	var file string
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var options stack.Options
		if err := complete(cmd, &options); err != nil {
			return err
		}
		return benchIn(cmd, options, cmd.Name(), file, func(options stack.Options) (result, error) {
			return measure(cmd, options)
		})
	}
	cmd.Flags().StringVar(&file, "json", "",
		fmt.Sprintf("file for the figures (default .baari/bench/%s.json in the repository)", cmd.Name()))
	return cmd
}

// benchIn measures on a temporary data folder, prints the result, and writes it as JSON and to the table of last
// results. It returns Advice if a goal is missed.
func benchIn(
	cmd *cobra.Command, options stack.Options, name, file string, measure func(stack.Options) (result, error),
) error {
	if file == "" {
		file = filepath.Join(options.Root, ".baari", "bench", name+".json")
	}
	scratch, err := os.MkdirTemp("", "baari-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	options.Data = scratch
	report, err := measure(options)
	if err != nil {
		return err
	}
	report.Print(cmd.OutOrStdout())
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "figures in", file)
	if record, err := cmd.Flags().GetBool("record"); err == nil && record {
		if err := bench.Record(cmd.Context(), options.Root, "bench "+name, report.Summary()); err != nil {
			return err
		}
	}
	if !report.Met() {
		return stack.Advice("A goal is missed.")
	}
	return nil
}
