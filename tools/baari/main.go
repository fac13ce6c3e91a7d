// Command baari is the developer's program: it starts Baari on one machine, runs its tests and generates files.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/command"
	"baari.dev/tools/measure/lighthouse"
	"baari.dev/tools/proof/chaos"
	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := errors.Join(stack.EndWithGoRun(), root().ExecuteContext(ctx))
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case err == nil:
		return
	case interrupted:
		os.Exit(130)
	case errors.Is(err, suite.ErrFailed), errors.Is(err, lighthouse.ErrBelow), errors.Is(err, chaos.ErrBroken),
		errors.Is(err, command.ErrBroken):
		// The report has been printed.
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, command.Message("baari", err))
	os.Exit(1)
}

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
	root.AddCommand(
		upCommand(), testCommand(), verifyCommand(), generateCommand(), depsCommand(), chaosCommand(), benchCommand(),
		screenshotsCommand(), kubeCommand(), traceCommand(), simulateCommand(), backupCommand(),
		restoreCommand(), voiceCommand(),
		operator.Admin(), operator.Sessions(), operator.Audit(), operator.Subject(), operator.BreachReport(),
	)
	return root
}
