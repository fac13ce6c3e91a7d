package main

import (
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/measure/observe"
	"baari.dev/tools/suite"
)

// verifyAlertsCommand returns the command that triggers every alert. The default of --quiet is longer with --nightly.
func verifyAlertsCommand() *cobra.Command {
	var quiet time.Duration
	var nightly bool
	cmd := &cobra.Command{
		Use:   "alerts [alert...]",
		Short: "Trigger every alert and check that Prometheus lists it as firing",
		Long: `Starts a system with Prometheus and the rules of k8s/monitoring. In a quiet period under ordinary load no alert
may fire. Then it injects the fault of each alert, waits until Prometheus lists the alert as firing, removes
the fault and checks that the alert ends while the next faults are injected. Alerts over an hour or a day need
not end. It prints a table of the results.

It takes about half an hour besides the quiet period, which is an hour in verify --nightly. With arguments,
only the named alerts are triggered.`,
		Example: `  go run ./tools/baari verify alerts
  go run ./tools/baari verify alerts --quiet 0s BaariEventsWait`,
		RunE: cli.InRepository(func(cmd *cobra.Command, only []string, root string) error {
			if nightly && !cmd.Flags().Changed("quiet") {
				quiet = quietNight
			}
			return suite.RunParts(cmd.Context(), root, cmd.OutOrStdout(), []suite.Part{observe.Alerts(quiet, only)}, nil)
		}),
	}
	cmd.Flags().DurationVar(&quiet, "quiet", 3*time.Minute, "length of the quiet period")
	cmd.Flags().BoolVar(&nightly, "nightly", false, "a quiet period of an hour")
	return cmd
}

// quietNight is the initial period of a nightly run, in which no alert may fire.
const quietNight = time.Hour
