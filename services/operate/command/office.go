package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
)

// officeCommand returns `office export`, `office import` and `office check`.
func officeCommand() *cobra.Command {
	parent := &cobra.Command{Use: "office", Short: "Export, check or import the office document of an installation"}
	parent.AddCommand(officeExport(), officeFile("import", false), officeFile("check", true))
	return parent
}

func officeExport() *cobra.Command {
	var output, data string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the office document in use",
		Long: `Writes the office document with all its settings, as a file that OFFICE_FILE can name.

` + servicesHelp,
		Example: example("office export", "office export --output office.json"),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			installation, err := operate.Find(data)
			if err != nil {
				return err
			}
			office, err := installation.ExportOffice(cmd.Context())
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := json.Indent(&text, office.Document, "", "  "); err != nil {
				return err
			}
			text.WriteByte('\n')
			if output == "" {
				_, err = text.WriteTo(cmd.OutOrStdout())
				return err
			}
			file, err := create(output)
			if err != nil {
				return err
			}
			_, err = text.WriteTo(file)
			return errors.Join(err, file.Close())
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "new file for the document (default: standard output)")
	dataFlag(cmd, &data)
	return cmd
}

// officeFile returns `office import`, or `office check`, which only prints what an import would change.
func officeFile(use string, preview bool) *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   use + " FILE",
		Short: "Make a file the office document, as one version that can be restored",
		Long: `Prints what differs from the document in use, then stores the file as the next version. The services and the
time zone of the file are not used: services are changed on screen, and the zone was set by the installation. With
OFFICE_MODE=file change the file that OFFICE_FILE names.

` + servicesHelp,
		Example: example("office " + use + " office.json"),
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			installation, err := operate.Find(data)
			if err != nil {
				return err
			}
			document, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if !json.Valid(document) {
				return advice.Errorf("%s is no JSON.", args[0])
			}
			done, err := installation.ImportOffice(cmd.Context(), document, preview)
			if err != nil {
				return err
			}
			return printImport(cmd.OutOrStdout(), args[0], done)
		},
	}
	if preview {
		cmd.Short = "Check a file and print what an import would change"
		cmd.Long = `Checks a file against the rules of the office document, and prints what differs from the document in use.

` + servicesHelp
	}
	dataFlag(cmd, &data)
	return cmd
}

// longestShown is the number of bytes of a value that are printed at most.
const longestShown = 60

func printImport(out io.Writer, path string, done operate.OfficeImport) error {
	if len(done.Problems) > 0 {
		return advice.Errorf("%s is no office document: %s", path, strings.Join(done.Problems, "; "))
	}
	short := func(value json.RawMessage) string {
		if len(value) > longestShown {
			// The cut can leave a part of a character.
			return strings.ToValidUTF8(string(value[:longestShown]), "") + "..."
		}
		return string(value)
	}
	for _, change := range done.Changes {
		if err := say(out, "%s: %s -> %s", change.Key, short(change.Before), short(change.After)); err != nil {
			return err
		}
	}
	for _, effect := range done.Effects {
		if err := say(out, "%s: %d", effect.Code, effect.Count); err != nil {
			return err
		}
	}
	if done.Version == 0 {
		return say(out, "%s is valid. An import changes %d values.", path, len(done.Changes))
	}
	return say(out, "The office document has version %d.", done.Version)
}
