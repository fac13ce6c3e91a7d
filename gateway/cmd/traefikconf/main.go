// Command traefikconf writes Traefik's configuration from the table of paths and from the same environment as the
// embedded gateway's: traefik.yaml and routes.yaml, in the folder that -out names.
package main

import (
	"flag"

	"baari.dev/gateway/traefikconf"
	"baari.dev/services/platform/process"
)

func main() {
	out := flag.String("out", ".", "folder for the two files")
	flag.Parse()
	config, err := traefikconf.FromEnvironment(process.OSEnvironment())
	if err == nil {
		err = traefikconf.Write(*out, config)
	}
	if err != nil {
		process.Fail("traefikconf", err)
	}
}
