// Command baarid is the product: its services, the embedded gateway and the web server. Without a command it runs all
// of them in one process, or only those that --target names. Its commands prepare, check and administer an
// installation.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"baari.dev/services/audit"
	"baari.dev/services/operate/command"
	"baari.dev/services/platform/process"
)

const usage = `usage:
  baarid [--target=NAMES]          runs all targets, or those that are named, separated by commas
  baarid migrate [--target=NAMES]  applies their migrations, and ends
  baarid traefikconf --out FOLDER  writes Traefik's configuration
  baarid smoke URL                 checks an installation through its gateway
  baarid audit verify              verifies the audit trail in DATABASE_URL, without the service
  baarid ctl COMMAND               the operator's commands, as baarictl`

func main() {
	if err := run(os.Args[1:]); err != nil {
		process.Fail("baarid", err)
	}
}

// run executes the command line. The commands ctl and audit verify do not return: they exit with a status of their own.
func run(args []string) error {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	switch name {
	case "", "migrate":
		group, err := chosen(args)
		if err != nil {
			return err
		}
		if name == "" {
			process.Main(group)
			return nil
		}
		process.MigrateAndEnd(group)
		return nil
	case "traefikconf":
		return writeTraefikConf(args)
	case "smoke":
		return checkInstallation(args)
	case "audit":
		if len(args) > 0 && args[0] == "verify" {
			os.Exit(audit.VerifyCommand(args[1:], os.Stdin, os.Stdout, os.Stderr))
		}
	case "ctl":
		os.Exit(command.Main("baarid ctl", args))
	}
	return fmt.Errorf("%q is no command of baarid\n%s", strings.Join(append([]string{name}, args...), " "), usage)
}

func chosen(args []string) (process.Group, error) {
	flags := newFlags("baarid")
	names := flags.String("target", "all", "all, or `names` of targets separated by commas")
	if err := flags.Parse(args); err != nil {
		return process.Group{}, err
	}
	if flags.NArg() > 0 {
		return process.Group{}, errors.New(usage)
	}
	return choose(*names)
}

func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	flags.Usage = func() { fmt.Fprintln(flags.Output(), usage) }
	return flags
}
