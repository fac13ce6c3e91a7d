package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func testCommand() *cobra.Command {
	var without []string
	var solo string
	cmd := &cobra.Command{
		Use:   "test [all] [part...]",
		Short: "Run the tests, or some parts of them",
		Long: `Runs the tests of a change in about ten minutes on two processors. With "all" it runs everything that a merge
needs: also the race detector, golangci-lint, the chart, Traefik, faults under load and every browser test.

It gets what the tests need: Redis; as root on Debian also Chromium and, for "all", a C compiler. A part that
cannot run fails the command; only --without leaves one out, and the last line then names it.

Two parts run at a time, the browser tests alone. Every 30 seconds a status line lists the parts that run, are
done and are left. The output of a part is printed when it has ended, and kept in .baari/test until the next run.

Parts:
` + listParts(suite.Fast.Parts()) + `

Parts of all:
` + listParts(suite.All.Parts()),
		Example: `  go run ./tools/baari test
  go run ./tools/baari test go web
  go run ./tools/baari test all
  go run ./tools/baari test all --without=browser`,
		ValidArgs: append(suite.Names(suite.All.Parts()), string(suite.All)),
		RunE: cli.InRepository(func(cmd *cobra.Command, only []string, root string) error {
			tier := suite.Fast
			if len(only) > 0 && only[0] == string(suite.All) {
				tier, only = suite.All, only[1:]
			}
			if solo != "" {
				return suite.Solo(cmd.Context(), root, cmd.OutOrStdout(), tier, solo)
			}
			return suite.Run(cmd.Context(), root, cmd.OutOrStdout(), tier, only, without)
		}),
	}
	cmd.Flags().StringSliceVar(&without, "without", nil, "part to leave out")
	cmd.Flags().StringVar(&solo, suite.SoloFlag, "", "single part to run, for a run of several parts")
	_ = cmd.Flags().MarkHidden(suite.SoloFlag)
	return cmd
}

func generateCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate the generated files",
		Long: `Generates what follows from the registry of services (services/contract/registry): the chart's values, the
gateway's upstreams and examples in k8s. Then it generates the web's TypeScript types from the
OpenAPI documents of the services, which takes Node.js.`,
		Args: cobra.NoArgs,
		RunE: cli.InRepository(func(cmd *cobra.Command, _ []string, root string) error {
			if check {
				return suite.CheckSections(root)
			}
			return suite.Generate(cmd.Context(), root, cmd.OutOrStdout())
		}),
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "chart",
		Short: "Render the chart's examples and write its README",
		Long: `Renders charts/baari into its folder examples, once for each values file in its folder ci, and writes its
README from the values and their schema.`,
		Args: cobra.NoArgs,
		RunE: cli.InRepository(func(cmd *cobra.Command, _ []string, root string) error {
			return suite.GenerateChart(cmd.Context(), root, cmd.OutOrStdout())
		}),
	})
	cmd.Flags().BoolVar(&check, "check", false, "only compare what follows from the registry; fail if it differs")
	return cmd
}

func verifyCommand() *cobra.Command {
	var nightly, release bool
	cmd := &cobra.Command{
		Use:   "verify [part...]",
		Short: "Run the quick checks before a commit, or the long ones of a night or release",
		Long: `Runs the part "static" of "test all": the specification's statements, format, types, the web's lint and
generated files. Run it before a commit.

With --nightly or --release it runs instead the checks that take too long for every merge, or the named
parts of them. services/docs/gates.md describes them.

Nightly and release parts:
` + listParts(suite.Release),
		Example: `  go run ./tools/baari verify
  go run ./tools/baari verify --nightly
  go run ./tools/baari verify --release supply`,
		RunE: cli.InRepository(func(cmd *cobra.Command, only []string, root string) error {
			parts := suite.Nightly
			switch {
			case release:
				parts = suite.Release
			case !nightly && len(only) > 0:
				return stack.Advice("Parts are chosen with --nightly or --release; those of every merge run with `baari test`.")
			case !nightly:
				return suite.Run(cmd.Context(), root, cmd.OutOrStdout(), suite.All, []string{"static"}, nil)
			}
			chosen, err := suite.Choose(parts, only, nil)
			if err != nil {
				return err
			}
			return suite.RunParts(cmd.Context(), root, cmd.OutOrStdout(), chosen, nil)
		}),
	}
	cmd.PersistentFlags().BoolVar(
		&nightly, "nightly", false,
		"long fuzzing, 10,000 invalid requests, measured times, a day of 60 visits by keyboard, "+
			"every state of every screen, every alert, 20 minutes of faults",
	)
	cmd.PersistentFlags().BoolVar(
		&release, "release", false, "the nightly checks, two hours of faults, known vulnerabilities",
	)
	cmd.MarkFlagsMutuallyExclusive("nightly", "release")
	return cmd
}

func listParts(parts []suite.Part) string {
	var text strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&text, "  %-9s %s\n", part.Name, part.Help)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
