// Command hello runs the service that greets.
package main

import (
	"context"

	"baari.dev/services/hello"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/process"
	"baari.dev/services/platform/retention"
)

func main() {
	migrations := []postgres.Set{outbox.Migrations(), retention.Migrations()}
	process.MigrateIfAsked(hello.Name, migrations)
	var config process.Config
	if err := process.Load(&config); err != nil {
		process.Fail(hello.Name, err)
	}
	process.Main(hello.Name, config, migrations, func(_ context.Context, p *process.Process) error {
		table, err := endpoint.New(p.Deps(p.Verifier(), feed.Set{}), hello.Routes()...)
		if err != nil {
			return err
		}
		p.Public(table)
		p.Retain(nil)
		return nil
	})
}
