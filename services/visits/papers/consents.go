package papers

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
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

// This file has the consents of a visit: which notice the visitor was given, by which means, and what the visitor has
// agreed to. A consent record changes only by a withdrawal, and by an erasure, which empties its language.

func (p *Papers) consentRoutes() []endpoint.Route {
	access := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleAdmin)
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/consents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(row.ReadID, p.Consents),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/{id}/consents", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readConsent, p.Consent),
		},
	}
}

var (
	purposes = []string{contract.PurposeServe, contract.PurposeMessages, contract.PurposeLater}
	// Withdrawable are the purposes whose consent a visitor can withdraw; the record of the notice (serve) stays.
	Withdrawable = []string{contract.PurposeMessages, contract.PurposeLater}
	// means are the ways in which a visitor can be given the notice.
	means = []string{"read", "aloud", "slip", "page"}
)

// Consent is a record that a visitor was given the notice, or has given a consent.
type Consent struct {
	ID            string     `json:"id"`
	VisitID       string     `json:"visitId"`
	Purpose       string     `json:"purpose"`
	Means         string     `json:"means"`
	NoticeVersion string     `json:"noticeVersion"`
	Language      string     `json:"language"`
	GivenAt       wire.Time  `json:"givenAt"`
	GivenBy       string     `json:"givenBy"` // the name of the user
	WithdrawnAt   *wire.Time `json:"withdrawnAt"`
	WithdrawnBy   *string    `json:"withdrawnBy"`

	givenByID string
}

// consentsAnswer is {"consents": […]}, oldest first.
type consentsAnswer struct {
	Consents []Consent `json:"consents"`
	at       feed.Position
}

// Headers implements kithttp.Headerer.
func (a consentsAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// callConsents is the name under which the access log records that a visit's consents were read.
const callConsents = "consents"

// Consents lists the consents of a visit. If there are any, the access log records the reading. Errors: not_found.
func (p *Papers) Consents(ctx context.Context, id string) (answer consentsAnswer, err error) {
	_, _, answer.at, err = p.store.consentVisit(ctx, p.store.Pool, id)
	if err == nil {
		answer.Consents, err = p.ConsentsOf(ctx, p.store.Pool, []string{id})
	}
	if err == nil && len(answer.Consents) > 0 {
		err = p.store.LogReading(ctx, p.store.Pool, row.Actor(ctx), callConsents, id)
	}
	if err != nil {
		return consentsAnswer{}, postgres.Classify(row.APIError(err))
	}
	return answer, nil
}

// changeConsent is a validated request to record a consent or its withdrawal.
type changeConsent struct {
	ID, Purpose, Means string
	Language           string // "": the visitor's
	Given              bool
}

// Consent records a consent or its withdrawal. If nothing changes, the access log records that the consents were read.
// Errors: not_found, visit_over if the visit is erased, and an invalid language.
func (p *Papers) Consent(ctx context.Context, req changeConsent) (answer consentsAnswer, err error) {
	anyone := func(visit.Visit, visit.Actor) error { return nil }
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		v, err := p.store.LockFor(ctx, tx, req.ID, anyone)
		if err != nil {
			return err
		}
		if v.Phone == "" {
			return row.ErrVisitOver
		}
		var notice string
		var languages []string
		if notice, languages, answer.at, err = p.store.consentVisit(ctx, tx, v.ID); err != nil {
			return err
		}
		if languages != nil && req.Language != "" && !slices.Contains(languages, req.Language) {
			return languageRejected()
		}
		if answer.Consents, err = p.ConsentsOf(ctx, tx, []string{v.ID}); err != nil {
			return err
		}
		open := slices.IndexFunc(answer.Consents, func(c Consent) bool {
			return c.Purpose == req.Purpose && c.WithdrawnAt == nil
		})
		if (open >= 0) == req.Given {
			return p.store.LogReading(ctx, tx, row.Actor(ctx), callConsents, v.ID)
		}
		if !req.Given {
			return p.Withdraw(ctx, tx, v, &answer.Consents[open], row.Actor(ctx), nil)
		}
		given := newConsent(v, row.Actor(ctx), req.Purpose, req.Means)
		given.NoticeVersion, given.Language = notice, cmp.Or(req.Language, v.Language)
		if err := p.store.addConsent(ctx, tx, &given); err != nil {
			return err
		}
		answer.Consents = append(answer.Consents, given)
		return outbox.Append(ctx, tx, consentChange(contract.ConsentGiven, v, given, nil))
	})
	return answer, err
}

// Withdraw stores and publishes the withdrawal of a consent. visitor is the actor of the event if the visitor withdraws
// the consent; otherwise it is nil.
func (p *Papers) Withdraw(
	ctx context.Context, tx pgx.Tx, v visit.Visit, c *Consent, by visit.Actor, visitor *outbox.Actor,
) error {
	before := *c
	if err := p.store.withdrawConsent(ctx, tx, c, by); err != nil {
		return err
	}
	change := consentChange(contract.ConsentWithdrawn, v, *c, &before)
	change.Actor = visitor
	return outbox.Append(ctx, tx, change)
}

