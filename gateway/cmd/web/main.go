// Command web serves the built web application behind a gateway.
package main

import (
	"baari.dev/gateway/webserver"
	"baari.dev/services/platform/process"
)

func main() { process.Main(process.Group{Targets: []process.Target{webserver.Target()}}) }
