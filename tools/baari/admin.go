package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/command"
	"baari.dev/tools/stack"
)

// operator is baarictl on the data folder in the repository. Its system may be stopped for
// the verification of the audit trail.
var operator = command.Program{
	Name: "go run ./tools/baari", Data: dataFolder, VerifyTrail: verifyTrail,
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