// newConsent returns a record of the notice or of a consent, in the visitor's language, at the time of arrival.
func newConsent(v visit.Visit, by visit.Actor, purpose, means string) Consent {
	return Consent{
		ID: uuid.Must(uuid.NewV7()).String(), VisitID: v.ID, Purpose: purpose, Means: means,
		NoticeVersion: v.NoticeVersion, Language: v.Language, GivenAt: wire.Time(v.Arrival()),
		GivenBy: by.Name, givenByID: by.ID,
	}
}

// Notice says how a visitor was given the privacy notice at a registration, and which consents the visitor gave.
type Notice struct {
	Means    string // "" if it was not recorded
	Messages bool   // the visitor agrees to messages
	// The following are set only if the visitor read the notice before the registration; else the visit's values count.
	By      visit.Actor
	At      time.Time
	Version string
}

// QueueConsents queues statements that insert the consent records of a registration, and returns the records' events.
func QueueConsents(
	ctx context.Context, writes *pgx.Batch, v visit.Visit, by visit.Actor, notice Notice,
) []outbox.Entry {
	var given []Consent
	if notice.By.ID != "" {
		by, v.CreatedAt, v.NoticeVersion = notice.By, notice.At, notice.Version
	}
	if notice.Means != "" {
		given = append(given, newConsent(v, by, contract.PurposeServe, notice.Means))
	}
	if notice.Messages {
		given = append(given, newConsent(v, by, contract.PurposeMessages, cmp.Or(notice.Means, meansDefault)))
	}
	entries := make([]outbox.Entry, len(given))
	for i, one := range given {
		writes.Queue(insertConsent, consentArgs(one))
		entries[i] = outbox.Entry{Context: ctx, Change: consentChange(contract.ConsentGiven, v, one, nil)}
	}
	return entries
}

// meansDefault is how the notice was given if the request does not say: the printed slip refers to the notice.
const meansDefault = "slip"

func consentChange(kind string, v visit.Visit, after Consent, before *Consent) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityConsent, EntityID: v.ID, After: eventConsent(v, after),
	}
	if before != nil {
		change.Before = eventConsent(v, *before)
	}
	return change
}

func eventConsent(v visit.Visit, c Consent) contract.Consent {
	return contract.Consent{
		ID: c.ID, VisitID: v.ID, Token: v.Token(), Day: v.Day, Purpose: c.Purpose, Means: c.Means,
		NoticeVersion: c.NoticeVersion, GivenAt: c.GivenAt, WithdrawnAt: c.WithdrawnAt,
	}
}

// Messages for invalid fields of a consent.
var (
	PurposeWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a purpose from the list")
	meansWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose how the visitor was told")
	givenWrong   = fault.NewMessage(fault.CodeRequired, "Please say whether the visitor agrees")
)

type consentBody struct {
	Purpose  wire.Field[string] `json:"purpose"`
	Means    wire.Field[string] `json:"means"`
	Language wire.Field[string] `json:"language"`
	Given    wire.Field[bool]   `json:"given"`
}

func readConsent(r *http.Request) (changeConsent, error) {
	var body consentBody
	if err := wire.Read(r, &body); err != nil {
		return changeConsent{}, err
	}
	var rejected fault.Fields
	if !body.Given.Present || body.Given.Wrong {
		rejected.Reject("given", givenWrong)
	}
	req := changeConsent{Purpose: body.Purpose.Value, Given: body.Given.Value}
	of := Withdrawable
	if req.Given {
		of = purposes
		req.Means = ReadMeans("means", body.Means, &rejected)
	}
	if body.Purpose.Wrong || !slices.Contains(of, req.Purpose) {
		rejected.Reject("purpose", PurposeWrong)
	}
	if body.Language.Present {
		req.Language = readNoticeLanguage(body.Language, &rejected)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}

// ReadMeans reads how the visitor was given the notice. If the value is invalid, it adds an error for the named field.
func ReadMeans(name string, field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || !slices.Contains(means, field.Value) {
		rejected.Reject(name, meansWrong)
	}
	return field.Value
}

func languageRejected() error {
	var rejected fault.Fields
	rejected.Reject("language", row.LanguageWrong)
	return rejected.Err()
}

// readNoticeLanguage reads the language of the notice that was given. Notices may be in languages that the screens do
// not have. Consent checks whether the office has the notice in this language.
func readNoticeLanguage(field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || field.Value != office.NoticeLanguage && !slices.Contains(office.NoticeLanguages, field.Value) {
		rejected.Reject("language", row.LanguageWrong)
	}
	return field.Value
}
