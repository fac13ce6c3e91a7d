package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	var nightly, release bool
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
  go run ./tools/baari chaos --nightly --report report.json
  go run ./tools/baari chaos --seed 42`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case nightly:
				options.Smoke, options.Lasting = false, nightlyTime
			case release:
				options.Smoke, options.Lasting = false, releaseTime
			}
			return runChaos(cmd, options, file)
		},
	}
	flags := cmd.Flags()
	flags.Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "of the faults and of what the robots choose; the same seed strikes the same faults")
	flags.Float64Var(&options.Rate, "rate", 30, "calls a second of all robots together")
	flags.BoolVar(&nightly, "nightly", false, "20 minutes, and a minute without live updates among the faults")
	flags.BoolVar(&release, "release", false, "two hours")
	flags.StringVar(&options.Data, "data", "", "folder for data, logs and the history (default .baari/chaos in the repository)")
	flags.StringVar(&file, "report", "", "file for the report as JSON")
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	return cmd
}

// errBroken ends the command with 1; the report was the last word.
var errBroken = errors.New("a promise was broken")

func runChaos(cmd *cobra.Command, options chaos.Options, file string) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root, options.Progress = root, stack.NewProgress(cmd.ErrOrStderr())
	if options.Data == "" {
		options.Data = filepath.Join(root, ".baari", "chaos")
	}
	report, err := chaos.Run(cmd.Context(), options)
	if err != nil {
		return err
	}
	report.Print(cmd.OutOrStdout())
	if file != "" {
		text, err := report.JSON()
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if !report.Valid() {
		return errBroken
	}
	return nil
}
