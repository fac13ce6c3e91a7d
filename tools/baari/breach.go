package main

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/breach"
	"baari.dev/tools/stack"
)

func breachCommand() *cobra.Command {
	var q breach.Question
	var output string
	options := stack.Options{}
	cmd := &cobra.Command{
		Use: "breach-report", Args: cobra.NoArgs,
		Short: "Report whose data staff could read in a period, who read it, and what was exported",
		Long: `Reports for the office's days --from to --to, inclusive, whose visits and requests were read, by whom and how, and
what was exported. The report is written to standard output, the list of persons to notify to the file. With
--subject it covers one visitor. The access log records the report.

` + servicesHelp,
		Example: `  go run ./tools/baari breach-report --from 2026-11-01 --to 2026-11-20 --output affected.csv`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			office, err := findOffice(cmd, &options)
			if err != nil {
				return err
			}
			list, err := os.OpenFile(output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			started := time.Now()
			report, err := breach.Ask(cmd.Context(), office, q, list)
			if err = errors.Join(err, list.Close()); err != nil {
				return errors.Join(err, os.Remove(output)) // a partial list would look complete
			}
			return report.Write(cmd.OutOrStdout(), output, time.Since(started))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&q.From, "from", "", "first day, like 2026-11-01")
	flags.StringVar(&q.To, "to", "", "last day, like 2026-11-20")
	flags.StringVar(&q.Phone, "subject", "", "phone number of one visitor, ten digits (default: all visitors)")
	flags.StringVar(&output, "output", "affected.csv", "file for the list of persons, written with mode 0600")
	flags.StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	for _, name := range []string{"from", "to"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	return cmd
}
