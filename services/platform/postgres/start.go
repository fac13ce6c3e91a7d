package postgres

import (
	"context"
	"errors"
	"time"

	"baari.dev/services/platform/fault"
)

// AtStart does what a service begins with, and again while the database is too busy for it, at most a minute: where
// everything starts at once, a replica may wait for another's lock longer than a request ever should.
func AtStart(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, awaitLimit)
	defer cancel()
	for {
		err := work(ctx)
		if !errors.Is(err, fault.ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(startPause):
		}
	}
}

const startPause = 250 * time.Millisecond
