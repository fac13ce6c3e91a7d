// Command lab has commands that the launcher does not contain, such as faults under load, measurements, pictures,
// voices and tests of a cluster. `go run ./tools/baari` builds it when one of them is called, so the launcher itself
// does not link what they need.
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/sample/seed"
	"baari.dev/tools/stack"
	"baari.dev/tools/stack/operator"
	"baari.dev/tools/suite"
)

func main() {
	cli.Main(root(), suite.ErrFailed, chaos.ErrBroken)
}

// root returns the command of lab. Its subcommands have the names of the launcher's commands.
func root() *cobra.Command {
	root := &cobra.Command{
		Use: "baari", Short: "Measure Baari, test it under faults, and make what is published",
		SilenceUsage: true, SilenceErrors: true,
	}
	root.AddCommand(
		chaosCommand(), benchCommand(), screenshotsCommand(), kubeCommand(), voiceCommand(),
		parent("restore", drillCommand()),
		parent("verify", verifyAlertsCommand()), seedCommand(), partCommand(),
	)
	return root
}

// parent returns a command that has only subcommands. The launcher's command of the same name also does something.
func parent(name string, commands ...*cobra.Command) *cobra.Command {
	parent := &cobra.Command{Use: name}
	parent.AddCommand(commands...)
	return parent
}

func seedCommand() *cobra.Command {
	var options stack.Options
	cmd := &cobra.Command{
		Use:   "seed",
		Short: "Add sample visits of three weeks and this morning to a running system",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Complete(cmd, &options); err != nil {
				return err
			}
			err := operator.AddVisits(cmd.Context(), options.Data)
			if errors.Is(err, seed.ErrDone) {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%v; use --fresh --seed to start over\n", err)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "data folder of the system (default .baari in the repository)")
	return cmd
}

// parts are the parts of a test run that this program performs.
var parts = map[string]func(context.Context, *suite.Runner) error{
	"image": imagePart,
}

func partCommand() *cobra.Command {
	return &cobra.Command{
		Use: "part NAME", Short: "Run a part of a test run", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: cli.InRepository(func(cmd *cobra.Command, args []string, root string) error {
			part := parts[args[0]]
			if part == nil {
				return stack.Advice("There is no part " + args[0] + ".")
			}
			return suite.WithRunner(cmd.Context(), root, cmd.OutOrStdout(), func(r *suite.Runner) error {
				return part(cmd.Context(), r)
			})
		}),
	}
}
