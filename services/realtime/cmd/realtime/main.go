// Command realtime runs the service that delivers changes to the dashboards.
package main

import (
	"baari.dev/services/platform/process"
	"baari.dev/services/realtime"
)

func main() { process.Main(process.Group{Targets: []process.Target{realtime.Target()}}) }
