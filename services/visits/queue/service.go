// Package queue has the line of the office: registrations, changes of visits, calls of the next visitor, its lists and
// screens, and the desks of consultants.
//
// Start with package visit, which has the rules. A registration is read from top to bottom in Queue.Create
// (service.go), writer.do and writePlanned (write.go), Registration.plan (registration.go), Queue.apply (write.go) and
// store.insert (store.go); batcher.go forms the batches, and http.go has the routes.
package queue

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/privacy"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Queue has the use cases of the line: from the registration of a visit to its end. The methods that serve routes read
// the caller from the context; the route table has already checked the caller's role.
type Queue struct {
	outbox    *outbox.Outbox
	store     *store
	directory *catalog.Directory
	privacy   *privacy.Privacy
	access    *privacy.AccessLog
	forecasts *forecast.Forecaster
	metrics   metrics

	// Registrations, decisions and calls of the next visitor are written in batches. Other changes are not, because
	// they may wait for the locks of the consultant's sessions.
	registrations *writer[*Registration]
	changes       *writer[*Change]
	nexts         *writer[*Next]
}

// New returns the use cases of the line.
func New(
	db *row.DB, o *outbox.Outbox, directory *catalog.Directory, p *privacy.Privacy, forecasts *forecast.Forecaster,
	registry prometheus.Registerer,
) *Queue {
	q := &Queue{
		outbox: o, store: &store{db}, directory: directory, privacy: p, access: privacy.NewAccessLog(db),
		forecasts: forecasts, metrics: newMetrics(registry),
	}
	registry.MustRegister(queueCollector{q.store})
	q.registrations = newWriter(o, directory, commitPatience, q.writeRegistrations)
	q.changes = newWriter(o, directory, commitPatience, q.writeChanges)
	q.nexts = newWriter(o, directory, 0, q.callNext) // each batch locks the line, so a second one would only wait
	return q
}

// RegistrationScope is the scope of the idempotency keys of registrations.
const RegistrationScope = "POST /api/visits"

// RegistrationLife is how long the key of a registration is kept. After that a repetition would create a second visit,
// but no paired desk may send the visit any more.
const RegistrationLife = 31 * 24 * time.Hour

// Create registers a visitor with the day's next token. A request with a key that was used before returns the stored
// answer, marked as replayed. Errors: service_unknown, appointment_unknown, appointment_used, key_reused, busy_key.
func (q *Queue) Create(ctx context.Context, req Form) (Created, error) {
	by := row.Actor(ctx)
	serviceID, err := uuid.Parse(req.ServiceID)
	if err != nil {
		return Created{}, catalog.ErrServiceUnknown
	}
	key, err := idempotency.Of(by.ID, RegistrationScope, req.key, req)
	if err != nil {
		return Created{}, err
	}
	req.ServiceID = serviceID.String()
	res, err := q.Register(&Registration{
		Origin: Origin{Context: ctx, By: by, Key: key}, Visit: req.Visit(row.NewID(), by),
		Documents: req.Documents, Notice: papers.Notice{Means: req.ToldBy, Messages: req.Messages},
	})
	if err != nil {
		return Created{}, err
	}
	return CreatedOf(res, by), nil
}

// Register carries out a registration, in a batch unless it must be written alone, and counts it in the metrics.
func (q *Queue) Register(r *Registration) (Outcome, error) {
	res, err := q.registrations.do(r, r.AskedAt.IsZero())
	if err == nil && res.Changed {
		q.metrics.changed(r.Context, res, visit.Create)
	}
	return res, err
}

// ChangeStatus approves, denies, starts or completes a visit. A repetition of the caller's own change returns the visit
// unchanged and publishes no event. The errors are those of its path in api.yaml.
func (q *Queue) ChangeStatus(ctx context.Context, req changeStatus) (changedVisit, error) {
	return q.answerChange(req.change(ctx, row.Actor(ctx)))
}

// Act makes a change that ChangeStatus does not. A request with a key that was used before returns the stored answer,
// marked as replayed. The errors are those of its path in api.yaml.
func (q *Queue) Act(ctx context.Context, req act) (changedVisit, error) {
	c, err := req.change(ctx, row.Actor(ctx))
	if err != nil {
		return changedVisit{}, err
	}
	return q.answerChange(c)
}

