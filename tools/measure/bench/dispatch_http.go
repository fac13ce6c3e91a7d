package bench

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/httpclient"
	"baari.dev/tools/proof/checker"
)

// send sends one request to one of the replicas.
func (d *dispatch) send(
	ctx context.Context, id, key, method, path string, body map[string]any, into any,
) (status int, text []byte, err error) {
	request, err := httpclient.Request(ctx, method, d.bases[rand.IntN(len(d.bases))]+path, body)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+d.token)
	if id != "" {
		request.Header.Set("X-Request-Id", id)
	}
	if key != "" && method == http.MethodPost {
		request.Header.Set("Idempotency-Key", key)
	}
	answer, err := httpclient.Do(d.client, request)
	if err == nil && answer.Status/100 == 2 && into != nil {
		err = json.Unmarshal(answer.Body, into)
	}
	return answer.Status, answer.Body, err
}

// evidence reads what the checker needs of the visits and the outbox, once the relay has numbered every row.
func (d *dispatch) evidence(ctx context.Context) (*checker.Evidence, error) {
	e := &checker.Evidence{Ops: d.ops}
	if err := d.awaitNumbers(ctx); err != nil {
		return nil, err
	}
	rows, err := d.pool.Query(ctx, `SELECT seq, entity_id, type, version, request_id, created_at, after
		FROM public.outbox WHERE entity = 'visit' ORDER BY seq`)
	if err != nil {
		return nil, err
	}
	var row checker.Event
	var after map[string]any
	into := []any{&row.Seq, &row.Visit, &row.Type, &row.Version, &row.RequestID, &row.At, &after}
	_, err = pgx.ForEachRow(rows, into, func() error {
		row.After, row.ByHand = checker.StateOf(after), after["byHand"] == true
		e.Outbox = append(e.Outbox, row)
		after = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows, err = d.pool.Query(ctx, `SELECT id::text, status, stage, bypassed FROM public.visits`)
	if err != nil {
		return nil, err
	}
	var v checker.Visit
	_, err = pgx.ForEachRow(rows, []any{&v.ID, &v.Status, &v.Stage, &v.Place.Bypassed}, func() error {
		e.Visits = append(e.Visits, v)
		return nil
	})
	return e, err
}

// awaitNumbers waits until the relay has numbered every event.
func (d *dispatch) awaitNumbers(ctx context.Context) error {
	for until := time.Now().Add(numbersLimit); time.Now().Before(until); time.Sleep(retryPause) {
		var left int
		err := d.pool.QueryRow(ctx, `SELECT count(*) FROM public.outbox WHERE seq IS NULL`).Scan(&left)
		if err != nil || left == 0 {
			return err
		}
	}
	return errors.New("the relay has not numbered all events")
}

const numbersLimit = 30 * time.Second
