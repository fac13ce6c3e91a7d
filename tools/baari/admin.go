package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"baari.dev/tools/stack"
)

func adminCommand() *cobra.Command {
	admin := &cobra.Command{
		Use:   "admin",
		Short: "Manage the administrators of an installation on this machine",
	}
	var email, name string
	options := stack.Options{}
	create := &cobra.Command{
		Use:   "create",
		Short: "Create an administrator",
		Long: `Creates an account with the role admin. The system may be running or stopped. The command prompts for the
password, or reads it from standard input if that is not a terminal.`,
		Example: `  go run ./tools/baari admin create --email asha@example.com --name "Asha Kulkarni"`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			password, err := askPassword(cmd)
			if err != nil {
				return err
			}
			return stack.RunService(cmd.Context(), options, password, cmd.OutOrStdout(), "auth", "admin", "create", "--email", email, "--name", name)
		},
	}
	flags := create.Flags()
	flags.StringVar(&email, "email", "", "e-mail address of the administrator")
	flags.StringVar(&name, "name", "", "name of the administrator")
	flags.StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	flags.IntVar(&options.Port, "port", 8080, "port of the gateway, for links")
	for _, required := range []string{"email", "name"} {
		if err := create.MarkFlagRequired(required); err != nil {
			panic(err) // the flag is defined above
		}
	}
	admin.AddCommand(create)
	return admin
}

// askPassword returns a reader of the password: standard input or, on a terminal, the answer to a prompt without echo.
func askPassword(cmd *cobra.Command) (io.Reader, error) {
	file, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return cmd.InOrStdin(), nil
	}
	cmd.PrintErr("Password for the administrator: ")
	password, err := term.ReadPassword(int(file.Fd()))
	cmd.PrintErrln()
	return strings.NewReader(string(password) + "\n"), err
}

// complete sets the repository, the progress and the absolute data folder in options.
func complete(cmd *cobra.Command, options *stack.Options) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root = root
	options.Progress = stack.NewProgress(cmd.ErrOrStderr())
	if options.Data == "" {
		options.Data = filepath.Join(root, ".baari")
	}
	options.Data, err = filepath.Abs(options.Data)
	return err
}
