package lobby

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/lobby/message"
)

const upsertCost = `
INSERT INTO costs (day, channel, sent, hundredths) VALUES ($1::date, $2, 1, $3)
ON CONFLICT (day, channel) DO UPDATE SET sent = costs.sent + 1, hundredths = costs.hundredths + EXCLUDED.hundredths`

// addCost adds a message and its cost to today's sums of a channel.
func (s *store) addCost(ctx context.Context, tx pgx.Tx, channel string, cost message.Cost) error {
	now, err := s.now(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertCost, now.In(s.zone).Format(time.DateOnly), channel, cost)
	return err
}

// Costs are shown by day for a month, and by month for a year.
const (
	selectDays = `
SELECT to_char(day, 'YYYY-MM-DD'), channel, sent, hundredths FROM costs WHERE day > $1::date - 31
ORDER BY day DESC, channel`
	selectMonths = `
SELECT to_char(day, 'YYYY-MM'), channel, sum(sent)::integer, sum(hundredths)::bigint FROM costs
WHERE day >= date_trunc('month', $1::date) - interval '11 months' GROUP BY 1, 2 ORDER BY 1 DESC, 2`
	forgetCosts = `DELETE FROM costs WHERE day < now() - interval '400 days'`
)

func (s *store) costs(ctx context.Context, now time.Time) (days, months []costBody, err error) {
	today := now.In(s.zone).Format(time.DateOnly)
	if days, err = s.costsBy(ctx, selectDays, today); err == nil {
		months, err = s.costsBy(ctx, selectMonths, today)
	}
	return days, months, err
}

func (s *store) costsBy(ctx context.Context, statement, today string) ([]costBody, error) {
	rows, err := s.pool.Query(ctx, statement, today)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c costBody, err error) {
		var cost message.Cost
		err = row.Scan(&c.Period, &c.Channel, &c.Sent, &cost)
		c.Paise = cost.Paise()
		return c, err
	})
}
