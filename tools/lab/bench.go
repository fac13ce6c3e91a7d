package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
		Short: "Run benchmarks, most of them against an alternative",
		Long: `Each benchmark prints a table and its goals, and writes its figures as JSON and its row into the table of last
results, ` + bench.ResultsFile + `, which also says how each measures. Nothing else should run meanwhile.`,
	}
	flags := root.PersistentFlags()
	flags.Bool("record", true, "write the row into the table of last results, "+bench.ResultsFile)
	flags.String("json", "", "file for the figures (default .baari/bench/NAME.json in the repository)")
	root.AddCommand(benchAuthCommand(), benchObserveCommand(), benchStreamCommand(), benchWriteCommand(),
		benchGatewayCommand(), benchStartCommand(), benchQueueCommand(), benchReadsCommand(), benchPaintCommand(),
		benchProfileCommand(), benchDispatchCommand(), benchListsCommand(), benchPagesCommand())
	return root
}

// benchmark returns a command that measures, prints the report, and writes it as JSON and to the table of last results.
// It returns Advice if a goal is missed.
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
	for _, variant := range []string{"whole", "profile"} {
		if flag := cmd.Flags().Lookup(variant); flag != nil && flag.Value.String() == "true" {
			name += " --" + variant
		} else if flag != nil && flag.Value.Type() == "string" {
			name += " --" + variant + " " + flag.Value.String()
		}
	}
	file, _ := cmd.Flags().GetString("json")
	if file == "" {
		base := strings.NewReplacer(" --profile ", "-", " --", "-").Replace(name)
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

// planFlags adds the flags of a comparison in rounds.
func planFlags(cmd *cobra.Command, plan *bench.Plan, each time.Duration, rounds int) {
	cmd.Flags().DurationVar(&plan.Each, "each", each, "duration of one measurement")
	cmd.Flags().IntVar(&plan.Rounds, "rounds", rounds, "number of rounds, after a warm-up")
}

func benchAuthCommand() *cobra.Command {
	var plan bench.Plan
	cmd := &cobra.Command{
		Use:   "auth",
		Short: "Measure sign-ins and get-session against better-auth's own server",
		Long: `Starts auth without the other services, and better-auth's own server in Node on the same PostgreSQL. The same
clients call one, then the other, in rounds. It fails if get-session is not ten times as fast, or if a sign-in
costs more than 1.1 times its password hash.`,
		Example: `  go run ./tools/baari bench auth
  go run ./tools/baari bench auth --each 10s --rounds 5 --json figures.json`,
	}
	planFlags(cmd, &plan, 4*time.Second, 3)
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Auth(ctx, options, plan)
	})
}

func benchObserveCommand() *cobra.Command {
	plan := bench.ObservePlan{Day: bench.QueuePlan{Profile: "soak", Screens: 20, Out: io.Discard}}
	cmd := &cobra.Command{
		Use:   "observe",
		Short: "Measure the cost of traces and metrics per request",
		Long: `Starts pairs of systems, one without traces and metrics, and sends both the same load at the same time: the
queue's day in k6, the cheapest list, new visits. It fails if traces and metrics cost more than 1.05 times the
CPU time of gateway and services.`,
	}
	planFlags(cmd, &plan.Plan, 20*time.Second, 1)
	flags := cmd.Flags()
	flags.DurationVar(&plan.Day.Lasting, "day", time.Minute, "duration of arrivals")
	flags.Float64Var(&plan.Day.Rate, "rate", 5, "visitors a second in each system")
	flags.IntVar(&plan.Pairs, "pairs", 4, "number of pairs of systems")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, out io.Writer) (*bench.Report, error) {
		var err error
		if plan.Day.K6, err = suite.FindK6(ctx, options.Root, out); err != nil {
			return nil, err
		}
		return bench.Observe(ctx, options, plan)
	})
}

func benchStreamCommand() *cobra.Command {
	var each time.Duration
	var idle int
	cmd := &cobra.Command{
		Use:   "sse",
		Short: "Measure the live stream against a naive hub",
		Long: `Starts realtime without the other services and a naive hub (a goroutine and a channel per connection) on one
Redis. It fails if a delivery costs more than 0.8 times the naive hub's at 50 events a second or 0.5 times at 300, if an
idle stream takes more than 16 kB, or if realtime loses an event.`,
		Example: `  go run ./tools/baari bench sse
  go run ./tools/baari bench sse --each 2s --idle 1000 --record=false`,
	}
	cmd.Flags().DurationVar(&each, "each", 10*time.Second, "duration of the events in one measurement")
	cmd.Flags().IntVar(&idle, "idle", 10_000, "number of idle streams")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Stream(ctx, options, each, idle)
	})
}

func benchWriteCommand() *cobra.Command {
	var plan bench.Plan
	var whole bool
	cmd := &cobra.Command{
		Use:   "write",
		Short: "Measure registrations and decisions against the same SQL without the service",
		Long: `Starts visits without the other services, and lets 1, 8, 32 and 128 clients register visitors, then decide
visits, in turns with as many clients that send one statement per request for the same rows. It fails if creates
do not reach 0.7 times the rate of the statement at 32 clients and 3 times at 128, if their p99 at 128 clients is
above the statement's, or if status changes do not reach 0.6 times.`,
		Example: `  go run ./tools/baari bench write
  go run ./tools/baari bench write --whole
  go run ./tools/baari bench write --each 1s --rounds 1 --record=false`,
	}
	planFlags(cmd, &plan, 4*time.Second, 3)
	cmd.Flags().BoolVar(&whole, "whole", false, "run all services, which follow every event")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Write(ctx, options, plan, whole)
	})
}

