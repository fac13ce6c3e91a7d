// Command visits runs the queue.
package main

import (
	"baari.dev/services/platform/process"
	"baari.dev/services/visits"
)

func main() { process.Main(process.Group{Targets: []process.Target{visits.Target()}}) }
