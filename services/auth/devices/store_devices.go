package devices

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

type store struct{ *data.DB }

// The columns of a device, in the order of deviceFields.
const deviceColumns = `id::text, kind, name, coalesce(series, ''), volume, coalesce(quiet_from, ''),
  coalesce(quiet_until, ''), coalesce(voice, ''), queue, paired_at, last_seen_at, revoked_at, created_at, version`

func deviceFields(d *device) []any {
	return []any{&d.ID, &d.Kind, &d.Name, &d.Series, &d.Volume, &d.QuietFrom, &d.QuietUntil, &d.Voice, &d.Queue,
		&d.PairedAt, &d.LastSeenAt, &d.RevokedAt, &d.CreatedAt, &d.Version}
}

func scanDevice(row pgx.CollectableRow) (d device, err error) {
	return d, row.Scan(deviceFields(&d)...)
}

const selectDevices = `
SELECT ` + deviceColumns + ` FROM devices ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id LIMIT 200`

func (s *store) devices(ctx context.Context, q data.Querier) ([]device, error) {
	rows, err := q.Query(ctx, selectDevices)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanDevice)
}

const (
	seriesLock = `SELECT pg_advisory_xact_lock(hashtextextended('baari auth series', 0))`
	// A desk that was not paired in time has issued no visitor tokens, so its series is free.
	selectSeries = `
SELECT DISTINCT series FROM devices
WHERE series IS NOT NULL AND CASE WHEN paired_at IS NULL THEN revoked_at IS NULL AND pair_until > @now
  ELSE revoked_at IS NULL OR revoked_at > @rested END`
	selectUnpaired = `SELECT id::text FROM devices WHERE series = $1 AND revoked_at IS NULL AND paired_at IS NULL`
	insertADevice  = `
INSERT INTO devices (id, kind, name, series, pair_hash, pair_until, created_at, created_by)
VALUES (@id, @kind, @name, nullif(@series, ''), @hash, @until, @now, @by)
RETURNING ` + deviceColumns
)

// freeSeries returns the first free series, or errSeriesTaken, and locks all series until the transaction ends. A desk
// that was not paired in time can still have the free series in its row.
func (s *store) freeSeries(ctx context.Context, q data.Querier) (string, error) {
	if _, err := q.Exec(ctx, seriesLock); err != nil {
		return "", err
	}
	now, err := s.Now(ctx, q)
	if err != nil {
		return "", err
	}
	rows, err := q.Query(ctx, selectSeries, postgres.Args{"now": now, "rested": now.Add(-seriesRest)})
	taken, err := data.IDs(rows, err)
	if err != nil {
		return "", err
	}
	for _, letter := range strings.Split(AllSeries, "") {
		if !strings.Contains(strings.Join(taken, ""), letter) {
			return letter, nil
		}
	}
	return "", errSeriesTaken
}

// unpaired returns the ids of the desks that have the series in their row but were not paired in time.
func (s *store) unpaired(ctx context.Context, q data.Querier, series string) ([]string, error) {
	rows, err := q.Query(ctx, selectUnpaired, series)
	return data.IDs(rows, err)
}

func (s *store) addDevice(
	ctx context.Context, q data.Querier, d device, code []byte, by string,
) (device, error) {
	now, err := s.Now(ctx, q)
	if err != nil {
		return d, err
	}
	err = q.QueryRow(ctx, insertADevice, postgres.Args{
		"id": d.ID, "kind": d.Kind, "name": d.Name, "series": d.Series, "hash": code, "until": now.Add(pairLife),
		"now": now, "by": by,
	}).Scan(deviceFields(&d)...)
	return d, err
}

const lockADevice = `SELECT ` + deviceColumns + ` FROM devices WHERE id = $1 FOR UPDATE`

// lockDevice reads a device and locks its row for the transaction. It returns fault.ErrNotFound for an unknown id.
func (s *store) lockDevice(ctx context.Context, q data.Querier, id string) (d device, err error) {
	return oneDevice(q.QueryRow(ctx, lockADevice, id))
}

func oneDevice(row pgx.Row) (d device, err error) {
	err = row.Scan(deviceFields(&d)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, fault.ErrNotFound
	}
	return d, err
}

const updateDevice = `
UPDATE devices SET name = @name, volume = @volume, quiet_from = nullif(@from, ''), quiet_until = nullif(@until, ''),
  version = version + 1
WHERE id = @id RETURNING ` + deviceColumns