func benchGatewayCommand() *cobra.Command {
	var plan bench.Plan
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Measure what a gateway adds to a request",
		Long: `Starts a system with the embedded gateway, then one with Traefik, and sends the same request to the service and
through the gateway, in turns. There is no goal; the figures help to choose a gateway.`,
	}
	planFlags(cmd, &plan, 4*time.Second, 3)
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Gateway(ctx, options, plan)
	})
}

func benchStartCommand() *cobra.Command {
	var rounds int
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Measure start times, memory and the size of the program",
		Long: `Starts a system on an empty data folder and again on the same folder, and kills each service to measure when its
next process is ready. It fails if the second start takes more than 5 s, if a service takes more than 500 ms to be ready
or uses more than 40 MB, or if the program has more than 38 MB.`,
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

func benchPagesCommand() *cobra.Command {
	plan := bench.PagesPlan{Day: bench.QueuePlan{Profile: "soak", Screens: 20}}
	cmd := &cobra.Command{
		Use:   "pages",
		Short: "Measure the visitors' open pages beside a day of the queue, and an intruder who tries links",
		Long: `Starts a system in which visitors have their page open, alone and beside the queue's day in k6; then one with
its limits, in which an intruder tries links while reception registers visitors. It fails if the pages send more than 60
requests a second, if one of twenty takes longer than 50 ms, if they cost visits 5 % of a core, or if desk and pages are
slow while links are tried.`,
		Example: `  go run ./tools/baari bench pages
  go run ./tools/baari bench pages --pages 1000 --probes 20000`,
	}
	flags := cmd.Flags()
	flags.IntVar(&plan.Pages, "pages", 500, "open pages")
	flags.DurationVar(&plan.Each, "each", time.Minute, "duration of one measurement")
	flags.IntVar(&plan.Probes, "probes", 10_000, "links that an intruder tries a second")
	flags.Float64Var(&plan.Day.Rate, "rate", 2, "visitors a second of the queue's day")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, out io.Writer) (*bench.Report, error) {
		var err error
		if plan.Day.K6, err = suite.FindK6(ctx, options.Root, out); err != nil {
			return nil, err
		}
		plan.Day.Reports, plan.Day.Out = filepath.Join(options.Root, ".baari", "bench", "pages"), io.Discard
		plan.Day.Lasting = plan.Each
		return bench.Pages(ctx, options, plan)
	})
}

func benchReadsCommand() *cobra.Command {
	var plan bench.ReadsPlan
	cmd := &cobra.Command{
		Use:   "reads",
		Short: "Measure reads of screens and administrators with one and ten million past visits",
		Long: `Starts two systems with the same visits today, one with a million past visits and one with ten, and sends both
in turns what screens and administrators request; then a year's export, compared with COPY of the same rows. It
fails if a request takes more than 1.3 times as long with ten times the visits, if the export is slower than half of
COPY, or if audit's memory grows by more than 20 MB meanwhile. The visits take about 22 GB of disk (TMPDIR) and,
on two busy processors, three quarters of an hour to create.`,
		Example: `  go run ./tools/baari bench reads
  go run ./tools/baari bench reads --small 100000 --large 1000000 --record=false`,
	}
	flags := cmd.Flags()
	flags.IntVar(&plan.Small, "small", 1_000_000, "number of past visits in the first system")
	flags.IntVar(&plan.Large, "large", 10_000_000, "number of past visits in the second system")
	flags.IntVar(&plan.Calls, "calls", 300, "number of requests of each kind")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		if plan.Small < 1 || plan.Large <= plan.Small {
			return nil, stack.Advice("--small must be at least 1, and --large must be larger.")
		}
		return bench.Reads(ctx, options, plan)
	})
}

func benchPaintCommand() *cobra.Command {
	var plan bench.PaintPlan
	cmd := &cobra.Command{
		Use:   "paint",
		Short: "Measure the time from a commit to its paint in a real browser",
		Long: `Starts a system, opens a thousand live streams, and the PA's dashboard in Chromium. Visitors are registered one
by one, and the time from the end of the commit to the frame that shows the card is measured, with each span in
between. There is no goal, since most of the time is the browser's.`,
	}
	cmd.Flags().IntVar(&plan.Changes, "changes", 200, "number of measured changes")
	cmd.Flags().IntVar(&plan.Streams, "streams", 1000, "number of other open streams")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, out io.Writer) (*bench.Report, error) {
		var err error
		if plan.Chromium, plan.Node, err = browserAndNode(ctx, options.Root, out); err != nil {
			return nil, err
		}
		return bench.Paint(ctx, options, plan)
	})
}

func benchListsCommand() *cobra.Command {
	var plan bench.Plan
	cmd := &cobra.Command{
		Use:   "lists",
		Short: "Measure what a change costs a screen that follows a list",
		Long: `Starts a system, and reads today's list in whole and by one change, in turns, directly at visits, with 20 and
with 200 visits.`,
	}
	planFlags(cmd, &plan, 4*time.Second, 3)
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Lists(ctx, options, plan)
	})
}

func benchProfileCommand() *cobra.Command {
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Take profiles of the hot paths under load",
		Long: `Starts a system with 100,000 past visits, loads one hot path after the other (today's list, the counts, a page
of the trail, an export, a request through the gateway, decisions, registrations), and takes CPU and
allocation profiles of the program that serves it. The findings are in services/docs/performance.md.`,
	}
	cmd.Flags().DurationVar(&each, "each", 10*time.Second, "duration of the load on each path")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Profile(ctx, options, each, filepath.Join(options.Root, ".baari", "bench", "profile"))
	})
}
