package visits

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
	"baari.dev/services/visits/visit"
)

// The papers of a visit: what the visitor has brought of the service's checklist, and what the office keeps. They have
// a version of their own, so that noting a paper does not reject the decision of a PA who looks at the visit.

// documentRoutes returns the routes of the papers.
func (s *Service) documentRoutes() []endpoint.Route {
	access := endpoint.Roles(
		contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin,
	).Owned("assigned")
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/documents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.Documents),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/{id}/documents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readDocuments, s.ChangeDocuments),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/{id}/acknowledgement", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readAcknowledge, s.Acknowledge),
		},
	}
}

// documentsSummary is what lists show of the papers of a visit. It is also stored.
type documentsSummary struct {
	Missing []missingDocument `json:"missing"` // the required ones that the visitor does not have along
	Left    int               `json:"left"`    // how many the office has
}

type missingDocument struct {
	Key   *string `json:"key"`
	Label string  `json:"label"`
}

func summaryOf(all []visit.Document) *documentsSummary {
	summary := &documentsSummary{Missing: []missingDocument{}, Left: len(visit.LeftDocuments(all))}
	for _, d := range visit.MissingDocuments(all) {
		summary.Missing = append(summary.Missing, missingDocument{Key: orNil(d.Key), Label: d.Label})
	}
	return summary
}

// documents are the papers of a visit. Version is 0 while none were noted.
type documents struct {
	all     []visit.Document
	version int64
}

func (s *Service) documentsAnswer(
	ctx context.Context, from queries, id string, d documents, at feed.Position,
) (documentsAnswer, error) {
	answer := documentsAnswer{Documents: documentBodies(d.all), Version: d.version, at: at}
	last, exists, err := s.store.lastAcknowledgement(ctx, from, id)
	if exists {
		answer.Acknowledgement = &acknowledgementShort{last.No, last.At, last.By}
	}
	return answer, err
}

// callPapers is the reading of a visit's papers or receipts in the access log.
const callPapers = "papers"

// Documents lists the papers of a visit, and records the disclosure. Errors: not_found, not_assigned.
func (s *Service) Documents(ctx context.Context, id string) (answer documentsAnswer, err error) {
	v, found, err := s.store.documents(ctx, id)
	if err == nil {
		err = v.HandlesDocuments(actor(ctx))
	}
	if err == nil {
		answer, err = s.documentsAnswer(ctx, s.store.pool, id, found.documents, found.at)
	}
	if err == nil && len(found.all) > 0 {
		err = s.store.logReading(ctx, s.store.pool, actor(ctx), callPapers, id)
	}
	if err != nil {
		return documentsAnswer{}, postgres.Classify(apiError(err))
	}
	return answer, nil
}

// changeDocuments is a validated request that gives all papers of a visit.
type changeDocuments struct {
	ID        string
	Documents []visit.Document
	Version   *int64
}

// ChangeDocuments replaces the papers of a visit. Equal papers publish no event and are a reading. Errors: not_found,
// not_assigned, visit_over when the visit is erased, stale_version, and validation of the papers.
func (s *Service) ChangeDocuments(ctx context.Context, req changeDocuments) (answer documentsAnswer, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		v, err := s.lockFor(ctx, tx, req.ID, visit.Visit.HandlesDocuments)
		if err != nil {
			return err
		}
		if v.Phone == "" {
			return errVisitOver
		}
		before, err := s.store.documentsIn(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if req.Version != nil && *req.Version != before.version {
			return fault.ErrStale
		}
		all, err := visit.ChangeDocuments(before.all, req.Documents, actor(ctx).Name, before.now)
		if err != nil {
			return documentsFault(err)
		}
		after := documents{all, before.version + 1}
		if visit.SameDocuments(before.all, all) {
			after.version = before.version
		}
		if answer, err = s.documentsAnswer(ctx, tx, req.ID, after, before.at); err != nil {
			return err
		}
		if after.version == before.version {
			return s.store.logReading(ctx, tx, actor(ctx), callPapers, req.ID)
		}
		if err := s.store.saveDocuments(ctx, tx, req.ID, after); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, documentsChange(
			contract.VisitDocumentsChanged, eventOfDocuments(v, before.documents), *eventOfDocuments(v, after)))
	})
	return answer, err
}

// documentsFault is the fault of a request with papers that the rules reject.
func documentsFault(err error) error {
	switch {
	case errors.Is(err, visit.ErrNeverLeft):
		return fault.Field("documents", documentNeverLeft)
	case errors.Is(err, visit.ErrAcknowledged):
		return fault.Field("documents", documentAcknowledged)
	}
	return fault.Field("documents", recordWrong)
}

// queueDocuments queues the insert of the papers that were noted at a registration by a user; nil: none were. It
// returns their event, and adds their summary to the visit.
func queueDocuments(
	ctx context.Context, writes *pgx.Batch, now *snapshot, by visit.Actor, all []visit.Document,
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

// eventOfDocuments returns the papers of a visit as events have them; nil while none were noted.
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
			No: d.No, Key: orNil(d.Key), Label: d.Label, Required: d.Required, State: string(d.State),
			Form: orNil(d.Form), Pages: d.Pages, Acknowledgement: orNil(d.Acknowledgement),
		}
	}
	return list
}
