package postgres

import (
	"context"
	"errors"
	"time"

	"baari.dev/services/platform/fault"
)

// AtStart runs work and retries it for at most a minute while the database is busy: when all replicas start at once,
// one may wait for another's lock longer than a request's timeout.
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
