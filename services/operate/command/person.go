package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/services/operate"
	"baari.dev/services/operate/breach"
	"baari.dev/services/operate/subject"
	"baari.dev/services/platform/wire"
)

const subjectHelp = servicesHelp + ` Without --phone the number is read from standard input, so that it is in no
process list and no shell history.`

// subjectCommand returns `subject export` and `subject erase`.
func subjectCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "subject",
		Short: "Export or erase the stored data of a person",
		Long:  "Exports or erases the data of a visitor, for requests under data protection law.\n\n" + subjectHelp,
	}
	var phone, data, output string
	export := &cobra.Command{
		Use:   "export",
		Short: "Export what every service stores about a person, as one document",
		Long: `Writes one document with all stored data of the person. The access log records the export.

` + subjectHelp,
		Example: example("subject export --phone 9876543210 --output asha.md"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSubject(cmd, data, phone, func(ctx context.Context, services operate.Installation, phone string) error {
				stored, err := subject.Export(ctx, services, phone)
				if err != nil {
					return err
				}
				return writeDocument(cmd.OutOrStdout(), output, stored, phone)
			})
		},
	}
	export.Flags().StringVar(&output, "output", "", "file to write, with mode 0600 (default: standard output)")
	erase := &cobra.Command{
		Use:   "erase",
		Short: "Erase a person from every service, irreversibly",
		Long: `Erases name, phone, e-mail, notes and messages of the person in every service, in events and in the audit
trail, whose chain still verifies. Visits, counts and records are kept. It is safe to repeat.

` + subjectHelp,
		Example: example("subject erase --phone 9876543210"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSubject(cmd, data, phone, func(ctx context.Context, services operate.Installation, phone string) error {
				erased, err := subject.Erase(ctx, services, phone, nil)
				if err != nil {
					return err
				}
				return say(cmd.OutOrStdout(), "Erased: %d visits, %d appointment requests, %d requests for a token, %d messages.",
					erased.Visits, erased.Appointments, erased.Arrivals, erased.Notifications)
			})
		},
	}
	for _, cmd := range []*cobra.Command{export, erase} {
		cmd.Args = cobra.NoArgs
		cmd.Flags().StringVar(&phone, "phone", "", "phone number of the person, ten digits")
		dataFlag(cmd, &data)
		parent.AddCommand(cmd)
	}
	return parent
}

func withSubject(
	cmd *cobra.Command, data, typed string, work func(context.Context, operate.Installation, string) error,
) error {
	installation, err := operate.Find(data)
	if err != nil {
		return err
	}
	if typed == "" {
		cmd.PrintErr("Phone number: ")
		typed, _ = bufio.NewReader(cmd.InOrStdin()).ReadString('\n') // the last line may have no end
	}
	number, ok := wire.CleanPhone(typed)
	if !ok {
		return subject.ErrPhone
	}
	return work(cmd.Context(), installation, number)
}

func writeDocument(out io.Writer, path string, data subject.Data, phone string) error {
	if path == "" {
		return data.Write(out, phone, time.Now())
	}
	file, err := create(path)
	if err != nil {
		return err
	}
	return errors.Join(data.Write(file, phone, time.Now()), file.Close())
}

// breachReportCommand returns `breach-report`.
func breachReportCommand() *cobra.Command {
	var q breach.Question
	var data, output string
	cmd := &cobra.Command{
		Use:   "breach-report",
		Short: "Report whose data staff could read in a period, who read it, and what was exported",
		Long: `Reports for the office's days --from to --to, inclusive, whose visits and requests were read, by whom and
how, and what was exported. The report is written to standard output, the list of persons to notify to the file.
With --subject it covers one visitor. The access log records the report. With --output - the list is written to
standard output and the report to standard error.

` + servicesHelp,
		Example: example("breach-report --from 2026-11-01 --to 2026-11-20 --output affected.csv"),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			installation, err := operate.Find(data)
			if err != nil {
				return err
			}
			started := time.Now()
			if output == "-" {
				report, err := breach.Ask(cmd.Context(), installation, q, cmd.OutOrStdout())
				if err != nil {
					return err
				}
				return report.Write(cmd.ErrOrStderr(), "the list", time.Since(started))
			}
			list, err := create(output)
			if err != nil {
				return err
			}
			report, err := breach.Ask(cmd.Context(), installation, q, list)
			if err = errors.Join(err, list.Close()); err != nil {
				return errors.Join(err, os.Remove(output)) // the user would take a partial list for a complete one
			}
			return report.Write(cmd.OutOrStdout(), output, time.Since(started))
		},
	}
	cmd.Flags().StringVar(&q.From, "from", "", "first day, like 2026-11-01")
	cmd.Flags().StringVar(&q.To, "to", "", "last day, like 2026-11-20")
	cmd.Flags().StringVar(&q.Phone, "subject", "", "phone number of one visitor, ten digits (default: all visitors)")
	cmd.Flags().StringVar(&output, "output", "affected.csv",
		"file for the list of persons, written with mode 0600; - for standard output")
	dataFlag(cmd, &data)
	require(cmd, "from", "to")
	return cmd
}