func (s *store) saveDevice(ctx context.Context, q data.Querier, d device) (device, error) {
	return oneDevice(q.QueryRow(ctx, updateDevice, postgres.Args{
		"id": d.ID, "name": d.Name, "volume": d.Volume, "from": d.QuietFrom, "until": d.QuietUntil,
	}))
}

const revokeADevice = `
UPDATE devices SET revoked_at = now() + @ahead::interval, secret_hash = NULL, pair_hash = NULL, pair_until = NULL,
  version = version + 1
WHERE id = @id RETURNING ` + deviceColumns

func (s *store) revokeDevice(ctx context.Context, q data.Querier, id string) (device, error) {
	return oneDevice(q.QueryRow(ctx, revokeADevice, postgres.Args{"id": id, "ahead": s.Ahead()}))
}

// The column pair_misses is not used: only an older release counted wrong codes in it.
const selectCode = `
SELECT ` + deviceColumns + ` FROM devices WHERE pair_hash = @hash AND pair_until > @now FOR UPDATE`

// lockCode reads the device of a pairing code and locks its row. found is false if the code is not valid.
func (s *store) lockCode(ctx context.Context, q data.Querier, code []byte) (d device, found bool, err error) {
	now, err := s.Now(ctx, q)
	if err != nil {
		return d, false, err
	}
	d, err = oneDevice(q.QueryRow(ctx, selectCode, postgres.Args{"hash": code, "now": now}))
	if errors.Is(err, fault.ErrNotFound) {
		return d, false, nil
	}
	return d, err == nil, err
}

const pairADevice = `
UPDATE devices SET secret_hash = @secret, pair_hash = NULL, pair_until = NULL, paired_at = now() + @ahead::interval,
  version = version + 1
WHERE id = @id RETURNING ` + deviceColumns

func (s *store) pairDevice(ctx context.Context, q data.Querier, id string, secret []byte) (device, error) {
	return oneDevice(q.QueryRow(ctx, pairADevice, postgres.Args{"id": id, "secret": secret, "ahead": s.Ahead()}))
}

const seeADevice = `
UPDATE devices SET last_seen_at = now() + @ahead::interval, voice = @voice, queue = @queue
WHERE id = @id AND revoked_at IS NULL RETURNING ` + deviceColumns

func (s *store) seeDevice(ctx context.Context, q data.Querier, id string, seen deviceSeen) (device, error) {
	return oneDevice(q.QueryRow(ctx, seeADevice, postgres.Args{
		"id": id, "voice": seen.Voice, "queue": seen.Queue, "ahead": s.Ahead(),
	}))
}

const seeADesk = `
UPDATE devices SET last_seen_at = now() + @ahead::interval WHERE secret_hash = @secret AND kind = 'desk'
RETURNING ` + deviceColumns

// seeDesk sets last_seen_at of the desk whose token has this hash. It returns fault.ErrNotFound if there is none.
func (s *store) seeDesk(ctx context.Context, q data.Querier, secret []byte) (device, error) {
	return oneDevice(q.QueryRow(ctx, seeADesk, postgres.Args{"secret": secret, "ahead": s.Ahead()}))
}

const selectDisplay = `SELECT ` + deviceColumns + ` FROM devices WHERE secret_hash = $1 AND kind = 'display'`

// displayOf returns the display whose token has the hash. It returns fault.ErrUnauthorized if there is none.
func (s *store) displayOf(ctx context.Context, q data.Querier, secret []byte) (device, error) {
	d, err := oneDevice(q.QueryRow(ctx, selectDisplay, secret))
	if errors.Is(err, fault.ErrNotFound) {
		return d, fault.ErrUnauthorized
	}
	return d, err
}

const selectDeskAges = `
SELECT series, extract(epoch FROM now() + @ahead::interval - coalesce(last_seen_at, paired_at))::float8
FROM devices WHERE kind = 'desk' AND paired_at IS NOT NULL AND revoked_at IS NULL`

const selectScreens = `
SELECT CASE
  WHEN last_seen_at IS NULL OR last_seen_at < now() + @ahead::interval - @silent::interval THEN 'silent'
  WHEN voice = 'blocked' THEN 'blocked'
  ELSE 'works' END AS state, count(*)
FROM devices WHERE kind = 'display' AND paired_at IS NOT NULL AND revoked_at IS NULL GROUP BY 1`
