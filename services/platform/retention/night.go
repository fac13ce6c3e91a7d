package retention

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// Night describes one run: when it ran and how much it has erased.
type Night struct {
	Day        string           `json:"day"`
	OlderThan  wire.Time        `json:"olderThan"`
	StartedAt  wire.Time        `json:"startedAt"`
	FinishedAt wire.Time        `json:"finishedAt"`
	Erased     map[string]int64 `json:"erased"` // rows by task
}

// lastAnswer is {"night": …}; night is null before the first run.
type lastAnswer struct {
	Night *Night `json:"night"`
}

// Route returns the internal route that responds with the last run, read from the database of pool.
func Route(pool *pgxpool.Pool) endpoint.Route {
	return endpoint.Route{
		Method: http.MethodGet, Pattern: "/internal/retention", Access: endpoint.Service(),
		Handler: endpoint.JSON(endpoint.Nothing, func(ctx context.Context, _ struct{}) (lastAnswer, error) {
			night, err := last(ctx, pool)
			return lastAnswer{night}, postgres.Classify(err)
		}),
	}
}

const selectLast = `
SELECT day::text, older_than, started_at, finished_at, erased FROM retention_nights ORDER BY day DESC LIMIT 1`

func last(ctx context.Context, pool *pgxpool.Pool) (*Night, error) {
	var night Night
	var erased []byte
	err := pool.QueryRow(ctx, selectLast).Scan(&night.Day, (*time.Time)(&night.OlderThan),
		(*time.Time)(&night.StartedAt), (*time.Time)(&night.FinishedAt), &erased)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &night, json.Unmarshal(erased, &night.Erased)
}
