// Package papers has the papers that a visitor has brought or left, the receipts for them, and the consents.
package papers

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The papers of a visit: which papers of the service's checklist the visitor has brought, and which the office keeps.
// They have their own version, so that a change of them does not conflict with a PA's decision about the visit.

// Papers has the use cases of the papers and consents of visits.
type Papers struct {
	outbox *outbox.Outbox
	store  *store
}

// New returns the use cases of the papers of visits.
func New(db *row.DB, o *outbox.Outbox) *Papers {
	return &Papers{outbox: o, store: &store{db}}
}

// Routes returns the routes of papers, receipts and consents.
func (p *Papers) Routes() []endpoint.Route {
	return slices.Concat(p.documentRoutes(), p.consentRoutes())
}

func (p *Papers) documentRoutes() []endpoint.Route {
	access := endpoint.Roles(
		contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin,
	).Owned("assigned")
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/documents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(row.ReadID, p.Documents),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/{id}/documents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readDocuments, p.ChangeDocuments),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/{id}/acknowledgement", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readAcknowledge, p.Acknowledge),
		},
	}
}

func summaryOf(all []visit.Document) *row.Papers {
	summary := &row.Papers{Missing: []row.MissingPaper{}, Left: len(visit.LeftDocuments(all))}
	for _, d := range visit.MissingDocuments(all) {
		summary.Missing = append(summary.Missing, row.MissingPaper{Key: wire.TextOf(d.Key), Label: d.Label})
	}
	return summary
}

// documents are the papers of a visit. Version is 0 until some are recorded.
type documents struct {
	all     []visit.Document
	version int64
}

func (p *Papers) documentsAnswer(
	ctx context.Context, from queries, id string, d documents, at feed.Position,
) (documentsAnswer, error) {
	answer := documentsAnswer{Documents: documentBodies(d.all), Version: d.version, at: at}
	last, exists, err := p.store.lastAcknowledgement(ctx, from, id)
	if exists {
		answer.Acknowledgement = &acknowledgementShort{last.No, last.At, last.By}
	}
	return answer, err
}

// callPapers is the call under which the access log records a reading of a visit's papers or receipts.
const callPapers = "papers"

// Documents lists the papers of a visit. If there are any, a reading is logged. Errors: not_found, not_assigned.
func (p *Papers) Documents(ctx context.Context, id string) (answer documentsAnswer, err error) {
	v, found, err := p.store.documents(ctx, id)
	if err == nil {
		err = v.HandlesDocuments(row.Actor(ctx))
	}
	if err == nil {
		answer, err = p.documentsAnswer(ctx, p.store.Pool, id, found.documents, found.at)
	}
	if err == nil && len(found.all) > 0 {
		err = p.store.LogReading(ctx, p.store.Pool, row.Actor(ctx), callPapers, id)
	}
	if err != nil {
		return documentsAnswer{}, postgres.Classify(row.APIError(err))
	}
	return answer, nil
}

type changeDocuments struct {
	ID        string
	Documents []visit.Document
	Version   *int64
}

// ChangeDocuments replaces the papers of a visit. If nothing changes, it publishes no event and records a reading in
// the access log. Errors: not_found, not_assigned, visit_over when the visit is erased, stale_version, and validation
// of the papers.
func (p *Papers) ChangeDocuments(ctx context.Context, req changeDocuments) (answer documentsAnswer, err error) {
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		v, err := p.store.LockFor(ctx, tx, req.ID, visit.Visit.HandlesDocuments)
		if err != nil {
			return err
		}
		if v.Phone == "" {
			return row.ErrVisitOver
		}
		before, err := p.store.documentsIn(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if req.Version != nil && *req.Version != before.version {
			return fault.ErrStale
		}
		all, err := visit.ChangeDocuments(before.all, req.Documents, row.Actor(ctx).Name, before.now)
		if err != nil {
			return documentsFault(err)
		}
		after := documents{all, before.version + 1}
		if visit.SameDocuments(before.all, all) {
			after.version = before.version
		}
		if answer, err = p.documentsAnswer(ctx, tx, req.ID, after, before.at); err != nil {
			return err
		}
		if after.version == before.version {
			return p.store.LogReading(ctx, tx, row.Actor(ctx), callPapers, req.ID)
		}
		if err := p.store.saveDocuments(ctx, tx, req.ID, after); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, documentsChange(
			contract.VisitDocumentsChanged, eventOfDocuments(v, before.documents), *eventOfDocuments(v, after)))
	})
	return answer, err
}

