package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"baari.dev/tools/stack"
)

func simulateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Compare rules of the line in simulated offices",
		Long: `Simulates days of three offices in virtual time, with the functions that the visits service calls, and prints
how long visitors wait under each rule: early chooses a consultant at the approval, fcfs is first come, first
served, due is the rule of the product, strict calls the highest class first. All rules have the same visitors and
consultants. The same arguments give the same output. With --forecast it measures instead how the forecasts of the
product are kept at joining the line, and with --office year those of the arrivals of a day before filings are due.
The figures are explained in services/docs/dispatch.md and foresight.md.`,
		Example: `  go run ./tools/baari simulate
  go run ./tools/baari simulate --office nine --policy due --days 250 --seed 7 --json
  go run ./tools/baari simulate --forecast --seeds 6
  go run ./tools/baari simulate --office year --seeds 6`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options := stack.Options{}
			if err := complete(cmd, &options); err != nil {
				return err
			}
			var args []string
			cmd.Flags().Visit(func(flag *pflag.Flag) { args = append(args, "--"+flag.Name+"="+flag.Value.String()) })
			return stack.Simulate(cmd.Context(), options, cmd.OutOrStdout(), cmd.ErrOrStderr(), args...)
		},
	}
	flags := cmd.Flags()
	flags.String("office", "", "small, five, nine, due-week or year (default the first three)")
	flags.String("policy", "", "early, fcfs, due or strict (default all)")
	flags.Int("days", 60, "number of days")
	flags.Uint64("seed", 1, "seed of all random numbers")
	flags.Float64("no-show", 0.08, "probability that a call is not answered")
	flags.Int("seeds", 1, "number of seeds from --seed on, with --forecast (pooled) or --office year")
	flags.Int("learn", 40, "number of days to learn from, with --forecast")
	flags.Bool("forecast", false, "measure the forecasts at joining instead of comparing policies")
	flags.Bool("json", false, "print JSON")
	return cmd
}
