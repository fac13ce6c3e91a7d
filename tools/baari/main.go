// Command baari is the developer's program: it starts Baari, or only its servers, on one machine, runs the tests and
// generates files. Every other command is a program that it builds and runs.
package main

import (
	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/suite"
)

func main() { cli.Main(root(), suite.ErrFailed) }

func root() *cobra.Command {
	root := &cobra.Command{
		Use:   "baari",
		Short: "Start Baari on this machine, test it, and generate files",
		Long: `baari is the developer's program. Run it from anywhere in the repository:

  go run ./tools/baari up      start everything and open the printed address
  go run ./tools/baari test    run the tests`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(upCommand(), testCommand(), verifyCommand(), generateCommand(), depsCommand())
	addPrograms(root)
	return root
}
