// Package command has the commands of baarictl, which `go run ./tools/baari` runs, too. A command finds the
// installation, calls operate, and prints the result; it has no rules of its own. Start reading at All.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/advice"
)

// ErrBroken means that the audit trail is not whole. The command has printed where.
var ErrBroken = errors.New("the audit trail is broken")

// All returns every command of baarictl.
func All() []*cobra.Command {
	return []*cobra.Command{
		adminCommand(), sessionsCommand(), auditCommand(), subjectCommand(), breachReportCommand(),
		officeCommand(),
		backupCommand(), restoreCommand(), recordCommand(), waitCommand(), installCommand(),
	}
}

const servicesHelp = `The command calls the internal listeners of the services: those at AUTH_URL, VISITS_URL,
DIRECTORY_URL, AUDIT_URL and REALTIME_URL, with SERVICE_KEY or SERVICE_KEY_FILE, or with --data those of the
system that runs on a data folder of this machine.`

func example(commands ...string) string {
	for i, command := range commands {
		commands[i] = "  baarictl " + command
	}
	return strings.Join(commands, "\n")
}

// dataFlag adds --data.
func dataFlag(cmd *cobra.Command, data *string) {
	cmd.Flags().StringVar(data, "data", "",
		"data folder of a system on this machine (default: the installation that the environment names)")
}

func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // the command has no such flag
		}
	}
}

// create opens a new file that only the user can read.
func create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, advice.Advice(path + " exists: choose another file with --output.")
	}
	return file, err
}

func say(out io.Writer, format string, values ...any) error {
	_, err := fmt.Fprintf(out, format+"\n", values...)
	return err
}

const (
	exitBroken = 1
	exitFailed = 2
)

// Main runs a command line of the operator's program, here called name, and returns its exit status: 0, 1 if the audit
// trail is broken, 2 if the command failed.
func Main(name string, args []string) int {
	root := &cobra.Command{
		Use:           "baarictl",
		Short:         "Operate an installation of Baari",
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(All()...)
	root.SetArgs(args)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrBroken): // the command has printed where it is broken
		return exitBroken
	}
	fmt.Fprintln(os.Stderr, advice.Message(name, err))
	return exitFailed
}
