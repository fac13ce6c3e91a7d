// Command baarid is the product: its services, the embedded gateway and the web server. It runs all of them in one
// process, or those that --target names.
//
//	baarid                          everything, for one machine
//	baarid --target=visits          one service
//	baarid --target=gateway,web     two targets
//	baarid migrate --target=visits  applies the migrations, and ends
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"baari.dev/services/platform/process"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		process.Fail("baarid", err)
	}
}

func run(args []string) error {
	command := "run"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("baarid", flag.ExitOnError)
	names := flags.String("target", "all", "all, or `names` of targets separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return errors.New("usage: baarid [migrate] [--target=NAMES]")
	}
	group, err := choose(*names)
	if err != nil {
		return err
	}
	switch command {
	case "run":
		process.Main(group)
	case "migrate":
		process.MigrateAndEnd(group)
	default:
		return fmt.Errorf("%q is no command; usage: baarid [migrate] [--target=NAMES]", command)
	}
	return nil
}
