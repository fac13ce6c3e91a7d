// Command lobby runs the service of the visitors' own pages.
package main

import (
	"baari.dev/services/lobby"
	"baari.dev/services/platform/process"
)

func main() { process.Main(process.Group{Targets: []process.Target{lobby.Target()}}) }
