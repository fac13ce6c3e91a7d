// Package visits is the service that owns visits: registration with a token, decision, session, completion.
//
// New puts its parts together. README.md says which package has what, and in which order to read them.
package visits

import (
	"context"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"baari.dev/services/operate"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/visits/attention"
	"baari.dev/services/visits/batch"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/migrations"
	"baari.dev/services/visits/offline"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/privacy"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visitors"
)

// Service has the parts of the service, all on one database.
type Service struct {
	pool      *pgxpool.Pool
	outbox    *outbox.Outbox
	directory *catalog.Directory
	papers    *papers.Papers
	privacy   *privacy.Privacy
	forecasts *forecast.Forecaster
	queue     *queue.Queue
	batch     *batch.Batch
	attention *attention.Attention
	visitors  *visitors.Visitors
	desks     *offline.Desks
}

// Deps are the dependencies of the service.
type Deps struct {
	Pool       *pgxpool.Pool // serves requests
	Background *pgxpool.Pool // serves forecasts; no public request uses it
	Outbox     *outbox.Outbox
	Zone       string                // IANA name of the office's time zone, which defines the office day
	Directory  *identity.Client      // calls directory
	Auth       *identity.Client      // calls auth, which knows the paired desks
	Services   operate.Installation  // all services, for the page Privacy
	Registry   prometheus.Registerer // gets the metrics
}

// New returns a service.
func New(deps Deps) *Service {
	db := row.NewDB(deps.Pool, deps.Zone)
	s := &Service{pool: deps.Pool, outbox: deps.Outbox, directory: catalog.New(deps.Pool, deps.Directory)}
	deps.Registry.MustRegister(s.directory.Metric())
	s.papers = papers.New(db, deps.Outbox)
	s.privacy = privacy.New(db, deps.Outbox, s.papers, deps.Services, deps.Registry)
	s.forecasts = forecast.New(db, row.NewDB(deps.Background, deps.Zone), deps.Registry)
	s.queue = queue.New(db, deps.Outbox, s.directory, s.privacy, s.forecasts, deps.Registry)
	s.batch = batch.New(db, s.queue)
	s.attention = attention.New(db, s.queue, deps.Registry)
	s.visitors = visitors.New(db, s.queue, s.forecasts)
	s.desks = offline.New(db, deps.Outbox, deps.Auth, s.directory, s.papers, s.privacy, s.queue, deps.Registry)
	return s
}

// Migrations returns the migrations of this service's database.
func Migrations() []postgres.Set { return migrations.All() }

// DirectoryCopy returns the sink that applies directory's events to this service's projection.
func (s *Service) DirectoryCopy() *feed.Projection { return s.directory.Projection() }

// Conflicts are the codes of 409 and 412 that the service can return.
var Conflicts = slices.Concat(row.Conflicts, privacy.Conflicts)

// Routes returns the public routes.
func (s *Service) Routes() []endpoint.Route {
	return slices.Concat(s.queue.Routes(), s.batch.Routes(), s.attention.Routes(), s.papers.Routes(),
		s.privacy.Routes(), s.forecasts.Routes(), s.desks.Routes())
}

// InternalRoutes returns the routes of the internal listener, with the import only if demo is true.
func (s *Service) InternalRoutes(demo bool) []endpoint.Route {
	routes := slices.Concat(s.privacy.InternalRoutes(), s.visitors.InternalRoutes())
	if demo {
		routes = append(routes, s.importRoute())
	}
	return routes
}

// Retention returns the retention tasks.
func (s *Service) Retention() []retention.Task {
	return slices.Concat(s.privacy.Retention(), s.forecasts.Retention(), s.desks.Retention())
}

// KeyLives has the lifetimes of the idempotency keys of registrations.
var KeyLives = idempotency.Lives{
	queue.RegistrationScope: queue.RegistrationLife, visitors.ArrivalScope: queue.RegistrationLife,
}

// Run runs the background work until ctx ends: it sweeps the line, follows up on calls, forecasts, deletes old keys.
func (s *Service) Run(ctx context.Context, log *slog.Logger) error {
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { return s.queue.Sweep(ctx, log) })
	work.Go(func() error { return s.attention.Follow(ctx, log) })
	work.Go(func() error { return s.forecasts.Run(ctx, log) })
	work.Go(func() error { return KeyLives.Forget(ctx, s.pool, log) })
	return work.Wait()
}
