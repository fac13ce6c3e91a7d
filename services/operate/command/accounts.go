package command

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
)

// adminCommand returns `admin create`.
func adminCommand() *cobra.Command {
	parent := &cobra.Command{Use: "admin", Short: "Manage the administrators of an installation"}
	var admin operate.Admin
	var data, file string
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create an administrator",
		Long: `Creates an active account with the role admin. The command prompts for the password, or reads it from the
file of --password-file, or from standard input if that is not a terminal.

` + servicesHelp,
		Example: example(`admin create --email asha@example.com --name "Asha Kulkarni"`),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if admin.Password, err = readPassword(cmd, file); err != nil {
				return err
			}
			return createAdmin(cmd, data, admin)
		},
	}
	cmd.Flags().StringVar(&admin.Email, "email", "", "e-mail address of the administrator")
	cmd.Flags().StringVar(&admin.Name, "name", "", "name of the administrator")
	cmd.Flags().StringVar(&file, "password-file", "", "file with the password in its first line")
	dataFlag(cmd, &data)
	require(cmd, "email", "name")
	parent.AddCommand(cmd)
	return parent
}

func createAdmin(cmd *cobra.Command, data string, admin operate.Admin) error {
	installation, err := operate.Find(data)
	if err != nil {
		return err
	}
	id, err := installation.CreateAdmin(cmd.Context(), admin)
	if err != nil {
		return err
	}
	return say(cmd.OutOrStdout(), "Created the administrator %s with the id %s.", admin.Email, id)
}

// readPassword returns the first line of the file at path or, if path is "", of standard input. On a terminal it shows
// a prompt and reads without echo.
func readPassword(cmd *cobra.Command, path string) (string, error) {
	in := cmd.InOrStdin()
	if path != "" {
		file, err := os.Open(path)
		if err != nil {
			return "", advice.Advice("The file of --password-file cannot be read (" + err.Error() + ").")
		}
		defer func() { _ = file.Close() }()
		return firstLine(file)
	}
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		cmd.PrintErr("Password for the administrator: ")
		password, err := term.ReadPassword(int(file.Fd()))
		cmd.PrintErrln()
		return string(password), err
	}
	return firstLine(in)
}

func firstLine(from io.Reader) (string, error) {
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func sessionsCommand() *cobra.Command {
	parent := &cobra.Command{Use: "sessions", Short: "End sessions"}
	var of operate.Person
	var data string
	cmd := &cobra.Command{
		Use:   "end",
		Short: "End all sessions of a person, or of everyone",
		Long: `Ends every session of one account, or of all accounts with --everyone: open pages show the sign-in screen at
their next request, and live streams are closed within a second. The audit trail records it. Passwords are not changed.

` + servicesHelp,
		Example: example("sessions end --email asha@example.com", "sessions end --everyone"),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			installation, err := operate.Find(data)
			if err != nil {
				return err
			}
			ended, err := installation.EndSessions(cmd.Context(), of)
			if err != nil {
				return err
			}
			return say(cmd.OutOrStdout(), "Ended %d sessions.", ended)
		},
	}
	cmd.Flags().StringVar(&of.Email, "email", "", "e-mail address of the account")
	cmd.Flags().StringVar(&of.ID, "id", "", "user id of the account")
	cmd.Flags().BoolVar(&of.Everyone, "everyone", false, "end the sessions of all accounts, administrators included")
	cmd.MarkFlagsOneRequired("email", "id", "everyone")
	cmd.MarkFlagsMutuallyExclusive("email", "id", "everyone")
	dataFlag(cmd, &data)
	parent.AddCommand(cmd)
	return parent
}
