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

	"baari.dev/services/operate"
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
	fmt.Fprintln(os.Stderr, message(err))
	os.Exit(exitFailed)
}

// message returns the Advice in an error's chain, or the error with its causes.
func message(err error) string {
	var advice operate.Advice
	if errors.As(err, &advice) {
		return advice.Error()
	}
	return "baarictl: " + err.Error()
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
