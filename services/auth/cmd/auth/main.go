// Command auth runs the auth service. `auth admin create` creates an administrator.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"baari.dev/services/auth"
	"baari.dev/services/contract"
	"baari.dev/services/platform/process"
)

const usage = "the commands are: auth migrate; " +
	"auth admin create --email ADDRESS --name NAME [--password-file FILE]"

func main() {
	args := os.Args[1:]
	if len(args) == 0 || args[0] == "migrate" {
		process.Main(process.Group{Targets: []process.Target{auth.Target()}})
		return
	}
	if len(args) < 2 || !slices.Equal(args[:2], []string{"admin", "create"}) {
		process.Fail(contract.SourceAuth, errors.New(usage))
	}
	var config auth.Config
	if err := process.OSEnvironment().Read(&config); err != nil {
		process.Fail(contract.SourceAuth, err)
	}
	if err := createAdmin(context.Background(), config, args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
