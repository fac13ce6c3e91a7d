package main

import (
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/bench"
	"baari.dev/tools/stack"
)

func benchStreamCommand() *cobra.Command {
	var options stack.Options
	var plan bench.StreamPlan
	var file string
	cmd := &cobra.Command{
		Use:   "sse",
		Short: "Measure the live stream beside a naive hub and a loop of writes",
		Long: `Starts realtime alone, a naive hub (a goroutine and a channel for each connection) and a loop of
bare writes, all on one Redis. Idle streams are opened for the memory they take; then streams hear 50,
10 and 300 events a second. Prints CPU of a delivery, memory of a stream, how old events are when they
arrive and how many are lost, and writes the figures as JSON. It fails when a delivery costs more than
0.8 times the naive hub's at 50 events a second or 0.5 times at 300, when an idle stream takes more
than 16 kB, or when realtime loses an event. Nothing else should run meanwhile; it takes about three
minutes.`,
		Example: `  go run ./tools/baari bench sse
  go run ./tools/baari bench sse --each 2s --idle 1000 --record=false`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			return benchIn(cmd, options, "sse", file, func(options stack.Options) (result, error) { return bench.Stream(cmd.Context(), options, plan) })
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 10*time.Second, "how long events are made in one measurement")
	flags.IntVar(&plan.Idle, "idle", 10_000, "how many idle streams")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/sse.json in the repository)")
	return cmd
}

func benchWriteCommand() *cobra.Command {
	var options stack.Options
	var plan bench.Plan
	var file string
	var whole bool
	cmd := &cobra.Command{
		Use:   "write",
		Short: "Measure registering and deciding beside the same SQL sent by itself",
		Long: `Starts the visits service by itself, with its PostgreSQL and Redis, and lets 1, 8, 32 and 128 clients
register visitors, then decide about visits, over HTTP; and beside it as many clients that send one
statement for each, which writes the same rows to copies of the same tables. Rounds alternate and medians
count. It fails when creates do not reach 0.7 times the statement at 32 clients and 3 times at 128, when
the slowest of a hundred creates at 128 clients takes longer than the statement's, or when status changes
do not reach 0.6 times. With --whole all services run, and their following of every event has to share
the processors. Nothing else should run meanwhile; it takes about five minutes.`,
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
			return benchIn(cmd, options, name, file, func(options stack.Options) (result, error) { return bench.Write(cmd.Context(), options, plan, whole) })
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "how long one measurement takes")
	flags.IntVar(&plan.Rounds, "rounds", 3, "how many rounds")
	flags.BoolVar(&whole, "whole", false, "with all services, which follow every event")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/write.json in the repository)")
	return cmd
}

func benchGatewayCommand() *cobra.Command {
	var options stack.Options
	var plan bench.Plan
	var file string
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Measure what a gateway adds to a call",
		Long: `Starts a system with the embedded gateway, then one with Traefik, and asks the same call directly at its
service and through the gateway, in turns. Prints rates, times and the processor time of service and
gateway for one request. There is no goal: the figures are for whoever chooses. Traefik is built once
when it is not there, which takes minutes.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			return benchIn(cmd, options, "gateway", file, func(options stack.Options) (result, error) { return bench.Gateway(cmd.Context(), options, plan) })
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&plan.Each, "each", 4*time.Second, "how long one measurement takes")
	flags.IntVar(&plan.Rounds, "rounds", 3, "how many rounds")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/gateway.json in the repository)")
	return cmd
}

func benchStartCommand() *cobra.Command {
	var options stack.Options
	var rounds int
	var file string
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Measure how fast a system is there and how large it is",
		Long: `Builds the images, starts a system on an empty folder and then again on the kept one, and kills each service
to see how soon its next process is ready. Prints that, what each service holds in memory when nobody
uses it, and how large its image is. It fails when a start on a kept folder takes more than 5 s, a
service is not ready within 500 ms, holds more than 40 MB or has an image of more than 30 MB.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			return benchIn(cmd, options, "start", file, func(options stack.Options) (result, error) { return bench.Start(cmd.Context(), options, rounds) })
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&rounds, "rounds", 3, "how many starts, and how often each service is killed")
	flags.StringVar(&file, "json", "", "file for the figures (default .baari/bench/start.json in the repository)")
	return cmd
}
