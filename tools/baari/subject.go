package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
	"baari.dev/tools/subject"
)

const servicesHelp = `The command calls the services of the system that runs on the data folder or, in a cluster, the internal
listeners at VISITS_URL, DIRECTORY_URL, REALTIME_URL and AUDIT_URL, with SERVICE_SECRET or
SERVICE_SECRET_FILE.`

const subjectHelp = servicesHelp + ` Without --phone the number is read from standard input, so that it is
in no process list and no shell history.`

func subjectCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "subject",
		Short: "Export or erase the stored data of a person",
		Long:  "Exports or erases the data of a visitor, for requests under data protection law.\n\n" + subjectHelp,
	}
	var phone, output string
	options := stack.Options{}
	export := &cobra.Command{
		Use: "export", Args: cobra.NoArgs,
		Short:   "Export what every service stores about a person, as one document",
		Long:    "Writes one document with all stored data of the person.\nThe access log records the export.\n\n" + subjectHelp,
		Example: `  go run ./tools/baari subject export --phone 9876543210 --output asha.md`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSubject(cmd, &options, &phone, func(ctx context.Context, office subject.Office) error {
				data, err := office.Export(ctx, phone)
				if err != nil {
					return err
				}
				return writeDocument(cmd.OutOrStdout(), output, data, phone)
			})
		},
	}
	export.Flags().StringVar(&output, "output", "", "file to write, with mode 0600 (default: standard output)")
	erase := &cobra.Command{
		Use: "erase", Args: cobra.NoArgs,
		Short: "Erase a person from every service, irreversibly",
		Long: "Erases name, phone, e-mail, notes and messages of the person in every service, in events and in the audit\n" +
			"trail, whose chain still verifies. Visits, counts and records are kept. It is safe to repeat.\n\n" + subjectHelp,
		Example: `  go run ./tools/baari subject erase --phone 9876543210`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSubject(cmd, &options, &phone, func(ctx context.Context, office subject.Office) error {
				report, err := office.Erase(ctx, phone)
				if err == nil {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "Erased: %d visits, %d appointment requests, %d messages.\n", report.Visits, report.Appointments, report.Notifications)
				}
				return err
			})
		},
	}
	for _, command := range []*cobra.Command{export, erase} {
		command.Flags().StringVar(&phone, "phone", "", "phone number of the person, ten digits")
		command.Flags().StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
		parent.AddCommand(command)
	}
	return parent
}

// withSubject calls work with the services and the phone number.
func withSubject(cmd *cobra.Command, options *stack.Options, phone *string, work func(context.Context, subject.Office) error) error {
	office, err := findOffice(cmd, options)
	if err != nil {
		return err
	}
	if *phone == "" {
		cmd.PrintErr("Phone number: ")
		if _, err := fmt.Fscan(cmd.InOrStdin(), phone); err != nil {
			return subject.ErrPhone
		}
	}
	return work(cmd.Context(), office)
}

// findOffice returns the services named by the environment, else those of the running system.
func findOffice(cmd *cobra.Command, options *stack.Options) (subject.Office, error) {
	addresses := map[string]string{}
	var missing []string
	for _, service := range []string{"visits", "directory", "realtime", "audit"} {
		variable := strings.ToUpper(service) + "_URL"
		if addresses[service] = os.Getenv(variable); addresses[service] == "" {
			missing = append(missing, variable)
		}
	}
	if len(missing) == 4 {
		if err := complete(cmd, options); err != nil {
			return subject.Office{}, err
		}
		running, err := stack.FindRunning(options.Data)
		return subject.New(running.Internal, running.ServiceSecret), err
	}
	secret, err := serviceSecret()
	if len(missing) > 0 || err != nil {
		return subject.Office{}, errors.Join(stack.Advice("Set "+strings.Join(append(missing, "SERVICE_SECRET"), ", ")+", or none of them to use the system on this machine."), err)
	}
	return subject.New(addresses, secret), nil
}

func serviceSecret() (string, error) {
	path := os.Getenv("SERVICE_SECRET_FILE")
	if path == "" {
		if secret := os.Getenv("SERVICE_SECRET"); secret != "" {
			return secret, nil
		}
		return "", errors.New("SERVICE_SECRET is not set")
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	return strings.TrimSpace(string(text)), err
}

func writeDocument(out io.Writer, path string, data subject.Data, phone string) (err error) {
	if path == "" {
		return data.Write(out, phone, time.Now())
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(data.Write(file, phone, time.Now()), file.Close())
}