func (q *Queue) answerChange(c *Change) (changedVisit, error) {
	res, err := q.Do(c)
	if err != nil {
		return changedVisit{}, postgres.Classify(row.APIError(err))
	}
	if res.Replayed != nil {
		return changedVisit{*res.Replayed, true}, nil
	}
	return changedVisit{answerOf(res.Snapshot, c.By), false}, nil
}

// Do carries out a change, and counts it in the metrics. Decisions are batched.
func (q *Queue) Do(c *Change) (Outcome, error) {
	res, err := q.changes.do(c, c.Want.Action.Decides())
	if err == nil && res.Changed {
		q.metrics.changed(c.Context, res, c.Want.Action)
	}
	return res, err
}

// Next calls the next visitor in the line of a consultant, who is the caller or is named by an admin. If a call is
// open, it returns the called visit again. Errors: session_active, next_changed, counter_required,
// consultant_unavailable, key_reused, busy_key.
func (q *Queue) Next(ctx context.Context, req callNext) (nextResponse, error) {
	by := row.Actor(ctx)
	key, err := idempotency.Of(by.ID, "POST /api/visits/next", req.key, req)
	if err != nil {
		return nextResponse{}, err
	}
	took := prometheus.NewTimer(q.metrics.toCommit)
	res, err := q.nexts.do(&Next{
		Origin: Origin{Context: ctx, By: by, Key: key}, Consultant: req.ConsultantID, Counter: req.Counter,
		Expect: req.Expect,
	}, true)
	if err != nil {
		return nextResponse{}, postgres.Classify(row.APIError(err))
	}
	if res.Changed {
		took.ObserveDuration()
		q.metrics.changed(ctx, res, visit.Next)
	}
	return nextResponse{*res.next}, nil
}

// Lookup finds a returning visitor by phone and records the disclosure.
func (q *Queue) Lookup(ctx context.Context, req lookupVisitor) (visitorAnswer, error) {
	known, at, err := q.store.byPhone(ctx, req.Phone, row.Actor(ctx))
	return visitorAnswer{Visitor: known, at: at}, postgres.Classify(err)
}

// Draft returns the draft of an open visit's notes, and records the disclosure unless the caller is the visit's
// consultant. Errors: not_found, not_assigned, visit_over.
func (q *Queue) Draft(ctx context.Context, id string) (answer draftAnswer, err error) {
	err = q.attend(ctx, id, func(tx pgx.Tx, v visit.Visit) error {
		notes, savedAt, err := q.store.draft(ctx, tx, id)
		answer = draftAnswer{draft{Notes: notes, SavedAt: wire.TimeOf(savedAt)}}
		if by := row.Actor(ctx); err == nil && notes != "" && (v.ConsultantID == nil || *v.ConsultantID != by.ID) {
			err = q.store.LogAccess(ctx, tx, by, "draft", []string{id})
		}
		return err
	})
	return answer, err
}

// SaveDraft stores the draft of the notes. It publishes no event, because the notes become part of the visit only when
// the session is completed with them. Errors are those of Draft.
func (q *Queue) SaveDraft(ctx context.Context, req saveDraft) (answer draftAnswer, err error) {
	err = q.attend(ctx, req.ID, func(tx pgx.Tx, _ visit.Visit) error {
		notes, savedAt, err := q.store.saveDraft(ctx, tx, req.ID, req.Notes)
		answer = draftAnswer{draft{Notes: notes, SavedAt: wire.TimeOf(savedAt)}}
		return err
	})
	return answer, err
}

// Earlier lists the completed visits of an open visit's visitor, latest first, and records the disclosure. Errors:
// not_found, not_assigned, visit_over.
func (q *Queue) Earlier(ctx context.Context, id string) (answer earlierAnswer, err error) {
	err = q.attend(ctx, id, func(tx pgx.Tx, v visit.Visit) (err error) {
		answer.Visits, answer.at, err = q.store.earlier(ctx, tx, v, row.Actor(ctx))
		return err
	})
	return answer, err
}

// attend runs work in a transaction that has locked an open visit whose notes the caller may read, so that a concurrent
// completion leaves no draft behind. Errors: not_found, not_assigned, visit_over, and those of work.
func (q *Queue) attend(ctx context.Context, id string, work func(pgx.Tx, visit.Visit) error) error {
	return postgres.InTx(ctx, q.store.Pool, func(tx pgx.Tx) error {
		v, err := q.store.LockFor(ctx, tx, id, visit.Visit.Attend)
		if err != nil {
			return err
		}
		return work(tx, v)
	})
}
