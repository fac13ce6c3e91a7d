// Command audit runs the service of the audit trail, the statistics and the export. `audit verify` checks the trail.
package main

import (
	"os"

	"baari.dev/services/audit"
	"baari.dev/services/platform/process"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "verify" {
		os.Exit(audit.VerifyCommand(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	process.Main(process.Group{Targets: []process.Target{audit.Target()}})
}
