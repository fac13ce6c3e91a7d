package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/bench"
	"baari.dev/tools/stack"
)

func benchCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Measure Baari beside what others use for the same",
	}
	root.AddCommand(benchAuthCommand())
	return root
}

func benchAuthCommand() *cobra.Command {
	var options stack.Options
	var plan bench.Plan
	var file string
	cmd := &cobra.Command{
		Use:   "auth",
		Short: "Measure sign-ins and get-session beside better-auth's own server",
		Long: `Starts auth alone, and better-auth's own server in Node on the same PostgreSQL, from its pinned
npm package. The same clients ask one, then the other, in rounds; medians count. Prints a table and
writes the figures as JSON. It fails when get-session is not ten times as fast, or when a sign-in
costs more than a tenth beyond its password hash. Nothing else should run meanwhile.`,
		Example: `  go run ./tools/baari bench auth
  go run ./tools/baari bench auth --each 10s --rounds 5 --json figures.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			if file == "" {
				file = filepath.Join(options.Root, ".baari", "bench", "auth.json")
			}
			return benchAuth(cmd, options, plan, file)
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "how long one measurement takes")
	flags.IntVar(&plan.Rounds, "rounds", 3, "how many rounds")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/auth.json in the repository)")
	return cmd
}

func benchAuth(cmd *cobra.Command, options stack.Options, plan bench.Plan, file string) error {
	scratch, err := os.MkdirTemp("", "baari-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	options.Data = scratch
	report, err := bench.Auth(cmd.Context(), options, plan)
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
	if !report.Met() {
		return stack.Advice("A goal is missed.")
	}
	return nil
}
