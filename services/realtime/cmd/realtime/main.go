// Command realtime runs the service that brings changes to the dashboards.
package main

import (
	"baari.dev/services/contract"
	"baari.dev/services/platform/process"
	"baari.dev/services/realtime"
)

func main() {
	process.MigrateIfAsked(contract.SourceRealtime, realtime.Migrations())
	var config process.Config
	if err := process.Load(&config); err != nil {
		process.Fail(contract.SourceRealtime, err)
	}
	process.Main(contract.SourceRealtime, config, realtime.Migrations(), realtime.Build)
}
