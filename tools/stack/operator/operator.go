// Package operator calls a system on this machine with the keys of its services and of its operator. It is not part of
// package stack, because its packages for tokens and telemetry would be a third of all packages of the launcher.
package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"baari.dev/services/operate"
	"baari.dev/services/platform/identity"
	"baari.dev/tools/sample/seed"
	"baari.dev/tools/stack"
)

// Keys returns the keys with which the named service, or the operator, signs tokens and verifies them.
func Keys(system *stack.Stack, name string) (identity.Keys, error) {
	key, public, shared := system.Signing(name)
	keys := identity.Keys{Name: name, Secret: shared}
	err := errors.Join(keys.Private.UnmarshalText([]byte(key)), keys.Public.UnmarshalText([]byte(public)))
	if err != nil {
		return keys, fmt.Errorf("the key of %s: %w", name, err)
	}
	return keys, nil
}

// AddVisits adds sample visits to the system that runs on a data folder, or returns seed.ErrDone if they exist.
func AddVisits(ctx context.Context, data string) error {
	office, err := operate.Find(data)
	if err != nil {
		return err
	}
	site, accounts, err := stack.Find(data)
	if err != nil {
		return err
	}
	return seed.Fill(ctx, seed.Target{URL: site, Office: office, Accounts: accounts}, time.Now())
}
