package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/lighthouse"
	"baari.dev/tools/stack"
)

func verifyLighthouseCommand() *cobra.Command {
	options := lighthouse.Options{}
	cmd := &cobra.Command{
		Use:   "lighthouse",
		Short: "Measure the landing page and the sign-in screen with Lighthouse",
		Long: `Starts a system with the production build, measures the landing page and the sign-in screen five
times each in English, Hindi and Tamil, prints the medians and writes every run to a file. It fails
below 98 points in any category for the landing page, and below 90 for performance or 100 for the
rest for sign-in.

npm downloads Lighthouse into the cache, once. Nothing else should run meanwhile, since a busy
machine makes every page slow.`,
		Example: `  go run ./tools/baari verify lighthouse
  go run ./tools/baari verify lighthouse --runs 1
  go run ./tools/baari verify lighthouse --languages hi,te`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if options.Runs < 1 {
				return stack.Advice("--runs must be at least 1.")
			}
			return verifyLighthouse(cmd, options)
		},
	}
	flags := cmd.Flags()
	// The three have fonts of three scripts.
	flags.StringSliceVar(&options.Languages, "languages", []string{"en", "hi", "ta"}, "languages of the pages")
	flags.IntVar(&options.Runs, "runs", 5, "number of measurements of each page in each language")
	flags.StringVar(&options.File, "json", "", "file for all results (default .baari/lighthouse.json in the repository)")
	return cmd
}

func verifyLighthouse(cmd *cobra.Command, options lighthouse.Options) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	progress := stack.NewProgress(out)
	if options.Chromium, options.Node, err = browserAndNode(ctx, root, out); err != nil {
		return err
	}
	if options.Program, err = stack.FindLighthouse(ctx, progress); err != nil {
		return err
	}
	if options.File == "" {
		options.File = filepath.Join(root, ".baari", "lighthouse.json")
	}
	return withSystem(cmd, root, false, func(system *stack.Stack) error {
		options.Base = system.URL()
		var results []lighthouse.Result
		err := progress.Step(fmt.Sprintf("measuring each page %d times", options.Runs), func() (err error) {
			results, err = lighthouse.Measure(ctx, options)
			return err
		})
		if err != nil {
			return err
		}
		progress.Printf("all runs: %s", options.File)
		return lighthouse.Report(out, results)
	})
}
