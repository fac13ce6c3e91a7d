package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// Durations of the three kinds of run, without start and checks.
const (
	smokeTime   = 90 * time.Second
	nightlyTime = 20 * time.Minute
	releaseTime = 2 * time.Hour
)

func chaosCommand() *cobra.Command {
	options := chaos.Options{Smoke: true, Lasting: smokeTime}
	var nightly, release, withMutants bool
	var lasting time.Duration
	var file, phase string
	cmd := &cobra.Command{
		Use:   "chaos",
		Short: "Inject faults into a running office, and check that nothing was lost",
		Long: `Starts a system with twenty robots, forty dashboards and two boards, kills and pauses processes, disconnects
and slows connections, and then checks the recorded history and the stored data against the invariants I1 to I23 and
I26. Prints the faults and the violations, each with the fewest requests that prove it. The exit status is 1 if an
invariant is violated.

Without flags it is the smoke run of the test command: 90 seconds.

--phase dispatch does something else for this time: 64 consultants call the next visitor at two replicas of visits,
while PAs pin, hold, move and edit the line and the replicas are killed in turns. It prints the times of the calls, and
fails if a visitor is called twice or lost, if a token is missing, at a deadlock, or if the order of the events breaks
the rule of the line.`,
		Example: `  go run ./tools/baari chaos
  go run ./tools/baari chaos --nightly --mutants --report services/docs/chaos-report.md
  go run ./tools/baari chaos --seed 42
  go run ./tools/baari chaos --phase dispatch --lasting 3m`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case nightly:
				options.Smoke, options.Lasting = false, nightlyTime
			case release:
				options.Smoke, options.Lasting = false, releaseTime
			}
			if lasting > 0 {
				options.Lasting = lasting
			}
			switch phase {
			case "":
				return runChaos(cmd, options, withMutants, file)
			case "dispatch":
				return runDispatch(cmd, options)
			}
			return stack.Advice("There is no phase " + phase + ": it may be dispatch.")
		},
	}
	flags := cmd.Flags()
	chaosFlags(cmd, &options, "chaos")
	rateFlag(cmd, &options)
	flags.StringSliceVar(&options.Only, "only", nil, "kinds of faults to inject, such as N1,N17 (default all)")
	flags.DurationVar(&lasting, "lasting", 0, "duration of the faults, instead of the default")
	flags.BoolVar(
		&nightly, "nightly", false, "20 minutes, with a minute without live updates and skewed clocks among the faults",
	)
	flags.BoolVar(&release, "release", false, "two hours")
	flags.StringVar(&phase, "phase", "", "dispatch: calls of the next visitor by many consultants, in place of faults")
	flags.StringVar(&file, "report", "", "file for the report, in Markdown")
	flags.BoolVar(&withMutants, "mutants", false, "also run the planted bugs and add them to the report")
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	cmd.AddCommand(mutantsCommand(), rollingCommand(), wholeCommand())
	return cmd
}

func mutantsCommand() *cobra.Command {
	options := chaos.Options{}
	var page string
	cmd := &cobra.Command{
		Use:   "mutants [Mnn ...]",
		Short: "Plant bugs in the product, one at a time, and check that each is detected",
		Long: `Builds services with each of the patches in tools/proof/mutants, and runs the office with them for at least a
thousand requests, in the phase that the first line of the patch names. A bug counts as detected only if the system
started, answered at least a thousand requests, no process panicked, and the checker reported the invariant that the
bug violates. A patch that does not apply fails the run. First the same phases run against the unchanged product,
where the checker must report nothing.

A patch that names a Go test in place of a phase starts no office: the test must pass without the bug, and fail with it.

Arguments select bugs by id or by name; "none" is the unchanged product.`,
		Example: `  go run ./tools/baari chaos mutants
  go run ./tools/baari chaos mutants --report services/docs/chaos-report.md
  go run ./tools/baari chaos mutants M7 none
  go run ./tools/baari chaos mutants M7-no-head`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := place(cmd, &options); err != nil {
				return err
			}
			trials, err := chaos.Mutants(cmd.Context(), options, args...)
			outcome := chaos.Conclude(cmd.OutOrStdout(), trials, err)
			if err == nil && page != "" {
				if err := renewReport(page, trials); err != nil {
					return err
				}
			}
			return outcome
		},
	}
	chaosFlags(cmd, &options, "mutants")
	cmd.Flags().StringVar(&page, "report", "",
		"Markdown report of an earlier run, in which these trials replace the earlier ones")
	return cmd
}

