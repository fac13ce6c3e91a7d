package forecast

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/office/due"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/foresight"
)

// This file has the SQL that reads the data from which arrivals are forecast.

const selectOfficeDay = `
SELECT (now() AT TIME ZONE $1)::date::text, coalesce((SELECT ` + catalog.Days + `::text FROM office), '')`

// Cancelled visits, such as undone registrations, do not count as arrivals.
const selectArrivals = `
SELECT v.office_day::text, extract(hour FROM coalesce(v.arrived_at, v.created_at) AT TIME ZONE @zone)::int,
  coalesce(s.name, ''), coalesce(s.due_group, ''), count(*)
FROM visits v LEFT JOIN services s ON s.id = v.service_id
WHERE v.office_day >= @today::text::date - @days::int AND v.office_day < @today::text::date AND v.stage <> 'cancelled'
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`

const selectCalendar = `
SELECT due_group, coalesce(due_on::text, ''), months, day, coalesce(moved_from::text, ''), coalesce(moved_to::text, '')
FROM due_dates WHERE is_active ORDER BY id`

func (s *store) arrivalsSeen(ctx context.Context) (seen arrivalsSeen, err error) {
	var today string
	if err := s.Pool.QueryRow(ctx, selectOfficeDay, s.Zone).Scan(&today, &seen.days); err != nil {
		return seen, err
	}
	if seen.today, err = time.Parse(time.DateOnly, today); err != nil {
		return seen, err
	}
	rows, err := s.Pool.Query(ctx, selectArrivals, postgres.Args{"zone": s.Zone, "today": today, "days": demandHistory})
	if err != nil {
		return seen, err
	}
	if seen.counts, err = pgx.CollectRows(rows, scanArrivals); err != nil {
		return seen, err
	}
	if rows, err = s.Pool.Query(ctx, selectCalendar); err != nil {
		return seen, err
	}
	entries, err := pgx.CollectRows(rows, scanDue)
	for _, entry := range entries {
		seen.due = append(seen.due, duesOf(entry, seen.today)...)
	}
	return seen, err
}

// scanArrivals reads a Count. If the service has no group, the group is derived from the service's name.
func scanArrivals(one pgx.CollectableRow) (c foresight.Count, err error) {
	var day, name string
	if err := one.Scan(&day, &c.Hour, &name, &c.Group, &c.Visitors); err != nil {
		return c, err
	}
	if c.Group == "" {
		c.Group = due.GroupOf(name)
	}
	c.Day, err = time.Parse(time.DateOnly, day)
	return c, err
}

func scanDue(one pgx.CollectableRow) (d demandDue, err error) {
	err = one.Scan(&d.group, &d.schedule.Date, &d.schedule.Months, &d.schedule.Day, &d.schedule.MovedFrom,
		&d.schedule.MovedTo)
	return d, err
}
