package main

import (
	"context"
	"errors"
	"time"

	"baari.dev/tools/sample/seed"
	"baari.dev/tools/stack"
)

// addVisits returns a Prepare function that adds sample visits to a system, once.
func addVisits(progress *stack.Progress) func(context.Context, *stack.Stack) error {
	return func(ctx context.Context, system *stack.Stack) error {
		target := seed.Target{
			URL:    system.URL(),
			Office: system.Office(),
		}
		for _, account := range system.Accounts() {
			target.People = append(target.People, seed.Person{
				Role: account.Role, Email: account.Email, Password: account.Password,
			})
		}
		err := progress.Step("adding sample visits", func() error { return seed.Fill(ctx, target, time.Now()) })
		if errors.Is(err, seed.ErrDone) {
			progress.Printf("%v; use --fresh --seed to start over", err)
			return nil
		}
		return err
	}
}
