package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// An attempt counts as a failure until it is forgiven: many guesses at once then cannot outrun the count.
const countAttempt = `
INSERT INTO sign_in_attempts AS a (email_hash, failures, blocked_until, updated_at)
VALUES (@hash, 1, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (email_hash) DO UPDATE SET
  failures = a.failures + 1, updated_at = EXCLUDED.updated_at,
  blocked_until = EXCLUDED.updated_at + (@pauses::interval[])[least(a.failures + 1, array_length(@pauses::interval[], 1))]
WHERE a.blocked_until <= EXCLUDED.updated_at AND a.failures < @max
RETURNING failures`

const selectBlock = `
SELECT failures, blocked_until - (now() + @ahead::interval) FROM sign_in_attempts WHERE email_hash = @hash`

// pauses are the waits after one, two, three failures and so on, up to the longest.
var pauses = func() (list []time.Duration) {
	for n := 1; ; n++ {
		list = append(list, account.Pause(n))
		if account.Pause(n) == account.LongestPause {
			return list
		}
	}
}()

// attempt counts a try to sign in to an address, known or not. Where it must wait, the answer is
// fault.ErrRateLimited with the time.
func (s *store) attempt(ctx context.Context, q querier, email string) error {
	args := postgres.Args{"hash": digest(email), "ahead": s.ahead(), "pauses": pauses, "max": account.MaxFailures}
	var failures int
	err := q.QueryRow(ctx, countAttempt, args).Scan(&failures)
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	var wait time.Duration
	err = q.QueryRow(ctx, selectBlock, args).Scan(&failures, &wait)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // forgiven meanwhile
		return fault.ErrRateLimited.After(time.Second)
	case err != nil:
		return err
	case failures >= account.MaxFailures:
		wait = account.LongestPause
	}
	return fault.ErrRateLimited.After(max(wait, time.Second))
}

const forgiveAttempts = `DELETE FROM sign_in_attempts WHERE email_hash = $1`

// forgive forgets the failures of an address: the password was right, or somebody vouches for its owner.
func (s *store) forgive(ctx context.Context, q querier, email string) error {
	_, err := q.Exec(ctx, forgiveAttempts, digest(email))
	return err
}

const takeBackAttempt = `
UPDATE sign_in_attempts SET failures = greatest(failures - 1, 1), blocked_until = updated_at WHERE email_hash = $1`

// takeBack uncounts an attempt that was not judged.
func (s *store) takeBack(ctx context.Context, q querier, email string) error {
	_, err := q.Exec(ctx, takeBackAttempt, digest(email))
	return err
}

const noteStranger = `
INSERT INTO sign_in_attempts AS a (email_hash, failures, blocked_until, updated_at)
VALUES (@hash, 1, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (email_hash) DO UPDATE SET updated_at = EXCLUDED.updated_at`

// noteStranger writes that somebody tried an address that nobody has.
func (s *store) noteStranger(ctx context.Context, q querier, email string) error {
	_, err := q.Exec(ctx, noteStranger, postgres.Args{"hash": digest(email), "ahead": s.ahead()})
	return err
}
