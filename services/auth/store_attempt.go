package auth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// counter identifies the row that counts wrong passwords for an address: the row of one mark, or the row of all
// browsers without a mark.
type counter struct {
	hash     []byte
	deviceOf []byte // the hash of the address that the mark was issued for; nil without a mark
}

// unknownBrowser returns the counter of an address for browsers without a mark.
func unknownBrowser(email string) counter { return counter{hash: data.Digest(email)} }

func ofBrowser(email string, mark browserMark) counter {
	return counter{hash: data.Digest(markCookie + "\n" + mark.Nonce), deviceOf: data.Digest(email)}
}

const selectMarkFailures = `
SELECT coalesce(sum(failures), 0), now() + @ahead::interval FROM sign_in_attempts WHERE device_of = @hash`

// markFailures returns the sum of the counters of all marks of an address, and the current time.
func (s *store) markFailures(
	ctx context.Context, q data.Querier, email string,
) (failures int, now time.Time, err error) {
	args := postgres.Args{"hash": data.Digest(email), "ahead": s.Ahead()}
	err = q.QueryRow(ctx, selectMarkFailures, args).Scan(&failures, &now)
	return failures, now, err
}

// An attempt counts as a failure until it is cleared, so that concurrent guesses cannot exceed the limit.
const insertAttempt = `
INSERT INTO sign_in_attempts AS a (email_hash, device_of, failures, blocked_until, updated_at)
VALUES (@hash, @device_of, 1, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (email_hash) DO UPDATE SET
  failures = a.failures + 1, updated_at = EXCLUDED.updated_at,
  blocked_until = EXCLUDED.updated_at
    + (@pauses::interval[])[least(a.failures + 1, array_length(@pauses::interval[], 1))]
WHERE a.blocked_until <= EXCLUDED.updated_at AND a.failures < @max
RETURNING failures`

const selectBlock = `
SELECT failures, blocked_until - (now() + @ahead::interval) FROM sign_in_attempts WHERE email_hash = @hash`

// pauses lists the pauses after one, two, three failures and so on, up to the longest.
var pauses = func() (list []time.Duration) {
	for n := 1; ; n++ {
		list = append(list, account.Pause(n))
		if account.Pause(n) == account.LongestPause {
			return list
		}
	}
}()

// countAttempt counts an attempt before the password is verified, for known and unknown addresses. During a pause or at
// MaxFailures it counts nothing and returns fault.ErrRateLimited with the time to wait.
func (s *store) countAttempt(ctx context.Context, q data.Querier, c counter) error {
	args := postgres.Args{
		"hash": c.hash, "device_of": c.deviceOf, "ahead": s.Ahead(), "pauses": pauses, "max": account.MaxFailures,
	}
	var failures int
	err := q.QueryRow(ctx, insertAttempt, args).Scan(&failures)
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	var wait time.Duration
	err = q.QueryRow(ctx, selectBlock, args).Scan(&failures, &wait)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // cleared meanwhile
		return fault.ErrRateLimited.After(time.Second)
	case err != nil:
		return err
	case failures >= account.MaxFailures:
		wait = account.LongestPause
	}
	return fault.ErrRateLimited.After(max(wait, time.Second))
}

const deleteAttempts = `DELETE FROM sign_in_attempts WHERE email_hash = $1`

// clearAttempts resets the counter c. It is called after a correct password.
func (s *store) clearAttempts(ctx context.Context, q data.Querier, c counter) error {
	_, err := q.Exec(ctx, deleteAttempts, c.hash)
	return err
}

const deleteAttemptsOf = `DELETE FROM sign_in_attempts WHERE email_hash = $1 OR device_of = $1`

// clearAttemptsOf resets all counters of an address, including the counters of its marks. It is called after a password
// reset and an activation by an administrator.
func (s *store) clearAttemptsOf(ctx context.Context, q data.Querier, email string) error {
	_, err := q.Exec(ctx, deleteAttemptsOf, data.Digest(email))
	return err
}

const decrementAttempts = `
UPDATE sign_in_attempts SET failures = greatest(failures - 1, 1), blocked_until = updated_at WHERE email_hash = $1`

// uncountAttempt undoes countAttempt for a password that was not verified. The counter does not go below 1.
func (s *store) uncountAttempt(ctx context.Context, q data.Querier, c counter) error {
	_, err := q.Exec(ctx, decrementAttempts, c.hash)
	return err
}

const recordUnknown = `
INSERT INTO sign_in_attempts AS a (email_hash, device_of, failures, blocked_until, updated_at)
VALUES (@hash, @device_of, 1, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (email_hash) DO UPDATE SET updated_at = EXCLUDED.updated_at`

// recordUnknown writes a row for a failed sign-in to an unknown address. For a known address an event is appended
// instead, so that both responses take the same time.
func (s *store) recordUnknown(ctx context.Context, q data.Querier, c counter) error {
	_, err := q.Exec(ctx, recordUnknown, postgres.Args{"hash": c.hash, "device_of": c.deviceOf, "ahead": s.Ahead()})
	return err
}
