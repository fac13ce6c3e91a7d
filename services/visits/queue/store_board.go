package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Calls and sessions are those of today, including visits that are left over from an earlier day.
const selectCalls = `
SELECT id::text, token_series, token_no, token_also, counter, called_at, call_count, language FROM visits
WHERE called_at >= ` + row.StartOfToday + ` AND call_count > 0
ORDER BY called_at DESC, id LIMIT 8`

const selectServing = `
SELECT v.token_series, v.token_no, v.token_also, coalesce(nullif(v.counter, ''), d.counter, '') AS at FROM visits v
LEFT JOIN desks d ON d.consultant_id = v.consultant_id
WHERE v.stage = 'in-session' AND v.sat_since >= ` + row.StartOfToday + `
ORDER BY length(coalesce(nullif(v.counter, ''), d.counter, '')), at, v.token_series, v.token_no`

func (s *store) board(ctx context.Context) (answer boardAnswer, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.Pool, snapshot, func(tx pgx.Tx) error {
		at, err := s.ReadPoint(ctx, tx)
		if err != nil {
			return err
		}
		answer.at, answer.Day = at.Feed, at.Today
		zone := postgres.Args{"zone": s.Zone}
		if answer.Calls, err = collectRows(ctx, tx, selectCalls, zone, scanBoardCall); err != nil {
			return err
		}
		if answer.Serving, err = collectRows(ctx, tx, selectServing, zone, scanBoardServing); err != nil {
			return err
		}
		answer.Next, err = s.next(ctx, tx)
		return err
	})
	return answer, err
}

const selectAlso = `SELECT id::text, token_also FROM visits WHERE id = ANY ($1) AND token_also <> ''`

// next reads the tokens of the first visitors of the line. Of a visitor with two tokens, it returns both or none.
func (s *store) next(ctx context.Context, tx pgx.Tx) ([]string, error) {
	have, reads := newLocked(), &pgx.Batch{}
	s.queueReads(reads, needs{policy: true, waiting: true}, have, true)
	if err := tx.SendBatch(ctx, reads).Close(); err != nil {
		return nil, err
	}
	first := line.Order(have.waiting, have.policy.MaxBypass)
	first = first[:min(len(first), mostNext)]
	ids := make([]string, len(first))
	for i, w := range first {
		ids[i] = w.ID
	}
	rows, err := tx.Query(ctx, selectAlso, ids)
	if err != nil {
		return nil, err
	}
	also := map[string]string{}
	var id, token string
	_, err = pgx.ForEachRow(rows, []any{&id, &token}, func() error {
		also[id] = token
		return nil
	})
	if err != nil {
		return nil, err
	}
	tokens := []string{}
	for _, w := range first {
		own := []string{visit.Token(w.Series, w.Token)}
		if also[w.ID] != "" {
			own = append(own, also[w.ID])
		}
		if len(tokens)+len(own) > mostNext {
			break
		}
		tokens = append(tokens, own...)
	}
	return tokens, nil
}

func collectRows[T any](
	ctx context.Context, tx pgx.Tx, statement string, args postgres.Args, scan pgx.RowToFunc[T],
) ([]T, error) {
	rows, err := tx.Query(ctx, statement, args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

func scanBoardCall(one pgx.CollectableRow) (c boardCall, err error) {
	var series, counter string
	var token int
	var at time.Time
	err = one.Scan(&c.VisitID, &series, &token, &c.TokenAlso, &counter, &at, &c.CallCount, &c.Language)
	c.CallID, c.At = fmt.Sprintf("%s:%d", c.VisitID, at.UnixMilli()), wire.Time(at)
	c.Token, c.Counter = visit.Token(series, token), wire.TextOf(counter)
	return c, err
}

func scanBoardServing(one pgx.CollectableRow) (b boardServing, err error) {
	var series, counter string
	var token int
	err = one.Scan(&series, &token, &b.TokenAlso, &counter)
	b.Token, b.Counter = visit.Token(series, token), wire.TextOf(counter)
	return b, err
}
