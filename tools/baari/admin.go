package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/services/operate"
	"baari.dev/services/operate/command"
	"baari.dev/tools/stack"
)

// operator is baarictl on the data folder in the repository. Its system may be stopped for the commands that need
// PostgreSQL alone.
var operator = command.Program{
	Name: "go run ./tools/baari", Data: dataFolder, CreateAdmin: createAdmin, VerifyTrail: verifyTrail,
}

// createAdmin creates an administrator through the running system, or with auth's program if the system is stopped.
func createAdmin(cmd *cobra.Command, data string, admin operate.Admin) error {
	if data == "" || stack.IsRunning(data) {
		return command.CreateAdmin(cmd, data, admin)
	}
	options := stack.Options{Data: data}
	if err := complete(cmd, &options); err != nil {
		return err
	}
	password := strings.NewReader(admin.Password + "\n")
	return stack.RunService(cmd.Context(), options, password, cmd.OutOrStdout(),
		"auth", "admin", "create", "--email", admin.Email, "--name", admin.Name)
}

// verifyTrail verifies the audit trail through the running system, or with audit's program if the system is stopped.
func verifyTrail(cmd *cobra.Command, data string, anchors []string) error {
	if data == "" || stack.IsRunning(data) {
		return command.VerifyTrail(cmd, data, anchors)
	}
	options := stack.Options{Data: data}
	if err := complete(cmd, &options); err != nil {
		return err
	}
	return stack.VerifyAudit(cmd.Context(), options, cmd.OutOrStdout(), anchors...)
}

// complete sets the repository, the progress and the absolute data folder in options.
func complete(cmd *cobra.Command, options *stack.Options) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root = root
	options.Progress = stack.NewProgress(cmd.ErrOrStderr())
	options.Data, err = dataFolder(options.Data)
	return err
}

// dataFolder returns the absolute path of data, or of .baari in the repository if data is "".
func dataFolder(data string) (string, error) {
	if data == "" {
		root, err := stack.FindRoot()
		if err != nil {
			return "", err
		}
		data = filepath.Join(root, ".baari")
	}
	return filepath.Abs(data)
}
