package visits

import (
	"context"
	"errors"
	"net/http"
	"regexp"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
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

// documentsAnswer is {"documents": […], "version": …}.
type documentsAnswer struct {
	Documents []contract.VisitDocument `json:"documents"`
	Version   int64                    `json:"version"`
	at        feed.Position
}

// Headers implements kithttp.Headerer.
func (a documentsAnswer) Headers() http.Header { return feedHeader(a.at) }

func documentsAnswerOf(d documents, at feed.Position) documentsAnswer {
	return documentsAnswer{Documents: eventDocuments(d.all), Version: d.version, at: at}
}

// Documents lists the papers of a visit. Errors: not_found, not_assigned.
func (s *Service) Documents(ctx context.Context, id string) (answer documentsAnswer, err error) {
	v, found, at, err := s.store.documents(ctx, id)
	if err == nil {
		err = v.HandlesDocuments(actor(ctx))
	}
	if err != nil {
		return documentsAnswer{}, postgres.Classify(apiError(err))
	}
	return documentsAnswerOf(found, at), nil
}

// changeDocuments is a validated request that gives all papers of a visit.
type changeDocuments struct {
	ID        string
	Documents []visit.Document
	Version   *int64
}

// ChangeDocuments replaces the papers of a visit. Equal papers publish no event. Errors: not_found, not_assigned,
// visit_over when the visit is erased, stale_version, and validation of the papers.
func (s *Service) ChangeDocuments(ctx context.Context, req changeDocuments) (answer documentsAnswer, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		v, err := s.lockFor(ctx, tx, req.ID, visit.Visit.HandlesDocuments)
		if err != nil {
			return err
		}
		if v.Phone == "" {
			return errVisitOver
		}
		before, at, err := s.store.documentsIn(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if req.Version != nil && *req.Version != before.version {
			return fault.ErrStale
		}
		all, err := visit.ChangeDocuments(before.all, req.Documents)
		if err != nil {
			return documentsFault(err)
		}
		after := documents{all, before.version + 1}
		if visit.SameDocuments(before.all, all) {
			after.version = before.version
		}
		answer = documentsAnswerOf(after, at)
		if after.version == before.version {
			return nil
		}
		if err := s.store.saveDocuments(ctx, tx, req.ID, after); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, documentsChange(
			contract.VisitDocumentsChanged, eventOfDocuments(v, before), *eventOfDocuments(v, after)))
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

// queueDocuments queues the insert of the papers that were noted at a registration. It returns their event, and adds
// their summary to the visit.
func queueDocuments(writes *pgx.Batch, now *snapshot, c *command) ([]outbox.Entry, error) {
	if c.documents == nil {
		return nil, nil
	}
	noted := documents{c.documents, 1}
	now.Documents = summaryOf(noted.all)
	args, err := documentsArgs(now.Visit.ID, noted)
	if err != nil {
		return nil, err
	}
	writes.Queue(upsertDocuments, args)
	change := documentsChange(contract.VisitDocumentsChanged, nil, *eventOfDocuments(now.Visit, noted))
	return []outbox.Entry{{Context: c.ctx, Change: change}}, nil
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

func documentsOfEvent(list []contract.VisitDocument) []visit.Document {
	all := make([]visit.Document, len(list))
	for i, d := range list {
		all[i] = visit.Document{
			No: d.No, Key: orEmpty(d.Key), Label: d.Label, Required: d.Required, State: visit.DocumentState(d.State),
			Form: orEmpty(d.Form), Pages: d.Pages, Acknowledgement: orEmpty(d.Acknowledgement),
		}
	}
	return all
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

const (
	longestLabel = 120
	mostPages    = 9999
)

// Messages for invalid papers.
var (
	documentsWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter each paper in 1 to 120 letters, digits and punctuation, with a state from the list").
		With("min", 1).With("max", longestLabel)
	documentsMany = fault.NewMessage(fault.CodeTooMany, "Please enter at most 40 papers").With("max", visit.MostDocuments)
	pagesWrong    = fault.NewMessage(fault.CodeInvalidNumber, "Please enter the pages as a number from 1 to 9,999").
			With("min", 1).With("max", mostPages)
	documentAcknowledged = fault.NewMessage(fault.CodeContradiction,
		"A paper with a receipt can only be returned")
	documentNeverLeft = fault.NewMessage(fault.CodeContradiction, "Only a paper that was left can be returned")
)

// validKey matches the key of a paper of a checklist, and none.
var validKey = regexp.MustCompile(`^[a-z0-9-]{0,40}$`)

// documentsField is the papers of a request. A paper without a number is new.
type documentsField = wire.Field[[]contract.VisitDocument]

type documentsBody struct {
	Documents documentsField    `json:"documents"`
	Version   wire.Field[int64] `json:"version"`
}

func readDocuments(r *http.Request) (changeDocuments, error) {
	var body documentsBody
	if err := wire.Read(r, &body); err != nil {
		return changeDocuments{}, err
	}
	var rejected fault.Fields
	if !body.Documents.Present {
		rejected.Reject("documents", documentsWrong)
	}
	req := changeDocuments{
		Documents: readDocumentList(body.Documents, &rejected),
		Version:   wire.Version(body.Version, r.Header.Get("If-Match"), &rejected),
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := readID(r)
	req.ID = id
	return req, err
}

// readNewDocuments reads the papers of a registration, and numbers them.
func readNewDocuments(field documentsField, rejected *fault.Fields) []visit.Document {
	all, err := visit.ChangeDocuments(nil, readDocumentList(field, rejected))
	if err != nil {
		rejected.Reject("documents", documentsWrong)
	}
	return all
}

func readDocumentList(field documentsField, rejected *fault.Fields) []visit.Document {
	if field.Wrong {
		rejected.Reject("documents", documentsWrong)
	}
	if len(field.Value) > visit.MostDocuments {
		rejected.Reject("documents", documentsMany)
		return nil
	}
	all := documentsOfEvent(field.Value)
	for i, d := range all {
		label := wire.Clean(d.Label, false)
		if label.Empty || label.Illegal || label.Length > longestLabel || !d.Valid() || !validKey.MatchString(d.Key) {
			rejected.Reject("documents", documentsWrong)
		}
		if d.Pages != nil && (*d.Pages < 1 || *d.Pages > mostPages) {
			rejected.Reject("documents", pagesWrong)
		}
		all[i].Label = label.Value
	}
	return all
}
