package privacy

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
)

// The SQL of the reports of the page Privacy.

const selectNotices = `
SELECT notice_version, count(*), min(created_at), max(created_at)
FROM visits WHERE notice_version <> '' GROUP BY notice_version ORDER BY max(created_at) DESC`

func (s *store) noticeVersions(ctx context.Context) ([]noticeVersion, error) {
	rows, err := s.Pool.Query(ctx, selectNotices)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(one pgx.CollectableRow) (v noticeVersion, err error) {
		err = one.Scan(&v.Version, &v.Visits, (*time.Time)(&v.First), (*time.Time)(&v.Last))
		return v, err
	})
	return append([]noticeVersion{}, all...), err
}

const selectUses = bounds + `
SELECT (at AT TIME ZONE @zone)::date::text, user_id, role, call, count(*), sum(cardinality(visit_ids))::bigint
FROM bounds, access_log WHERE at >= begins AND at < ends
GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC, 2, 4`

func (s *store) uses(ctx context.Context, period privacy.Period) ([]privacy.Use, error) {
	args := postgres.Args{"from": period.From, "to": period.To, "zone": s.Zone}
	rows, err := s.Pool.Query(ctx, selectUses, args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[privacy.Use])
}
