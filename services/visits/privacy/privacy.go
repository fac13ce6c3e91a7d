// Package privacy has the protection of visitors' data: the access log, the export and erasure of a person's visits,
// the report after a breach, the register of privacy requests, and the admin's page Privacy.
//
// Start with Privacy.Routes and Privacy.InternalRoutes. What services share is in platform/privacy.
package privacy

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/retention"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Privacy has the use cases of the protection of visitors' data.
type Privacy struct {
	outbox   *outbox.Outbox
	store    *store
	papers   *papers.Papers
	services operate.Installation // clients of all services
	erasures sync.WaitGroup
}

// New returns the use cases of the protection of visitors' data.
func New(
	db *row.DB, o *outbox.Outbox, papers *papers.Papers, services operate.Installation, registry prometheus.Registerer,
) *Privacy {
	p := &Privacy{outbox: o, store: &store{db}, papers: papers, services: services}
	registry.MustRegister(requestCollector{p.store}, lookupCollector{p.store})
	return p
}

// Routes returns the public routes: those of the page Privacy, one of which reception also calls.
func (p *Privacy) Routes() []endpoint.Route {
	return slices.Concat(p.requestRoutes(), p.personRoutes(), p.reportRoutes(), []endpoint.Route{p.kitRoute()})
}

// InternalRoutes returns the internal routes for a data subject's requests, for the report after a breach, and for
// visitors' own pages.
func (p *Privacy) InternalRoutes() []endpoint.Route {
	return append(p.rightsRoutes(), privacy.Routes(privacy.Handlers{
		Asker:  contract.SourceVisits,
		Export: endpoint.JSON(privacy.ReadPerson, p.ExportSubject),
		Erase:  endpoint.JSON(privacy.ReadPhone, p.EraseSubject),
		Breach: endpoint.Stream(p.reportBreach),
	})...)
}

// subjectAnswer is all data that this service stores about a data subject.
type subjectAnswer struct {
	Visits    []contract.Visit     `json:"visits"`
	Documents []papers.VisitPapers `json:"documents"`
	Receipts  []papers.Receipt     `json:"acknowledgements"`
	Consents  []papers.Consent     `json:"consents"`
	Requests  []privacyRequest     `json:"requests"`
	Access    []privacy.Disclosure `json:"access"`
}

// ExportSubject returns all data about a phone number, with the disclosures. The export itself is recorded, too.
func (p *Privacy) ExportSubject(ctx context.Context, req privacy.Person) (answer subjectAnswer, err error) {
	err = pgx.BeginFunc(ctx, p.store.Pool, func(tx pgx.Tx) error {
		found, err := p.store.ofPhone(ctx, tx, req.Phone)
		if err != nil {
			return err
		}
		answer.Visits = make([]contract.Visit, len(found))
		for i, v := range found {
			answer.Visits[i] = row.Event(v)
		}
		ids := idsOf(found)
		if answer.Documents, err = p.papers.Of(ctx, tx, ids); err != nil {
			return err
		}
		if answer.Receipts, err = p.papers.ReceiptsOf(ctx, tx, ids); err != nil {
			return err
		}
		if answer.Consents, err = p.papers.ConsentsOf(ctx, tx, ids); err != nil {
			return err
		}
		if answer.Requests, err = p.store.requestsOf(ctx, tx, req.Phone); err != nil {
			return err
		}
		if answer.Access, err = p.store.disclosuresOf(ctx, tx, ids); err != nil {
			return err
		}
		call, id, role := req.Entry()
		return p.store.LogAccess(ctx, tx, visit.Actor{ID: id, Role: role}, call, ids)
	})
	return answer, postgres.Classify(err)
}

// EraseSubject erases all visits and privacy requests of a phone number. It is idempotent.
func (p *Privacy) EraseSubject(ctx context.Context, phone string) (privacy.Erased, error) {
	if err := p.store.eraseRequestsOf(ctx, phone); err != nil {
		return privacy.Erased{}, postgres.Classify(err)
	}
	if err := p.store.markErased(ctx, phone); err != nil {
		return privacy.Erased{}, postgres.Classify(err)
	}
	return privacy.EraseAll(func() ([]string, error) {
		return p.erase(ctx, func(tx pgx.Tx) ([]visit.Visit, error) { return p.store.eraseOf(ctx, tx, phone) })
	})
}

// redaction replaces the personal data in stored events.
type redaction struct {
	Name           string `json:"name"`
	Phone          string `json:"phone"`
	ReceptionNotes string `json:"receptionNotes"`
	PANotes        string `json:"paNotes"`
	SessionNotes   string `json:"sessionNotes"`
	HeldNote       string `json:"heldNote"`
	MovedReason    string `json:"movedReason"`
	Class          string `json:"class"`
	Language       string `json:"language"`
}

var redacted = redaction{Name: visit.Erased, Class: string(line.Normal)}

// erase appends an event for each visit that update erases, and returns the visits' ids. It also removes their data
// from stored events, drafts, papers, receipts, consents, and the answers stored under idempotency keys.
func (p *Privacy) erase(ctx context.Context, update func(pgx.Tx) ([]visit.Visit, error)) ([]string, error) {
	return privacy.Erase(ctx, p.outbox, redacted, p.erasing(ctx, update))
}

// erasing returns a function that runs update and then the rest of an erasure.
func (p *Privacy) erasing(
	ctx context.Context, update func(pgx.Tx) ([]visit.Visit, error),
) func(pgx.Tx) ([]outbox.Change, error) {
	return func(tx pgx.Tx) ([]outbox.Change, error) {
		visits, err := update(tx)
		if err != nil || len(visits) == 0 {
			return nil, err
		}
		changes := make([]outbox.Change, len(visits))
		for i, v := range visits {
			changes[i] = row.Change(contract.VisitErased, nil, v)
		}
		if err := p.store.eraseCopies(ctx, tx, idsOf(visits)); err != nil {
			return nil, err
		}
		return changes, p.papers.Erase(ctx, tx, idsOf(visits))
	}
}

// Retention returns the retention tasks. They erase visits and answered privacy requests that are older than the
// retention period, and delete old entries of the access log, old erasures and old marks of phones.
func (p *Privacy) Retention() []retention.Task {
	eraseOld := func(ctx context.Context, before time.Time) (int64, error) {
		ids, err := p.erase(ctx, func(tx pgx.Tx) ([]visit.Visit, error) { return p.store.eraseOld(ctx, tx, before) })
		return int64(len(ids)), err
	}
	return []retention.Task{
		{Name: "visits", Erase: eraseOld}, privacy.ForgetAccess(p.store.Pool),
		{Name: "privacy_requests", Erase: p.store.eraseOldRequests},
		{Name: "privacy_erasures", Erase: p.store.deleteOldErasures},
		{Name: "erased_phones", Erase: p.store.forgetErasedPhones},
	}
}

func idsOf(visits []visit.Visit) []string {
	ids := make([]string, len(visits))
	for i, v := range visits {
		ids[i] = v.ID
	}
	return ids
}
