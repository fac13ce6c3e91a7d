package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/measure/traces"
	"baari.dev/tools/stack"
)

func traceCommand() *cobra.Command {
	options := stack.Options{}
	var last int
	var slow, all bool
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Show the last traces of a running system",
		Long: `Prints the last traces of the system that runs on a data folder, each as a tree over all programs: the request
at the gateway, the service, its calls to other services, its SQL statements, and the handling of its event up to the
live streams. Each line shows the program, the start time relative to the request, and the duration. The
programs keep their last spans in memory (TRACE_RECENT, 1000 each under up); no collector is needed.`,
		Example: `  go run ./tools/baari trace
  go run ./tools/baari trace --last 3 --slow`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Complete(cmd, &options); err != nil {
				return err
			}
			admin, err := stack.FindAdmin(options.Data)
			if err != nil {
				return err
			}
			spans, err := traces.Collect(cmd.Context(), admin)
			if err != nil {
				return err
			}
			return printTraces(cmd, choose(traces.Trees(spans), last, slow, all))
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "data folder of the system (default .baari in the repository)")
	cmd.Flags().IntVar(&last, "last", 5, "number of traces")
	cmd.Flags().BoolVar(&slow, "slow", false, "show the slowest traces instead of the last")
	cmd.Flags().BoolVar(&all, "all", false, "include traces of a single program, such as static files")
	return cmd
}

// choose returns the traces to show in the order of their start, or the slowest first without open streams.
func choose(found []*traces.Trace, last int, slow, all bool) []*traces.Trace {
	found = slices.DeleteFunc(found, func(t *traces.Trace) bool { return !all && len(t.Programs()) < 2 })
	if slow {
		found = slices.DeleteFunc(found, func(t *traces.Trace) bool {
			return t.Roots[0].Attributes["http.route"] == "/api/stream"
		})
		slices.SortStableFunc(found, func(a, b *traces.Trace) int { return int(b.Answered() - a.Answered()) })
		return found[:min(last, len(found))]
	}
	return found[max(0, len(found)-last):]
}

func printTraces(cmd *cobra.Command, chosen []*traces.Trace) error {
	if len(chosen) == 0 {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "No traces yet: send a request to the system.")
		return err
	}
	for i, trace := range chosen {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		if err := traces.Print(cmd.OutOrStdout(), trace); err != nil {
			return err
		}
	}
	return nil
}
