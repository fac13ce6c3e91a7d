// Command baarictl is the operator's program: administrators, sessions, the audit trail, a person's data, breach
// reports, backups. services/docs/operating.md describes it.
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
)

// Exit statuses: the audit trail is broken, or the command failed.
const (
	exitBroken = 1
	exitFailed = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stop()
	switch {
	case err == nil:
		return
	case errors.Is(err, command.ErrBroken): // the command has printed the record
		os.Exit(exitBroken)
	}
	fmt.Fprintln(os.Stderr, command.Message("baarictl", err))
	os.Exit(exitFailed)
}

func root() *cobra.Command {
	root := &cobra.Command{
		Use:           "baarictl",
		Short:         "Operate an installation of Baari",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(command.All()...)
	return root
}
