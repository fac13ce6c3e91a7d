// Command baarictl is the operator's program: administrators, sessions, the audit trail, a person's data, breach
// reports, backups. services/docs/operating.md describes it.
package main

import (
	"os"

	"baari.dev/services/operate/command"
)

func main() { os.Exit(command.Main("baarictl", os.Args[1:])) }
