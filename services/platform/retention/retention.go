// Package retention erases data that is older than the retention period: once a night, by one replica. It owns the
// tables retention_night and retention_nights.
//
// Start with Job.
package retention

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the migrations of the tables retention_night and retention_nights.
func Migrations() postgres.Set {
	return postgres.Embedded("retention", migrations)
}

// Task erases one kind of data.
type Task struct {
	Name string // shown in the metric and the log
	// Erase erases some of the data older than the given time, in its own transaction, and returns the number of erased
	// rows. 0 means that no such data is left.
	Erase func(ctx context.Context, before time.Time) (int64, error)
}

// Job runs its tasks once each night, in the office's time zone.
type Job struct {
	pool  *pgxpool.Pool
	zone  string
	days  int
	log   *slog.Logger
	tasks []Task
	clock func() *time.Time // nil: PostgreSQL's

	erased *prometheus.CounterVec
	last   prometheus.Gauge
}

// New returns a job that keeps data for the given number of days. A night begins at midnight in zone, an IANA name.
// pool must have no idle-in-transaction timeout: a transaction is open in one of its connections while the job runs.
func New(
	pool *pgxpool.Pool,
	zone string,
	days int,
	registry prometheus.Registerer,
	log *slog.Logger,
	tasks ...Task,
) *Job {
	erased := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "baari_retention_erased_total", Help: "Rows erased or deleted after the retention period.",
	}, []string{"task"})
	last := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "baari_retention_last_success_seconds",
		Help: "Unix time of the last successful retention run of this replica; 0: none since it started.",
	})
	registry.MustRegister(erased, last)
	for _, task := range tasks {
		erased.WithLabelValues(task.Name)
	}
	return &Job{pool: pool, zone: zone, days: days, log: log, tasks: tasks, erased: erased, last: last}
}

// checkEvery is the interval at which the job checks whether it is due. A failed run is repeated after this interval.
const checkEvery = 10 * time.Minute

// Run runs the tasks whenever they are due, until ctx ends.
func (j *Job) Run(ctx context.Context) error {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for {
		if err := j.Night(ctx); err != nil && ctx.Err() == nil {
			j.log.ErrorContext(ctx, "retention: failed, will be tried again", "cause", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// claimNight locks the row of the last night. It returns no row if this night is done or another replica has the lock.
const claimNight = `
SELECT (coalesce($1, now()) AT TIME ZONE $2)::date::text, coalesce($1, now()) - make_interval(days => $3)
FROM retention_night WHERE day < (coalesce($1, now()) AT TIME ZONE $2)::date
FOR UPDATE SKIP LOCKED`

const closeNight = `UPDATE retention_night SET day = $1::date`

// noteNight stores a run, with times of the database's clock. forgetNights deletes runs that are older than 31 days.
const (
	noteNight = `
INSERT INTO retention_nights (day, older_than, started_at, finished_at, erased)
VALUES ($1::date, $2, now(), clock_timestamp(), $3)
ON CONFLICT (day) DO UPDATE SET older_than = EXCLUDED.older_than, started_at = EXCLUDED.started_at,
  finished_at = EXCLUDED.finished_at, erased = EXCLUDED.erased`

	forgetNights = `DELETE FROM retention_nights WHERE day < $1::date - 31`
)

// Night runs the tasks unless they have run since midnight in the office's time zone. A row lock excludes the other
// replicas. The database releases the lock if this replica ends.
func (j *Job) Night(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, j.pool, func(tx pgx.Tx) error {
		var day string
		var before time.Time
		err := tx.QueryRow(ctx, claimNight, j.now(), j.zone, j.days).Scan(&day, &before)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		erased, err := j.erase(ctx, before)
		if err != nil {
			return err
		}
		return j.close(ctx, tx, day, before, erased)
	})
	return postgres.Classify(err)
}

// close records the night and what was erased in it.
func (j *Job) close(ctx context.Context, tx pgx.Tx, day string, before time.Time, erased map[string]int64) error {
	counts, err := json.Marshal(erased)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, noteNight, day, before, counts); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forgetNights, day); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, closeNight, day)
	return err
}

func (j *Job) erase(ctx context.Context, before time.Time) (map[string]int64, error) {
	erased := map[string]int64{}
	counts := []any{"before", before.UTC()}
	for _, task := range j.tasks {
		total, err := j.exhaust(ctx, task, before)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", task.Name, err)
		}
		erased[task.Name] = total
		counts = append(counts, task.Name, total)
	}
	j.last.SetToCurrentTime()
	j.log.InfoContext(ctx, "retention: older data is erased", counts...)
	return erased, nil
}

func (j *Job) exhaust(ctx context.Context, task Task, before time.Time) (total int64, err error) {
	for {
		n, err := task.Erase(ctx, before)
		if err != nil || n == 0 {
			return total, err
		}
		total += n
		j.erased.WithLabelValues(task.Name).Add(float64(n))
	}
}

// now returns the time argument of statements. nil means PostgreSQL's clock; only tests set another clock.
func (j *Job) now() *time.Time {
	if j.clock == nil {
		return nil
	}
	return j.clock()
}
