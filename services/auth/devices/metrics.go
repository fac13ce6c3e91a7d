package devices

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/postgres"
)

// Collectors returns the collectors of the metrics of paired desks and of screens.
func (s *Devices) Collectors() []prometheus.Collector {
	return []prometheus.Collector{desks{s.store}, screens{s.store}}
}

var deskAge = prometheus.NewDesc("baari_offline_desk_age_seconds",
	"Time since the last contact of the desk of a series, or since its pairing; 0 without a paired desk.",
	[]string{"series"}, nil)

// desks collects from the database the time since each paired desk was last seen or, if it was never seen, paired. It
// exports nothing while the database is unavailable.
type desks struct{ store *store }

// Describe implements prometheus.Collector.
func (c desks) Describe(out chan<- *prometheus.Desc) { out <- deskAge }

// Collect implements prometheus.Collector.
func (c desks) Collect(out chan<- prometheus.Metric) {
	ages := map[string]float64{}
	read := postgres.Sample(c.store.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, selectDeskAges, postgres.Args{"ahead": c.store.Ahead()})
		if err != nil {
			return err
		}
		var series string
		var age float64
		_, err = pgx.ForEachRow(rows, []any{&series, &age}, func() error {
			ages[series] = age
			return nil
		})
		return err
	})
	if !read {
		return
	}
	for _, series := range strings.Split(AllSeries, "") {
		out <- prometheus.MustNewConstMetric(deskAge, prometheus.GaugeValue, ages[series], series)
	}
}

var screenCount = prometheus.NewDesc("baari_screens", "Paired screens of the waiting room, by what they last reported.",
	[]string{"state"}, nil)

// screenStates are the states of paired screens. A silent screen has not reported for screenSilent. A blocked screen
// has reported that its browser plays no sound.
var screenStates = []string{"works", "blocked", "silent"}

// screens collects the number of paired screens in each state from the database. It exports nothing while the database
// is unavailable.
type screens struct{ store *store }

// Describe implements prometheus.Collector.
func (c screens) Describe(out chan<- *prometheus.Desc) { out <- screenCount }

// Collect implements prometheus.Collector.
func (c screens) Collect(out chan<- prometheus.Metric) {
	counts := map[string]int{}
	read := postgres.Sample(c.store.Pool, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, selectScreens, postgres.Args{"ahead": c.store.Ahead(), "silent": screenSilent})
		if err != nil {
			return err
		}
		var state string
		var n int
		_, err = pgx.ForEachRow(rows, []any{&state, &n}, func() error {
			counts[state] = n
			return nil
		})
		return err
	})
	if !read {
		return
	}
	for _, state := range screenStates {
		out <- prometheus.MustNewConstMetric(screenCount, prometheus.GaugeValue, float64(counts[state]), state)
	}
}