func drillCommand() *cobra.Command {
	options := chaos.Options{}
	var visits int64
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Back up a running office with a million visits, restore it on another port, and check the history",
		Long: `Starts an office, adds a million past visits, backs it up while robots work and forty dashboards are open,
stops it, restores the backup in another folder and on another port, and lets all clients continue there. Prints
the duration of the backup and of the outage, whether every dashboard got a reset, and whether the invariants hold.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place(cmd, &options); err != nil {
				return err
			}
			report, err := chaos.Drill(cmd.Context(), options, visits)
			return chaos.Conclude(cmd.OutOrStdout(), report, err)
		},
	}
	cmd.Flags().Int64Var(&visits, "visits", 1_000_000, "number of past visits")
	chaosFlags(cmd, &options, "drill")
	rateFlag(cmd, &options)
	return cmd
}

func rollingCommand() *cobra.Command {
	options := chaos.Options{}
	cmd := &cobra.Command{
		Use:   "rolling",
		Short: "Restart every service five times under load, and check that no request fails",
		Long: `Robots send 30 requests a second without retries, forty dashboards are open, and every service, with one
process each, is stopped with SIGTERM and started again five times. Of at least 10,000 requests none may fail; 99 of 100
streams resume within 3 seconds, and none misses an event. The gateway is not restarted, since it has the only
address that clients know. It takes about six minutes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place(cmd, &options); err != nil {
				return err
			}
			report, err := chaos.Rolling(cmd.Context(), options)
			return chaos.Conclude(cmd.OutOrStdout(), report, err)
		},
	}
	chaosFlags(cmd, &options, "rolling")
	rateFlag(cmd, &options)
	return cmd
}

func wholeCommand() *cobra.Command {
	options := chaos.Options{}
	cmd := &cobra.Command{
		Use:   "whole",
		Short: "Kill the program that runs all targets three times, and check that nothing was lost",
		Long: `Runs all targets in one process, which needs no Redis, kills it with SIGKILL three times while twenty robots
work and forty dashboards and two boards are open, and then checks the history against the invariants. The office's
midnight is within the run. It takes about two minutes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place(cmd, &options); err != nil {
				return err
			}
			report, err := chaos.Whole(cmd.Context(), options)
			if err == nil {
				report.Again = fmt.Sprintf("go run ./tools/baari chaos whole --seed %d", options.Seed)
			}
			return chaos.Conclude(cmd.OutOrStdout(), report, err)
		},
	}
	chaosFlags(cmd, &options, "whole")
	rateFlag(cmd, &options)
	return cmd
}

// chaosFlags adds the flags of every experiment. name is the name of the default data folder in .baari.
func chaosFlags(cmd *cobra.Command, options *chaos.Options, name string) {
	cmd.Flags().StringVar(&options.Data, "data", filepath.Join(".baari", name),
		"folder for data, logs and the history; the default is in the repository")
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000),
		"seed of the faults and of the robots' choices; the same seed injects the same faults")
}

func rateFlag(cmd *cobra.Command, options *chaos.Options) {
	cmd.Flags().Float64Var(&options.Rate, "rate", 30, "requests a second of all robots together")
}

// place sets the repository and the progress in options, and the default data folder to its absolute path.
func place(cmd *cobra.Command, options *chaos.Options) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root, options.Progress = root, stack.NewProgress(cmd.ErrOrStderr())
	if !cmd.Flags().Changed("data") {
		options.Data = filepath.Join(root, options.Data)
	}
	return suite.EnsureRedis(cmd.Context(), root, cmd.ErrOrStderr())
}

func runDispatch(cmd *cobra.Command, options chaos.Options) error {
	if err := place(cmd, &options); err != nil {
		return err
	}
	report, err := chaos.Dispatch(cmd.Context(), options)
	return chaos.Conclude(cmd.OutOrStdout(), report, err)
}

func runChaos(cmd *cobra.Command, options chaos.Options, withMutants bool, file string) error {
	if err := place(cmd, &options); err != nil {
		return err
	}
	report, err := chaos.Run(cmd.Context(), options)
	if err != nil {
		return err
	}
	report.Again = again(cmd, options)
	outcome := chaos.Conclude(cmd.OutOrStdout(), report, nil)
	var trials *chaos.Trials
	if withMutants {
		trial := options
		trial.Data += "-mutants"
		if trials, err = chaos.Mutants(cmd.Context(), trial); err != nil {
			return err
		}
		outcome = errors.Join(outcome, chaos.Conclude(cmd.OutOrStdout(), trials, nil))
	}
	if file != "" {
		if err := writePage(file, report.Markdown(trials)); err != nil {
			return err
		}
	}
	return outcome
}

// again returns the command that repeats the run with the same faults.
func again(cmd *cobra.Command, options chaos.Options) string {
	text := fmt.Sprintf("go run ./tools/baari chaos --seed %d", options.Seed)
	if cmd.Flags().Changed("lasting") {
		text += fmt.Sprintf(" --lasting %s", options.Lasting)
	}
	if len(options.Only) > 0 {
		text += " --only " + strings.Join(options.Only, ",")
	}
	for _, flag := range []string{"nightly", "release", "mutants"} {
		if cmd.Flags().Changed(flag) {
			text += " --" + flag
		}
	}
	if cmd.Flags().Changed("rate") {
		text += fmt.Sprintf(" --rate %g", options.Rate)
	}
	return text
}

// renewReport replaces the trials in the report of an earlier run.
func renewReport(path string, trials *chaos.Trials) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return writePage(path, trials.Renew(string(page)))
}

// writePage writes a report of the repository, which every user may read.
func writePage(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // every user may read it
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
