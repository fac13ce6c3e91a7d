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
		Short: "Say whose data staff had between two days, who had it, and what was exported",
		Long: `Says for the days --from to --to of the office, inclusive, whose visits and requests were seen, by whom and
how, and what left in exports. The report goes to the output, the persons to tell go to the file. With
--subject it is about one visitor. The report itself is recorded in the access log.

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
				return errors.Join(err, os.Remove(output)) // half a list would look like a whole one
			}
			return report.Write(cmd.OutOrStdout(), output, time.Since(started))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&q.From, "from", "", "first day, like 2026-11-01")
	flags.StringVar(&q.To, "to", "", "last day, like 2026-11-20")
	flags.StringVar(&q.Phone, "subject", "", "phone number of one visitor, ten digits (default: everybody)")
	flags.StringVar(&output, "output", "affected.csv", "file to write the persons to, readable by its owner alone")
	flags.StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	for _, name := range []string{"from", "to"} {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the flag is defined above
		}
	}
	return cmd
}
