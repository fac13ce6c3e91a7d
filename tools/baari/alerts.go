package main

import (
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

// verifyAlertsCommand is a part of the night, too, with the quiet time of a night.
func verifyAlertsCommand(nightly *bool) *cobra.Command {
	var quiet time.Duration
	cmd := &cobra.Command{
		Use:   "alerts [alert...]",
		Short: "Bring every alert about and see Prometheus list it as firing",
		Long: `Starts a system of its own with Prometheus beside it and the rules of k8s/monitoring as they are. For a
quiet time the office works and no alert may fire. Then it brings about the fault of each alert, waits
until Prometheus lists the alert as firing, heals the fault and sees the alert end while the next faults
strike. Alerts that look back over an hour or a day need not end. At the end stands a table of what was seen.

It takes about half an hour beside the quiet time, which is an hour in verify --nightly. With names only
those alerts are brought about.`,
		Example: `  go run ./tools/baari verify alerts
  go run ./tools/baari verify alerts --quiet 0s BaariEventsWait`,
		RunE: func(cmd *cobra.Command, only []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			if *nightly && !cmd.Flags().Changed("quiet") {
				quiet = suite.QuietNight
			}
			return suite.RunParts(cmd.Context(), root, cmd.OutOrStdout(), []suite.Part{suite.Alerts(quiet, only)}, nil)
		},
	}
	cmd.Flags().DurationVar(&quiet, "quiet", 3*time.Minute, "how long no alert may fire first")
	return cmd
}
