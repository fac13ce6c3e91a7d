// Package visits is the queue: a visit's life from its token to its completion.
package visits

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// Service is the use cases of the queue. Its methods may be called by whoever the route table admits; the
// caller is read from the context.
type Service struct {
	store     *store
	directory *directory
	outbox    *outbox.Outbox
	access    *accessLog
	metrics   metrics
	creates   *joiner[*newcomer]
	decisions *joiner[*decision]
}

// New puts the queue together over a database whose visits are numbered by days of the zone. ask calls directory.
func New(pool *pgxpool.Pool, o *outbox.Outbox, ask *identity.Client, zone string) *Service {
	s := &Service{store: &store{pool: pool, zone: zone}, directory: &directory{pool: pool, ask: ask}, outbox: o, access: &accessLog{pool: pool},
		metrics: newMetrics()}
	s.creates = &joiner[*newcomer]{commit: s.createJoined}
	s.decisions = &joiner[*decision]{commit: s.decideJoined}
	return s
}

// DirectoryCopy is the sink that keeps this service's copy of services and consultants from directory's feed.
func (s *Service) DirectoryCopy() feed.Sink { return s.directory.projection() }

// seen is a visit and the moment it was read at.
type seen struct {
	Visit visit.Visit
	At    moment
}

// seenAll is a list of visits and the moment it was read at.
type seenAll struct {
	Visits []visit.Visit
	At     moment
}

// Create registers a visitor and gives out the day's next token. The same key and body answer the same visit
// again, with replayed true. It refuses with service_unknown, key_reused and busy_key.
func (s *Service) Create(ctx context.Context, req createVisit) (answer createdVisit, err error) {
	by := actor(ctx)
	if _, err := uuid.Parse(req.ServiceID); err != nil {
		return answer, errServiceUnknown
	}
	key, err := idempotency.Of(by.ID, "POST /api/visits", req.key, req)
	if err != nil {
		return answer, err
	}
	n := newNewcomer(ctx, by, req, key)
	err = s.creates.join(n)
	switch {
	case errors.Is(err, errAlone):
		answer, err = s.createAlone(n)
	case err == nil:
		answer.visitAnswer = answerOf(n.made, by)
	}
	if err == nil && !answer.replayed {
		s.metrics.changed(ctx, n.made.Visit)
	}
	return answer, err
}

// ChangeStatus approves, denies, starts or completes a visit. A retry of what the caller has done already answers
// the visit as it is and tells nobody. The refusals are those of api.md section 2.
func (s *Service) ChangeStatus(ctx context.Context, req changeStatus) (changedVisit, error) {
	by := actor(ctx)
	var done result
	err := errAlone
	if transition, _ := visit.To(req.To); transition.Decides() {
		done, err = s.decide(ctx, by, req)
	}
	if errors.Is(err, errAlone) {
		done, err = s.changeAlone(ctx, by, req)
	}
	if err != nil {
		return changedVisit{}, postgres.Classify(refusal(err))
	}
	if done.changed {
		s.metrics.changed(ctx, done.now.Visit)
	}
	return changedVisit{answerOf(done.now, by)}, nil
}

// result is a visit after a change; changed is false for one that the caller has made before.
type result struct {
	now     seen
	changed bool
}

// changeAlone makes one change in a transaction of its own.
func (s *Service) changeAlone(ctx context.Context, by visit.Actor, req changeStatus) (done result, err error) {
	if req.To == visit.Approved {
		if err := s.knownConsultant(ctx, req); err != nil {
			return result{}, err
		}
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		done, err = s.changeLocked(ctx, tx, by, req)
		return err
	})
	return done, err
}

// knownConsultant asks directory about an unknown assignee, but lets the visit's own state be judged first:
// a visit that is no longer new is refused for that.
func (s *Service) knownConsultant(ctx context.Context, req changeStatus) error {
	err := s.directory.learnConsultant(ctx, req.ConsultantID)
	if errors.Is(err, errConsultantUnavailable) {
		return nil
	}
	return err
}

// changeLocked makes the change once nobody else changes the visit.
func (s *Service) changeLocked(ctx context.Context, tx pgx.Tx, by visit.Actor, req changeStatus) (result, error) {
	before, at, err := s.store.lock(ctx, tx, req.ID)
	if err != nil {
		return result{}, err
	}
	outcome, err := before.Decide(by, req.wanted())
	if outcome != visit.Apply {
		return result{now: seen{before, at}}, err
	}
	c := change{from: before, to: req.To, by: by, notes: req.Notes}
	transition, _ := visit.To(req.To)
	if transition.Owned && by.Role != contract.RoleAdmin {
		c.owner = &by.ID
	}
	if req.To == visit.Approved {
		name, err := s.directory.consultantName(ctx, tx, req.ConsultantID)
		if err != nil {
			return result{}, err
		}
		c.consultantID, c.consultantName = &req.ConsultantID, &name
	}
	after, err := s.store.apply(ctx, tx, c)
	if err != nil {
		return result{}, err
	}
	return result{after, true}, outbox.Append(ctx, tx, tell(transition.Event, &before, after.Visit))
}

// Today lists the office's day, a consultant's own visits for a consultant.
func (s *Service) Today(ctx context.Context, _ struct{}) (visitsAnswer, error) {
	by := actor(ctx)
	if by.Role == contract.RoleConsultant {
		visits, at, err := s.store.assigned(ctx, by.ID)
		return s.answer(ctx, by, "today", seenAll{visits, at}, err)
	}
	visits, at, err := s.store.today(ctx)
	return s.answer(ctx, by, "today", seenAll{visits, at}, err)
}

// Pending lists what waits for a decision.
func (s *Service) Pending(ctx context.Context, _ struct{}) (visitsAnswer, error) {
	visits, at, err := s.store.pending(ctx)
	return s.answer(ctx, actor(ctx), "pending", seenAll{visits, at}, err)
}

// answer shows a list to its reader once it is recorded what phones the reader sees.
func (s *Service) answer(ctx context.Context, by visit.Actor, call string, list seenAll, err error) (visitsAnswer, error) {
	if err != nil {
		return visitsAnswer{}, postgres.Classify(err)
	}
	if err := s.access.note(ctx, by, call, list); err != nil {
		return visitsAnswer{}, err
	}
	return listOf(list, by), nil
}

// Lookup finds a returning visitor by phone. The look is recorded.
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
