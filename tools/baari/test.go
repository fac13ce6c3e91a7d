package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func testCommand() *cobra.Command {
	var without []string
	cmd := &cobra.Command{
		Use:   "test [part...]",
		Short: "Run every test, or some parts",
		Long: `Gets what the tests need (Chromium and Redis from Debian packages, where that is allowed)
and runs every part. A part that cannot run fails the command; only --without leaves one
out, and the last line then says so.

The parts that mostly wait, gateway, security, observe and chaos, run beside go; what they print follows its output.

` + partHelp(),
		Example: `  go run ./tools/baari test
  go run ./tools/baari test go web
  go run ./tools/baari test --without=e2e`,
		ValidArgs: partNames(),
		RunE: func(cmd *cobra.Command, only []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			return suite.Run(cmd.Context(), root, cmd.OutOrStdout(), only, without)
		},
	}
	cmd.Flags().StringSliceVar(&without, "without", nil, "part to leave out")
	return cmd
}

func generateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Make the generated files again",
		Long:  "Makes the web's TypeScript types again from the OpenAPI documents of the services.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			return suite.Generate(cmd.Context(), root, cmd.OutOrStdout())
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "chart",
		Short: "Render the chart's examples again",
		Long:  "Renders charts/baari once for each file of values in its folder ci, into its folder examples.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			return suite.GenerateChart(cmd.Context(), root, stack.NewProgress(cmd.ErrOrStderr()))
		},
	})
	return cmd
}

func verifyCommand() *cobra.Command {
	var nightly, release bool
	cmd := &cobra.Command{
		Use:   "verify [part...]",
		Short: "Check in a few minutes what a change easily breaks, or in hours what nobody expects",
		Long: `Runs the quick parts of the tests: the specification's statements, format, lint and generated files.
It is what to run before a commit.

With --nightly or --release it runs instead what takes too long for every merge, or the named parts of it;
services/docs/gates.md says what that is.

Of the night and the release:
` + listParts(suite.Release),
		Example: `  go run ./tools/baari verify
  go run ./tools/baari verify --nightly
  go run ./tools/baari verify --release supply`,
		RunE: func(cmd *cobra.Command, only []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			parts := suite.Nightly
			switch {
			case release:
				parts = suite.Release
			case !nightly && len(only) > 0:
				return stack.Advice("Parts are chosen with --nightly or --release; those of every merge run with `baari test`.")
			case !nightly:
				return suite.Run(cmd.Context(), root, cmd.OutOrStdout(), []string{"spec", "lint", "contract"}, nil)
			}
			chosen, err := suite.Choose(parts, only, nil)
			if err != nil {
				return err
			}
			return suite.RunParts(cmd.Context(), root, cmd.OutOrStdout(), chosen, nil)
		},
	}
	cmd.PersistentFlags().BoolVar(&nightly, "nightly", false, "long fuzzing, 10,000 bad requests, measured times, a day of 60 visits by keyboard, every screen in every look, every alert, 20 minutes of faults")
	cmd.PersistentFlags().BoolVar(&release, "release", false, "all of a night, two hours of faults, known vulnerabilities")
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	cmd.AddCommand(verifyLighthouseCommand(), verifyAlertsCommand(&nightly))
	return cmd
}

func partNames() []string {
	var all []string
	for _, part := range suite.Parts {
		all = append(all, part.Name)
	}
	return all
}

func partHelp() string { return "Parts:\n" + listParts(suite.Parts) }

func listParts(parts []suite.Part) string {
	var text strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&text, "  %-9s %s\n", part.Name, part.Help)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
