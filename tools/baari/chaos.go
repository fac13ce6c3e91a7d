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

	"baari.dev/tools/chaos"
	"baari.dev/tools/stack"
)

// How long the three kinds of run last, without start and verdict.
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
		Short: "Hurt a running office in every way we know, and prove that nothing was lost",
		Long: `Starts a system of its own, lets twenty robots work in it at forty dashboards, kills, stops, cuts and
slows its processes and links, and then holds everything that was said and stored against the
promises I1 to I16. Prints what it did and what it found; a broken promise is shown by the fewest
calls that prove it, and the command then ends with 1.

Without a flag it is the smoke run of the test command: 90 seconds.`,
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
	flags.Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "of the faults and of what the robots choose; the same seed strikes the same faults")
	flags.Float64Var(&options.Rate, "rate", 30, "calls a second of all robots together")
	flags.StringSliceVar(&options.Only, "only", nil, "kinds of faults to strike with, such as N1,N17 (default all)")
	flags.DurationVar(&lasting, "lasting", 0, "another length of the time with faults")
	flags.BoolVar(&nightly, "nightly", false, "20 minutes; a minute without live updates and wrong clocks are among the faults")
	flags.BoolVar(&release, "release", false, "two hours")
	flags.StringVar(&options.Data, "data", "", "folder for data, logs and the history (default .baari/chaos in the repository)")
	flags.StringVar(&file, "report", "", "file for the report: a page of Markdown when its name ends with .md, else JSON")
	flags.BoolVar(&withMutants, "mutants", false, "plant the fourteen bugs, too, and tell of them in the same report")
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	cmd.AddCommand(mutantsCommand(), rollingCommand())
	return cmd
}

func mutantsCommand() *cobra.Command {
	options := chaos.Options{}
	var page string
	cmd := &cobra.Command{
		Use:   "mutants [M1 ...]",
		Short: "Plant fourteen bugs in the product, one at a time, and show that the checker names each",
		Long: `Builds the services with the build tag mutant, in which a setting breaks one line that a promise rests on, and runs the office
with each bug for as long as a thousand calls take, with a misfortune made to bring it to light. A bug counts as found only when the
system started, answered at least a thousand calls, nothing panicked, and the checker named the promise that it breaks. First the
same misfortunes strike the product as it is: there the checker must find nothing.

With arguments only those are run; "none" is the product as it is.`,
		Example: `  go run ./tools/baari chaos mutants
  go run ./tools/baari chaos mutants --report services/docs/chaos-report.md
  go run ./tools/baari chaos mutants M7 none`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := place(cmd, &options, "mutants"); err != nil {
				return err
			}
			trials, err := chaos.Mutants(cmd.Context(), options, args...)
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
	cmd.Flags().StringVar(&page, "report", "", "the page of an earlier run's report, in which these trials take the place of those before")
	cmd.Flags().StringVar(&options.Data, "data", "", "folder for data, logs and the histories (default .baari/mutants in the repository)")
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "of what the robots choose")
	return cmd
}

func rollingCommand() *cobra.Command {
	options := chaos.Options{}
	cmd := &cobra.Command{
		Use:   "rolling",
		Short: "End and start every service five times under load, and show that nobody notices",
		Long: `Robots work at 30 calls a second and never try a call again, forty dashboards watch, and every service is asked five times to end,
with one process of each. At least 10,000 calls, none of which may fail; every stream goes on within 3 seconds (99 of 100) and misses
nothing. The gateway stays: it has the only address that people know. It takes about six minutes.`,
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
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "of what the robots choose")
	cmd.Flags().Float64Var(&options.Rate, "rate", 30, "calls a second of all robots together")
	return cmd
}

// place completes the options by the repository and the folder for data.
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

// errBroken ends the command with 1; the report was the last word.
var errBroken = errors.New("a promise was broken")

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

// again is the command that strikes the same faults once more.
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
	return os.WriteFile(path, []byte(trials.Renew(string(page))), 0o644) //nolint:gosec // a page of the repository
}

func writeReport(path string, report *chaos.Report, trials *chaos.Trials, again string) error {
	var page bytes.Buffer
	if filepath.Ext(path) == ".md" {
		if err := report.Markdown(&page, trials, again); err != nil {
			return err
		}
		return os.WriteFile(path, page.Bytes(), 0o644) //nolint:gosec // a page of the repository
	}
	text, err := report.JSON(trials)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
