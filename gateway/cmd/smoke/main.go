// Command smoke checks an installation through its gateway, with the account in SMOKE_EMAIL and SMOKE_PASSWORD.
package main

import (
	"context"
	"errors"
	"os"

	"baari.dev/gateway/smoke"
	"baari.dev/services/platform/process"
)

func main() {
	if len(os.Args) != 2 {
		process.Fail("smoke", errors.New("usage: smoke http://GATEWAY"))
	}
	as := smoke.Account{Email: os.Getenv("SMOKE_EMAIL"), Password: os.Getenv("SMOKE_PASSWORD")}
	if err := smoke.Check(context.Background(), os.Args[1], as); err != nil {
		process.Fail("smoke", err)
	}
}
