package main

import (
	"bytes"
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
	var file string
	cmd := &cobra.Command{
		Use:   "chaos",
		Short: "Inject faults into a running office, and check that nothing was lost",
		Long: `Starts a system with twenty robots and forty dashboards, kills and pauses processes, disconnects and slows
connections, and then checks the recorded history and the stored data against the invariants I1 to I16.
Prints the faults and the violations, each with the fewest requests that prove it. The exit status is 1 if
an invariant is violated.

Without flags it is the smoke run of the test command: 90 seconds.`,
		Example: `  go run ./tools/baari chaos
  go run ./tools/baari chaos --nightly --mutants --report services/docs/chaos-report.md
  go run ./tools/baari chaos --seed 42`,
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
			return runChaos(cmd, options, withMutants, file)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "seed of the faults and of the robots' choices; the same seed injects the same faults")
	flags.Float64Var(&options.Rate, "rate", 30, "requests a second of all robots together")
	flags.StringSliceVar(&options.Only, "only", nil, "kinds of faults to inject, such as N1,N17 (default all)")
	flags.DurationVar(&lasting, "lasting", 0, "duration of the faults, instead of the default")
	flags.BoolVar(&nightly, "nightly", false, "20 minutes, with a minute without live updates and skewed clocks among the faults")
	flags.BoolVar(&release, "release", false, "two hours")
	flags.StringVar(&options.Data, "data", "", "folder for data, logs and the history (default .baari/chaos in the repository)")
	flags.StringVar(&file, "report", "", "file for the report: Markdown if its name ends with .md, else JSON")
	flags.BoolVar(&withMutants, "mutants", false, "also run the planted bugs and add them to the report")
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	cmd.AddCommand(mutantsCommand(), rollingCommand())
	return cmd
}

func mutantsCommand() *cobra.Command {
	options := chaos.Options{}
	var page string
	var only []string
	cmd := &cobra.Command{
		Use:   "mutants [Mnn ...]",
		Short: "Plant bugs in the product, one at a time, and check that the checker detects each",
		Long: `Builds services with each of the patches in tools/proof/mutants, and runs the office with them for at least a
thousand requests, in the phase that the first line of the patch names. A bug counts as detected only if the system
started, answered at least a thousand requests, no process panicked, and the checker reported the invariant that the
bug violates. A patch that does not apply fails the run. First the same phases run against the unchanged product,
where the checker must report nothing.

Arguments or --only select bugs by id or by name; "none" is the unchanged product.`,
		Example: `  go run ./tools/baari chaos mutants
  go run ./tools/baari chaos mutants --report services/docs/chaos-report.md
  go run ./tools/baari chaos mutants M7 none
  go run ./tools/baari chaos mutants --only M7-no-head`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := place(cmd, &options, "mutants"); err != nil {
				return err
			}
			trials, err := chaos.Mutants(cmd.Context(), options, append(args, only...)...)
			if err != nil {
				return err
			}
			trials.Print(cmd.OutOrStdout())
			if page != "" {
				if err := renewReport(page, trials); err != nil {
					return fmt.Errorf("write the report: %w", err)
				}
			}
			if !trials.Valid() {
				return errBroken
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&only, "only", nil, "planted bugs to run, such as M7 or M7-no-head")
	cmd.Flags().StringVar(&page, "report", "", "Markdown report of an earlier run, in which these trials replace the earlier ones")
	cmd.Flags().StringVar(&options.Data, "data", "", "folder for data, logs and the histories (default .baari/mutants in the repository)")
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "seed of the robots' choices")
	return cmd
}

func rollingCommand() *cobra.Command {
	options := chaos.Options{}
	cmd := &cobra.Command{
		Use:   "rolling",
		Short: "Restart every service five times under load, and check that no request fails",
		Long: `Robots send 30 requests a second without retries, forty dashboards are open, and every service, with one process
each, is stopped with SIGTERM and started again five times. Of at least 10,000 requests none may fail; 99 of 100
streams resume within 3 seconds, and none misses an event. The gateway is not restarted, since it has the only
address that clients know. It takes about six minutes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place(cmd, &options, "rolling"); err != nil {
				return err
			}
			report, err := chaos.Rolling(cmd.Context(), options)
			if err != nil {
				return err
			}
			report.Print(cmd.OutOrStdout())
			if !report.Valid() {
				return errBroken
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "folder for data, logs and the history (default .baari/rolling in the repository)")
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "seed of the robots' choices")
	cmd.Flags().Float64Var(&options.Rate, "rate", 30, "requests a second of all robots together")
	return cmd
}

// place sets the repository, the progress and the default data folder in options.
func place(cmd *cobra.Command, options *chaos.Options, name string) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root, options.Progress = root, stack.NewProgress(cmd.ErrOrStderr())
	if options.Data == "" {
		options.Data = filepath.Join(root, ".baari", name)
	}
	return nil
}

// errBroken sets the exit status to 1; the report has been printed.
var errBroken = errors.New("an invariant is violated")

func runChaos(cmd *cobra.Command, options chaos.Options, withMutants bool, file string) error {
	if err := place(cmd, &options, "chaos"); err != nil {
		return err
	}
	report, err := chaos.Run(cmd.Context(), options)
	if err != nil {
		return err
	}
	report.Print(cmd.OutOrStdout())
	var trials *chaos.Trials
	if withMutants {
		trial := options
		trial.Data += "-mutants"
		if trials, err = chaos.Mutants(cmd.Context(), trial); err != nil {
			return err
		}
		trials.Print(cmd.OutOrStdout())
	}
	if file != "" {
		if err := writeReport(file, report, trials, again(cmd, options)); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if !report.Valid() || trials != nil && !trials.Valid() {
		return errBroken
	}
	return nil
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

func renewReport(path string, trials *chaos.Trials) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(trials.Renew(string(page))), 0o644) //nolint:gosec // a repository file that every user may read
}

func writeReport(path string, report *chaos.Report, trials *chaos.Trials, again string) error {
	var page bytes.Buffer
	if filepath.Ext(path) == ".md" {
		if err := report.Markdown(&page, trials, again); err != nil {
			return err
		}
		return os.WriteFile(path, page.Bytes(), 0o644) //nolint:gosec // a repository file that every user may read
	}
	text, err := report.JSON(trials)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
