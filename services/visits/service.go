// Package visits is the service that owns visits: registration with a token, decision, session, completion.
//
// Start with package visit, which has the rules. Then read service.go for the use cases, command.go and write.go for
// the one write path (command, plan, apply, commit), batcher.go for the batches, store.go for SQL and http.go for the
// routes.
package visits

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// Service has the use cases. Its methods read the caller from the context; the route table has already checked the
// caller's role.
type Service struct {
	store     *store
	directory *directory
	outbox    *outbox.Outbox
	access    *accessLog
	metrics   metrics
	// Registrations and decisions are written in batches; starts and completions, which wait for the consultant's
	// other sessions, are not.
	registrations, decisions *batcher[*command]
}

// New returns a service over pool. zone is the IANA name of the office's time zone, which defines the office day. ask
// is the client for directory.
func New(pool *pgxpool.Pool, o *outbox.Outbox, ask *identity.Client, zone string) *Service {
	s := &Service{store: &store{pool: pool, zone: zone}, directory: &directory{pool: pool, ask: ask}, outbox: o, access: &accessLog{pool: pool},
		metrics: newMetrics()}
	s.registrations = &batcher[*command]{commit: s.commit}
	s.decisions = &batcher[*command]{commit: s.commit}
	return s
}

// DirectoryCopy returns the sink that applies directory's events to this service's projection.
func (s *Service) DirectoryCopy() feed.Sink { return s.directory.projection() }

// Create registers a visitor with the day's next token. A request with a key that was used before returns the stored
// answer, marked as replayed. Errors: service_unknown, key_reused, busy_key.
func (s *Service) Create(ctx context.Context, req createVisit) (createdVisit, error) {
	by := actor(ctx)
	id, err := uuid.Parse(req.ServiceID)
	if err != nil {
		return createdVisit{}, errServiceUnknown
	}
	key, err := idempotency.Of(by.ID, "POST /api/visits", req.key, req)
	if err != nil {
		return createdVisit{}, err
	}
	c := registration(ctx, by, visit.Visit{
		ID: uuid.Must(uuid.NewV7()).String(), Name: req.Name, Phone: req.Phone, ServiceID: id.String(), ReceptionNotes: req.Notes,
		Status: visit.New, CreatedBy: by.ID, CreatedByName: by.Name,
	}, key)
	if err := s.do(c, s.registrations); err != nil {
		return createdVisit{}, err
	}
	if c.replayed != nil {
		return createdVisit{*c.replayed, true}, nil
	}
	s.metrics.changed(ctx, c.now.Visit)
	return createdVisit{answerOf(c.now, by), false}, nil
}

// ChangeStatus approves, denies, starts or completes a visit. A repetition of the caller's own change returns the visit
// unchanged and publishes no event. The errors are those of api.md section 2.
func (s *Service) ChangeStatus(ctx context.Context, req changeStatus) (changedVisit, error) {
	by := actor(ctx)
	c := statusChange(ctx, by, req.ID, req.wanted())
	with := s.decisions
	if transition, _ := visit.To(req.To); transition.Owned {
		with = nil
	}
	if err := s.do(c, with); err != nil {
		return changedVisit{}, postgres.Classify(refusal(err))
	}
	if c.changed {
		s.metrics.changed(ctx, c.now.Visit)
	}
	return changedVisit{answerOf(c.now, by)}, nil
}

// Today lists the visits of the office day; for a consultant, the visits assigned to the caller.
func (s *Service) Today(ctx context.Context, _ struct{}) (visitsAnswer, error) {
	by := actor(ctx)
	if by.Role == contract.RoleConsultant {
		list, err := s.store.assigned(ctx, by.ID)
		return s.answer(ctx, by, "today", list, err)
	}
	list, err := s.store.today(ctx)
	return s.answer(ctx, by, "today", list, err)
}

// Pending lists the visits without a decision, oldest first.
func (s *Service) Pending(ctx context.Context, _ struct{}) (visitsAnswer, error) {
	list, err := s.store.pending(ctx)
	return s.answer(ctx, actor(ctx), "pending", list, err)
}

// answer records the disclosures of a list and returns it as shown to by.
func (s *Service) answer(ctx context.Context, by visit.Actor, call string, list snapshots, err error) (visitsAnswer, error) {
	if err != nil {
		return visitsAnswer{}, postgres.Classify(err)
	}
	if err := s.access.note(ctx, by, call, list); err != nil {
		return visitsAnswer{}, err
	}
	return listOf(list, by), nil
}

// Lookup finds a returning visitor by phone and records the disclosure.
func (s *Service) Lookup(ctx context.Context, req lookupVisitor) (visitorAnswer, error) {
	known, at, err := s.store.byPhone(ctx, req.Phone, actor(ctx))
	if err != nil {
		return visitorAnswer{}, postgres.Classify(err)
	}
	answer := visitorAnswer{at: at}
	if known != nil {
		answer.Visitor = &visitor{Name: known.Name, Visits: known.Visits, LastVisit: known.LastDay}
	}
	return answer, nil
}

func actor(ctx context.Context) visit.Actor {
	caller, _ := identity.From(ctx)
	return visit.Actor{ID: caller.ID, Name: caller.Name, Role: caller.Role}
}

func positionHeader(at feed.Position) string { return at.Header(contract.SourceVisits) }
