package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
)

// awaitLimit is how long a starting service waits for its database.
const awaitLimit = time.Minute

// Await waits until the database answers, at most a minute, because the database and the service may start together.
func Await(ctx context.Context, pool *pgxpool.Pool) error { return await(ctx, pool.Ping) }

func await(ctx context.Context, ping func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, awaitLimit)
	defer cancel()
	for logged := false; ; logged = true {
		err := ping(ctx)
		if err == nil {
			return nil
		}
		if !logged {
			slog.WarnContext(ctx, "waiting for the database", "cause", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the database does not answer: %w", err)
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// AtStart runs work, and repeats it for at most a minute while it returns fault.ErrBusy: when all replicas start
// together, one may wait for another's lock longer than a request's timeout.
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
