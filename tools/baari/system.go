package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
)

// inRepository returns a function for cobra that finds the repository and calls run with its path.
func inRepository(
	run func(cmd *cobra.Command, args []string, root string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		root, err := stack.FindRoot()
		if err != nil {
			return err
		}
		return run(cmd, args, root)
	}
}

// withSystem starts a system on a temporary data folder behind the embedded gateway and stops it when use returns.
func withSystem(cmd *cobra.Command, root string, seed bool, use func(*stack.Stack) error) error {
	scratch, err := os.MkdirTemp("", "baari-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	system, err := stack.Start(cmd.Context(), stack.Options{
		Root: root, Data: filepath.Join(scratch, "data"), Gateway: stack.Embedded, NoLimits: true,
		Progress: stack.NewProgress(cmd.OutOrStdout()), Seed: seed,
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	return use(system)
}
