// Command gateway is the embedded gateway: one port for the services and the web server.
package main

import (
	"baari.dev/gateway/embedded"
	"baari.dev/services/platform/process"
)

func main() { process.Main(process.Group{Targets: []process.Target{embedded.Target()}}) }
