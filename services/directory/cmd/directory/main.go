// Command directory runs the directory of services, consultants, the office and appointment requests.
package main

import (
	"baari.dev/services/directory"
	"baari.dev/services/platform/process"
)

func main() { process.Main(process.Group{Targets: []process.Target{directory.Target()}}) }
