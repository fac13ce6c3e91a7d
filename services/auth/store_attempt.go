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

// counter names the row that counts attempts to sign in: those from unknown browsers to one address, or those of one
// device mark.
type counter struct {
	hash     []byte
	deviceOf []byte // the hash of the address that a device mark was issued for, else nil
}

// strangers counts the attempts of browsers that have no device mark of an address.
func strangers(email string) counter { return counter{hash: digest(email)} }

// ofDevice counts the attempts of one device mark.
func ofDevice(email string, mark device) counter {
	return counter{hash: digest(deviceCookie + "\n" + mark.Nonce), deviceOf: digest(email)}
}

const selectDeviceFailures = `
SELECT coalesce(sum(failures), 0), now() + @ahead::interval FROM sign_in_attempts WHERE device_of = @hash`

// deviceFailures counts the failures of all device marks of an address since they were forgiven, and reads the time.
func (s *store) deviceFailures(ctx context.Context, q querier, email string) (failures int, now time.Time, err error) {
	err = q.QueryRow(ctx, selectDeviceFailures, postgres.Args{"hash": digest(email), "ahead": s.ahead()}).Scan(&failures, &now)
	return failures, now, err
}

// An attempt counts as a failure until it is forgiven: many guesses at once then cannot outrun the count.
const countAttempt = `
INSERT INTO sign_in_attempts AS a (email_hash, device_of, failures, blocked_until, updated_at)
VALUES (@hash, @device_of, 1, now() + @ahead::interval, now() + @ahead::interval)
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

// attempt counts a try to sign in, also to an address that is not known. Where it must wait, the answer is
// fault.ErrRateLimited with the time.
func (s *store) attempt(ctx context.Context, q querier, c counter) error {
	args := postgres.Args{"hash": c.hash, "device_of": c.deviceOf, "ahead": s.ahead(), "pauses": pauses, "max": account.MaxFailures}
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

const forgetAttempt = `DELETE FROM sign_in_attempts WHERE email_hash = $1`

// forget forgets the failures that one counter has counted: the password was right.
func (s *store) forget(ctx context.Context, q querier, c counter) error {
	_, err := q.Exec(ctx, forgetAttempt, c.hash)
	return err
}

const forgiveAttempts = `DELETE FROM sign_in_attempts WHERE email_hash = $1 OR device_of = $1`

// forgive forgets all failures of an address, also those of its devices: a reset or an administrator vouches for its owner.
func (s *store) forgive(ctx context.Context, q querier, email string) error {
	_, err := q.Exec(ctx, forgiveAttempts, digest(email))
	return err
}

const takeBackAttempt = `
UPDATE sign_in_attempts SET failures = greatest(failures - 1, 1), blocked_until = updated_at WHERE email_hash = $1`

// takeBack uncounts an attempt that was not judged.
func (s *store) takeBack(ctx context.Context, q querier, c counter) error {
	_, err := q.Exec(ctx, takeBackAttempt, c.hash)
	return err
}

const noteStranger = `
INSERT INTO sign_in_attempts AS a (email_hash, device_of, failures, blocked_until, updated_at)
VALUES (@hash, @device_of, 1, now() + @ahead::interval, now() + @ahead::interval)
ON CONFLICT (email_hash) DO UPDATE SET updated_at = EXCLUDED.updated_at`

// noteStranger records a failed attempt for an address without an account.
func (s *store) noteStranger(ctx context.Context, q querier, c counter) error {
	_, err := q.Exec(ctx, noteStranger, postgres.Args{"hash": c.hash, "device_of": c.deviceOf, "ahead": s.ahead()})
	return err
}
