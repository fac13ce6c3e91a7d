// Package idempotency lets a client repeat a request without repeating its effect: the Idempotency-Key is stored with
// the response, in the transaction of the change, for a day or for the time in Lives. It owns the table idempotency.
//
// Start with Of and Key.Reserve; ReserveAll and Queue are for requests that share a transaction.
package idempotency

import (
	"context"
	"crypto/sha256"
	"embed"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migration of the table idempotency.
func Migrations() postgres.Set {
	return postgres.Embedded("idempotency", migrations)
}

// Headers: HeaderKey is for a request that can be repeated, HeaderReplayed for a replayed response.
const (
	HeaderKey      = "Idempotency-Key"
	HeaderReplayed = "Idempotency-Replayed"
)

// Errors of Reserve.
var (
	ErrKeyReused = fault.New(fault.Unprocessable, "key_reused", "This key was used for another request.")
	ErrBusyKey   = fault.New(fault.Conflict, "busy_key", "The same request is still running.").After(time.Second)
)

// Key identifies one request of one caller across retries. With the zero Key nothing is stored and nothing replayed.
type Key struct {
	actor, route, key string
	meaning           [sha256.Size]byte
}

// The length of a key, in characters.
const shortest, longest = 8, 128

var keyWrong = fault.NewMessage(fault.CodeInvalidKey, "A key has 8 to 128 visible characters.").
	With("min", shortest).With("max", longest)

// FromHeader returns the key of a request, "" if there is none. It returns a fault of code "validation" for a key that
// does not have 8 to 128 visible ASCII characters.
func FromHeader(header http.Header) (string, error) {
	values := header.Values(HeaderKey)
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	if len(values) > 1 || len(key) < shortest || len(key) > longest || !visible(key) {
		return "", fault.Field(HeaderKey, keyWrong)
	}
	return key, nil
}

func visible(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// Of returns the Key of a request. meaning is the decoded request: equal requests in two encodings have one Key.
func Of(actor, route, key string, meaning any) (Key, error) {
	if key == "" {
		return Key{}, nil
	}
	text, err := json.Marshal(meaning, json.Deterministic(true))
	return Key{actor: actor, route: route, key: key, meaning: sha256.Sum256(text)}, err
}

// Keys stay in use until they are deleted. The update changes nothing; it locks the row, which is read next.
const reserve = `
INSERT INTO idempotency (actor_id, route, idem_key, meaning) VALUES ($1, $2, $3, $4)
ON CONFLICT (actor_id, route, idem_key) DO UPDATE SET meaning = idempotency.meaning WHERE false`

const read = `SELECT meaning, answer FROM idempotency WHERE actor_id = $1 AND route = $2 AND idem_key = $3`

// Reserve must be the first statement of its transaction: a concurrent request with the same key waits here for the
// first one. If the key was used before, Reserve reads the stored answer into answer and returns replayed. It returns
// ErrKeyReused if the earlier request had another meaning, and ErrBusyKey after waiting two seconds.
func (k Key) Reserve(ctx context.Context, tx pgx.Tx, answer any) (replayed bool, err error) {
	if k.key == "" {
		return false, nil
	}
	tag, err := tx.Exec(ctx, reserve, k.actor, k.route, k.key, k.meaning[:])
	if postgres.Code(err) == "55P03" {
		return false, ErrBusyKey.Because(err)
	}
	if err != nil || tag.RowsAffected() == 1 {
		return false, err
	}
	var meaning, stored []byte
	if err := tx.QueryRow(ctx, read, k.actor, k.route, k.key).Scan(&meaning, &stored); err != nil {
		return false, err
	}
	if [sha256.Size]byte(meaning) != k.meaning {
		return false, ErrKeyReused
	}
	return true, json.Unmarshal(stored, answer)
}

// The statement returns the reserved keys, not those used before. Keys are locked in a fixed order, so that two
// transactions cannot deadlock.
const reserveAll = `
INSERT INTO idempotency (actor_id, route, idem_key, meaning)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS k(actor_id, route, idem_key, meaning)
ORDER BY actor_id, route, idem_key
ON CONFLICT (actor_id, route, idem_key) DO NOTHING
RETURNING actor_id, route, idem_key`

// The lock timeout for a key that another transaction has just reserved is short, because the whole batch waits
// meanwhile. Afterwards the connection's own timeout applies.
const (
	shortLockTimeout   = `SET LOCAL lock_timeout = '50ms'`
	defaultLockTimeout = `SET LOCAL lock_timeout TO DEFAULT`
)

// ReserveAll reserves the keys of several requests that share a transaction. free is true for a zero Key and for a key
// that was not used before; of two equal keys, only for the first. ReserveAll returns ErrBusyKey while another
// transaction holds one of the keys; tx must then be rolled back.
func ReserveAll(ctx context.Context, tx pgx.Tx, keys []Key) (free []bool, err error) {
	free = make([]bool, len(keys))
	at := map[[3]string]int{}
	var actors, routes, texts []string
	var meanings [][]byte
	for i, k := range keys {
		name := [3]string{k.actor, k.route, k.key}
		if _, twice := at[name]; k.key == "" || twice {
			free[i] = k.key == ""
			continue
		}
		at[name] = i
		actors, routes = append(actors, k.actor), append(routes, k.route)
		texts, meanings = append(texts, k.key), append(meanings, k.meaning[:])
	}
	if len(texts) == 0 {
		return free, nil
	}
	batch := &pgx.Batch{}
	batch.Queue(shortLockTimeout)
	batch.Queue(reserveAll, actors, routes, texts, meanings).Query(func(rows pgx.Rows) error {
		var name [3]string
		_, err := pgx.ForEachRow(rows, []any{&name[0], &name[1], &name[2]}, func() error {
			free[at[name]] = true
			return nil
		})
		return err
	})
	batch.Queue(defaultLockTimeout)
	err = tx.SendBatch(ctx, batch).Close()
	if postgres.Code(err) == "55P03" {
		return nil, ErrBusyKey.Because(err)
	}
	return free, err
}

// LIMIT makes the plan one lookup in the primary key for each key, whatever the statistics are.
const used = `
SELECT k.place FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[]) AS k(place, actor, route, idem_key),
LATERAL (SELECT FROM idempotency i
  WHERE i.actor_id = k.actor AND i.route = k.route AND i.idem_key = k.idem_key LIMIT 1) AS stored`

// Used reports for each of several keys whether it was used before, which is false for a zero Key.
func Used(ctx context.Context, tx pgx.Tx, keys []Key) ([]bool, error) {
	found := make([]bool, len(keys))
	var places []int
	var actors, routes, texts []string
	for i, k := range keys {
		if k.key != "" {
			places, actors = append(places, i), append(actors, k.actor)
			routes, texts = append(routes, k.route), append(texts, k.key)
		}
	}
	if len(places) == 0 {
		return found, nil
	}
	rows, err := tx.Query(ctx, used, places, actors, routes, texts)
	if err != nil {
		return nil, err
	}
	var place int
	_, err = pgx.ForEachRow(rows, []any{&place}, func() error {
		found[place] = true
		return nil
	})
	return found, err
}

const store = `UPDATE idempotency SET answer = $4 WHERE actor_id = $1 AND route = $2 AND idem_key = $3`

// Store stores the answer for retries with the same key.
func (k Key) Store(ctx context.Context, tx pgx.Tx, answer any) error {
	if k.key == "" {
		return nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, store, k.actor, k.route, k.key, text)
	return err
}

// Response is an answer and the key under which it is stored.
type Response struct {
	Key    Key
	Answer any
}

// The rows exist already, so the INSERT updates them. With outdated statistics an UPDATE could be planned as a scan of
// the table; this statement always uses the primary key.
const storeAll = `
INSERT INTO idempotency (actor_id, route, idem_key, meaning, answer)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::jsonb[])
ON CONFLICT (actor_id, route, idem_key) DO UPDATE SET answer = EXCLUDED.answer`

// Queue adds to a batch the statement that stores the answers of requests that share a transaction, for retries with
// the same keys.
func Queue(batch *pgx.Batch, all ...Response) error {
	var actors, routes, texts []string
	var meanings, answers [][]byte
	for _, r := range all {
		if r.Key.key == "" {
			continue
		}
		answer, err := json.Marshal(r.Answer)
		if err != nil {
			return err
		}
		actors, routes, texts = append(actors, r.Key.actor), append(routes, r.Key.route), append(texts, r.Key.key)
		meanings, answers = append(meanings, r.Key.meaning[:]), append(answers, answer)
	}
	if len(texts) > 0 {
		batch.Queue(storeAll, actors, routes, texts, meanings, answers)
	}
	return nil
}

const forget = `
DELETE FROM idempotency i WHERE created_at < now() - interval '24 hours' AND NOT EXISTS (
  SELECT FROM unnest($1::text[], $2::interval[]) AS l(route, life)
  WHERE l.route = i.route AND i.created_at >= now() - l.life)`

// Lives has the lifetime of keys for each route whose keys are kept longer than a day.
type Lives map[string]time.Duration

// Delete deletes the keys whose lifetime is over.
func (l Lives) Delete(ctx context.Context, pool *pgxpool.Pool) error {
	routes := slices.Collect(maps.Keys(l))
	lives := make([]time.Duration, len(routes))
	for i, route := range routes {
		lives[i] = l[route]
	}
	_, err := pool.Exec(ctx, forget, routes, lives)
	return err
}

// Forget deletes the keys whose lifetime is over, every hour, until ctx ends.
func (l Lives) Forget(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := l.Delete(ctx, pool); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "old idempotency keys are deleted an hour later", "cause", err)
			}
		}
	}
}

// Claim takes over the key of a request that another caller may have sent. If the request was carried out before, Claim
// reads its stored answer into answer and returns answered. If not, Claim stores a meaning that no request has: the
// request is rejected from now on. Like Reserve, Claim must come first in its transaction and can return ErrBusyKey.
func Claim(ctx context.Context, tx pgx.Tx, actor, route, key string, answer any) (answered bool, err error) {
	tag, err := tx.Exec(ctx, reserve, actor, route, key, claimed[:])
	if postgres.Code(err) == "55P03" {
		return false, ErrBusyKey.Because(err)
	}
	if err != nil || tag.RowsAffected() == 1 {
		return false, err
	}
	var meaning, stored []byte
	if err := tx.QueryRow(ctx, read, actor, route, key).Scan(&meaning, &stored); err != nil || stored == nil {
		return false, err
	}
	return true, json.Unmarshal(stored, answer)
}

// claimed is the meaning of keys that were claimed. No request has it.
var claimed [sha256.Size]byte
