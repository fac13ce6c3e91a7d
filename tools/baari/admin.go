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
		Short: "Look after the administrators of an installation on this machine",
	}
	var email, name string
	options := stack.Options{}
	create := &cobra.Command{
		Use:   "create",
		Short: "Make an administrator",
		Long: `Makes an account with the role admin.
Works while the system runs and while it does not. The password is asked for, or read
from the input when that is no terminal.`,
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
			panic(err) // a flag that is not there: a mistake in this file
		}
	}
	admin.AddCommand(create)
	return admin
}

// askPassword gives the input from which the password is read; in a terminal it asks, and does not show what is typed.
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

// complete adds to the options what every command that works on a data folder needs.
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
