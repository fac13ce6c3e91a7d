// Package audit is the service that owns the audit trail, a chain of records in which every change is detected, and the
// statistics and exports of visits. All of it is projected from the events of the services.
//
// Start with package chain. Then read project.go and record.go (events to records), project_visits.go (statistics), the
// use cases in service.go, trail.go and export.go, verify.go and anchor.go (the checks), store*.go for SQL and http.go
// for the routes.
package audit

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"

	"baari.dev/services/audit/chain"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// Options are the settings of an installation.
type Options struct {
	Key        chain.Key
	Zone       string // IANA name of the time zone in which days begin
	MaskPhones bool   // phones are masked in the export
	// Keep stores a head outside this database; nil: heads are stored only in this database and in the log.
	Keep func(context.Context, chain.Head) error
}

// Service has the use cases. The route table has already checked the caller's role.
type Service struct {
	store   *store
	outbox  *outbox.Outbox
	options Options
	log     *slog.Logger
	metrics metrics
	exports *semaphore.Weighted // one export at a time
	kept    chain.Head          // the last head that Options.Keep stored; only Anchor uses it
}

// New returns a service over pool. Statements that may take long, such as exports and checks of the chain, use feeds, a
// pool without a statement timeout.
func New(pool, feeds *pgxpool.Pool, o *outbox.Outbox, options Options, log *slog.Logger) *Service {
	return &Service{
		store: &store{pool: pool, feeds: feeds, zone: options.Zone}, outbox: o, options: options, log: log,
		metrics: newMetrics(), exports: semaphore.NewWeighted(1),
	}
}

// Days is a period of office days such as 2026-11-23; it includes Start and End.
type Days struct{ Start, End string }

// Counts are numbers of visits by current status. Total also counts visitors who left, did not come or were cancelled;
// Denied does not.
type Counts struct {
	Total, New, Approved, InSession, Completed, Denied int
}

// Stages counts the visits created on one day in each of the stages that share a status with other stages.
type Stages struct {
	Waiting, Called, Held, Missed, Left, NoShow, Cancelled int
}

// Dashboard has today's counts, the average waiting time and the arrivals. Waiting time and arrivals are computed over
// today, or over the last 30 days while today has fewer than ten visits.
type Dashboard struct {
	Day         string
	Today       Counts
	Stages      Stages
	WaitMinutes *float64 // average from arrival to the start of the session; nil when no session started
	Arrivals    [24]int  // indexed by hour of the office day
	At          feed.Position
}

// Dashboard returns today's counts and their feed position, read in one statement.
func (s *Service) Dashboard(ctx context.Context) (Dashboard, error) { return s.store.dashboard(ctx) }

// Peak returns the first of the two consecutive hours with the most arrivals; ok is false when there were none. Of
// equal pairs, the pair whose first hour has more arrivals wins, then the earliest.
func (d Dashboard) Peak() (hour int, ok bool) {
	most := 0
	for h := range 23 {
		came := d.Arrivals[h] + d.Arrivals[h+1]
		if came > most || came == most && d.Arrivals[h] > d.Arrivals[hour] {
			hour, most = h, came
		}
	}
	return hour, most > 0
}

// Tally has the counts and the minutes of a set of visits. Minutes are nil if no visit has the measured interval.
type Tally struct {
	Counts
	WaitMinutes, LongestWait       *float64 // average and longest time from arrival to the session's start
	SessionMinutes, LongestSession *float64 // average and longest completed session, without holds
}

// Slice is the tally of one day or one partner. A consultant's partners are services; a service's are consultants.
type Slice struct {
	Key, Name string
	Tally
}

// Figures has the tallies of one consultant or one service in a period.
type Figures struct {
	Days     Days
	Total    Tally
	ByDay    []Slice // days with visits, in order
	Partners []Slice // most visits first
	At       feed.Position
}

// ConsultantFigures returns the figures of a consultant, by day and by service. They are zero for an unknown id.
func (s *Service) ConsultantFigures(ctx context.Context, id string, days Days) (Figures, error) {
	return s.store.figures(ctx, selectConsultantFigures, id, days)
}

// ServiceFigures returns the figures of a service, by day and by consultant. They are zero for an unknown id.
func (s *Service) ServiceFigures(ctx context.Context, id string, days Days) (Figures, error) {
	return s.store.figures(ctx, selectServiceFigures, id, days)
}
