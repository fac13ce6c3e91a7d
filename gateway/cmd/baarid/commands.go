package main

import (
	"context"
	"errors"
	"os"

	"baari.dev/gateway/smoke"
	"baari.dev/gateway/traefikconf"
	"baari.dev/services/platform/process"
)

// writeTraefikConf writes Traefik's configuration, traefik.yaml and routes.yaml, from the table of paths and the
// environment of the embedded gateway.
func writeTraefikConf(args []string) error {
	flags := newFlags("baarid traefikconf")
	out := flags.String("out", ".", "`folder` for the two files")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, err := traefikconf.FromEnvironment(process.OSEnvironment())
	if err != nil {
		return err
	}
	return traefikconf.Write(*out, config)
}

// checkInstallation checks an installation through its gateway. `helm test` runs it.
func checkInstallation(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: baarid smoke http://GATEWAY")
	}
	as := smoke.Account{Email: os.Getenv("SMOKE_EMAIL"), Password: os.Getenv("SMOKE_PASSWORD")}
	return smoke.Check(context.Background(), args[0], as)
}
