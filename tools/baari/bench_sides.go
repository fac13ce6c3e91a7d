package main

import (
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/measure/bench"
	"baari.dev/tools/stack"
)

func benchStreamCommand() *cobra.Command {
	var plan bench.StreamPlan
	cmd := benchmark(&cobra.Command{
		Use:   "sse",
		Short: "Measure the live stream against a naive hub and a loop of writes",
		Long: `Starts realtime without the other services, a naive hub (a goroutine and a channel per connection) and a loop
of plain writes, all on one Redis. Idle streams are opened to measure their memory; then streams receive 50, 10 and
300 events a second. Prints the CPU time per delivery, the memory per stream, the delay of events and the number
of lost ones, and writes the figures as JSON. It fails if a delivery costs more than 0.8 times the naive hub's at
50 events a second or 0.5 times at 300, if an idle stream takes more than 16 kB, or if realtime loses an event.
Nothing else should run meanwhile; it takes about three minutes.`,
		Example: `  go run ./tools/baari bench sse
  go run ./tools/baari bench sse --each 2s --idle 1000 --record=false`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		return bench.Stream(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 10*time.Second, "duration of the events in one measurement")
	flags.IntVar(&plan.Idle, "idle", 10_000, "number of idle streams")
	return cmd
}

func benchWriteCommand() *cobra.Command {
	var options stack.Options
	var plan bench.Plan
	var file string
	var whole bool
	cmd := &cobra.Command{
		Use:   "write",
		Short: "Measure registrations and decisions against the same SQL without the service",
		Long: `Starts the visits service with its PostgreSQL and Redis, and lets 1, 8, 32 and 128 clients register visitors,
then decide visits, over HTTP. For comparison, as many clients send one statement per request that writes the
same rows to copies of the same tables. Rounds alternate, and the medians are compared. It fails if creates do
not reach 0.7 times the rate of the statement at 32 clients and 3 times at 128, if their p99 at 128 clients is
above the statement's, or if status changes do not reach 0.6 times. With --whole all services run and follow
every event on the same processors. Nothing else should run meanwhile; it takes about five minutes.`,
		Example: `  go run ./tools/baari bench write
  go run ./tools/baari bench write --whole
  go run ./tools/baari bench write --each 1s --rounds 1 --record=false`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			name := "write"
			if whole {
				name = "write --whole"
			}
			return benchIn(cmd, options, name, file, func(options stack.Options) (result, error) {
				return bench.Write(cmd.Context(), options, plan, whole)
			})
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "duration of one measurement")
	flags.IntVar(&plan.Rounds, "rounds", 3, "number of rounds")
	flags.BoolVar(&whole, "whole", false, "run all services, which follow every event")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/write.json in the repository)")
	return cmd
}

func benchGatewayCommand() *cobra.Command {
	var plan bench.Plan
	cmd := benchmark(&cobra.Command{
		Use:   "gateway",
		Short: "Measure what a gateway adds to a request",
		Long: `Starts a system with the embedded gateway, then one with Traefik, and sends the same request to the service and
through the gateway, in turns. Prints rates, times and the CPU time of service and gateway per request. There
is no goal; the figures help to choose a gateway. Traefik is built once if it is missing, which takes minutes.`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		return bench.Gateway(cmd.Context(), options, plan)
	})
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "duration of one measurement")
	flags.IntVar(&plan.Rounds, "rounds", 3, "number of rounds")
	return cmd
}

func benchStartCommand() *cobra.Command {
	var rounds int
	cmd := benchmark(&cobra.Command{
		Use:   "start",
		Short: "Measure start times, memory and image sizes",
		Long: `Builds the images, starts a system on an empty data folder and again on the same folder, and kills each service
to measure when its next process is ready. Prints these times, the memory of each idle service, and the size of
its image. It fails if the second start takes more than 5 s, or if a service takes more than 500 ms to be
ready, uses more than 40 MB or has an image of more than 30 MB.`,
	}, func(cmd *cobra.Command, options stack.Options) (result, error) {
		return bench.Start(cmd.Context(), options, rounds)
	})
	flags := cmd.Flags()
	flags.IntVar(&rounds, "rounds", 3, "number of starts, and of kills of each service")
	return cmd
}
