package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
)

func benchDispatchCommand() *cobra.Command {
	plan := bench.DispatchPlan{}
	cmd := &cobra.Command{
		Use:   "dispatch",
		Short: "Measure calls of the next visitor by many consultants at once",
		Long: `Starts two replicas of visits without the other services. Consultants call the next visitor, pause, and call
again while visitors arrive and PAs pin, hold, move and edit them; the replicas are killed in turns. It fails if a
visitor is called twice or lost, if a token is missing, at a deadlock, if 1 of 100 calls takes longer than 250 ms, or if
the order of the events breaks the rule of the line.`,
		Example: `  go run ./tools/baari bench dispatch
  go run ./tools/baari bench dispatch --calls 2000 --kills 0 --record=false`,
	}
	flags := cmd.Flags()
	flags.IntVar(&plan.Callers, "callers", 64, "consultants who call at once")
	flags.DurationVar(&plan.Pause, "pause", time.Second, "mean time of a consultant between two visitors; 0: none")
	flags.IntVar(&plan.Calls, "calls", 10000, "visitors who are called")
	flags.IntVar(&plan.Waiting, "waiting", 200, "visitors who wait at a time")
	flags.IntVar(&plan.Kills, "kills", 6, "times that a replica is killed")
	return benchmark(cmd, func(ctx context.Context, options stack.Options, _ io.Writer) (*bench.Report, error) {
		return bench.Dispatch(ctx, options, plan)
	})
}