func documentsFault(err error) error {
	switch {
	case errors.Is(err, visit.ErrNeverLeft):
		return fault.Field("documents", documentNeverLeft)
	case errors.Is(err, visit.ErrAcknowledged):
		return fault.Field("documents", documentAcknowledged)
	}
	return fault.Field("documents", row.RecordWrong)
}

// Queue adds to a batch the insert of the papers that a user recorded at a registration. It sets their summary in the
// visit and returns their event, or nil if no papers were recorded.
func Queue(
	ctx context.Context, writes *pgx.Batch, now *row.Snapshot, by visit.Actor, all []visit.Document,
) ([]outbox.Entry, error) {
	if all == nil {
		return nil, nil
	}
	noted := documents{slices.Clone(all), 1}
	for i := range noted.all {
		noted.all[i].By, noted.all[i].At = by.Name, now.Visit.CreatedAt
	}
	now.Documents = summaryOf(noted.all)
	args, err := documentsArgs(now.Visit.ID, noted)
	if err != nil {
		return nil, err
	}
	writes.Queue(upsertDocuments, args)
	change := documentsChange(contract.VisitDocumentsChanged, nil, *eventOfDocuments(now.Visit, noted))
	return []outbox.Entry{{Context: ctx, Change: change}}, nil
}

func documentsChange(kind string, before *contract.VisitDocuments, after contract.VisitDocuments) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityVisitDocuments, EntityID: after.VisitID, Version: after.Version, After: after,
	}
	if before != nil {
		change.Before = *before
	}
	return change
}

func eventOfDocuments(v visit.Visit, d documents) *contract.VisitDocuments {
	if d.version == 0 {
		return nil
	}
	return &contract.VisitDocuments{
		VisitID: v.ID, Token: v.Token(), Day: v.Day, Stage: string(v.Stage), Pinned: v.Pinned,
		ConsultantID: v.ConsultantID, Documents: eventDocuments(d.all), Version: d.version,
	}
}

func eventDocuments(all []visit.Document) []contract.VisitDocument {
	list := make([]contract.VisitDocument, len(all))
	for i, d := range all {
		list[i] = contract.VisitDocument{
			No: d.No, Key: wire.TextOf(d.Key), Label: d.Label, Required: d.Required, State: string(d.State),
			Form: wire.TextOf(d.Form), Pages: d.Pages, Acknowledgement: wire.TextOf(d.Acknowledgement),
		}
	}
	return list
}

// Erase erases the papers of erased visits, also in stored events, and appends an event for each visit that has papers.
func (p *Papers) Erase(ctx context.Context, tx pgx.Tx, ids []string) error {
	erased, err := p.store.eraseDocuments(ctx, tx, ids)
	if err != nil || len(erased) == 0 {
		return err
	}
	changes := make([]outbox.Change, len(erased))
	noted := make([]string, len(erased))
	for i, d := range erased {
		noted[i] = d.VisitID
		d.VisitDocuments.Documents = []contract.VisitDocument{}
		changes[i] = documentsChange(contract.VisitDocumentsErased, nil, d.VisitDocuments)
	}
	none := struct {
		Documents []contract.VisitDocument `json:"documents"`
	}{[]contract.VisitDocument{}}
	if err := outbox.Redact(ctx, tx, contract.EntityVisitDocuments, noted, none); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, changes...)
}

// NoteAgain stores the papers that a paired desk noted for a visit that was registered before. It stores nothing, and
// returns no error, if the papers were changed since, if the visit is erased, or if the rules reject the papers.
func (p *Papers) NoteAgain(ctx context.Context, visitID string, noted []visit.Document) error {
	if noted == nil {
		return nil
	}
	known, err := p.Documents(ctx, visitID)
	if err != nil || known.Version > 1 {
		return err
	}
	all := slices.Clone(noted)
	for i := range all {
		if i >= len(known.Documents) {
			all[i].No = 0 // 0 assigns a new number: the desk and the registration both count from 1
		}
	}
	_, err = p.ChangeDocuments(ctx, changeDocuments{visitID, all, &known.Version})
	var refused *fault.Fault
	if errors.As(err, &refused) && refused.Kind != fault.Unavailable {
		return nil
	}
	return err
}
