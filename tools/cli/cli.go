// Package cli has what the developer's programs share: signals, exit statuses, and the repository.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/advice"
	"baari.dev/tools/stack"
)

// Status is the exit status of a program that has already printed its error.
type Status int

// Error says which status it is.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Main runs a program, and exits if it fails. It does not print the given errors, which were printed before.
func Main(root *cobra.Command, printed ...error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := errors.Join(stack.EndWithGoRun(), root.ExecuteContext(ctx))
	interrupted := ctx.Err() != nil
	stop()
	var status Status
	switch {
	case err == nil:
		return
	case errors.As(err, &status):
		os.Exit(int(status))
	case interrupted:
		os.Exit(130)
	}
	for _, one := range printed {
		if errors.Is(err, one) {
			os.Exit(1)
		}
	}
	fmt.Fprintln(os.Stderr, advice.Message("baari", err))
	os.Exit(1)
}

// InRepository returns a function for cobra that finds the repository and calls run with its path.
func InRepository(
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

// Complete sets the repository, the progress and the absolute data folder in options. The default folder is .baari.
func Complete(cmd *cobra.Command, options *stack.Options) error {
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	options.Root = root
	options.Progress = stack.NewProgress(cmd.ErrOrStderr())
	options.Data, err = stack.DataFolder(root, options.Data)
	return err
}

// Foreground runs a program in the terminal and returns Status for its exit status. The terminal sends its signals to
// both processes. When the command's context ends, the program gets SIGTERM, and as much time as it needs to stop.
func Foreground(cmd *exec.Cmd) error {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err := stack.RunInForeground(cmd)
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() >= 0 {
		return Status(ended.ExitCode())
	}
	return err
}
