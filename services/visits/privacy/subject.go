package privacy

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/operate/subject"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
)

// An admin finds, exports or erases the data of one person. The packages of baarictl do the work: they call the
// internal listeners of the services that can have such data, also of this one.

// servicesFor returns the clients of all services, for requests on behalf of the signed-in user.
func (p *Privacy) servicesFor(ctx context.Context) operate.Installation {
	by := row.Actor(ctx)
	services := p.services
	services.Staff = &operate.Staff{ID: by.ID, Role: by.Role}
	return services
}

func (p *Privacy) personRoutes() []endpoint.Route {
	fresh := endpoint.Roles(contract.RoleAdmin).Fresh(contract.FreshSession)
	return []endpoint.Route{
		{
			Method: http.MethodPost, Pattern: "/api/privacy/subject", Access: fresh, Limit: limit.Product,
			Handler: endpoint.JSON(readUse, p.UseSubject),
		},
		{
			Method: http.MethodGet, Pattern: "/api/privacy/subject/{id}", Access: fresh, Limit: limit.Product,
			Handler: endpoint.JSON(row.ReadID, p.Erasure),
		},
	}
}

// The actions on a person's data, and their reasons. A reason is chosen from a list and not typed, so that it cannot
// name a person.
const (
	useFind   = "find"
	useExport = "export"
	useErase  = "erase"
)

var useReasons = []string{"request", "withdrawn", "mistake", "order"}

// useSubject is a validated request about a person, who is given by phone or by a privacy request of the register.
type useSubject struct {
	Action, Phone, RequestID, Reason string
}

// useAnswer has the counts of a find, the document of an export, or an erasure that has begun.
type useAnswer struct {
	Found    *subject.Counts `json:"found,omitempty"`
	Document *string         `json:"document,omitempty"`
	Erasure  *erasure        `json:"erasure,omitempty"`
}

// StatusCode implements kithttp.StatusCoder.
func (a useAnswer) StatusCode() int {
	if a.Erasure != nil {
		return http.StatusAccepted
	}
	return http.StatusOK
}

// UseSubject finds, exports or erases a person. An event records each use before the response. Errors: not_found for an
// unknown privacy request, no_person if its person is erased, unavailable if a service does not respond.
func (p *Privacy) UseSubject(ctx context.Context, req useSubject) (useAnswer, error) {
	if req.Phone == "" {
		phone, err := p.store.phoneOfRequest(ctx, req.RequestID)
		if err == nil && phone == "" {
			err = errNoPerson
		}
		if err != nil {
			return useAnswer{}, postgres.Classify(err)
		}
		req.Phone = phone
	}
	switch req.Action {
	case useFind:
		counts, err := subject.Find(ctx, p.servicesFor(ctx), req.Phone)
		if err == nil {
			err = p.noteUse(ctx, contract.PrivacyFound, req.use(counts))
		}
		return useAnswer{Found: &counts}, operated(err)
	case useExport:
		document, err := p.export(ctx, req)
		return useAnswer{Document: &document}, operated(err)
	}
	begun, err := p.beginErasure(ctx, req)
	return useAnswer{Erasure: &begun}, operated(err)
}

func (p *Privacy) export(ctx context.Context, req useSubject) (string, error) {
	data, err := subject.Export(ctx, p.servicesFor(ctx), req.Phone)
	if err != nil {
		return "", err
	}
	now, err := p.store.Now(ctx)
	if err != nil {
		return "", postgres.Classify(err)
	}
	var document bytes.Buffer
	if err := data.Write(&document, req.Phone, now); err != nil {
		return "", err
	}
	return document.String(), p.noteUse(ctx, contract.PrivacyExported, req.use(data.Counts()))
}

// use returns the payload of the event that records the request.
func (r useSubject) use(counts subject.Counts) contract.PrivacyUse {
	use := contract.PrivacyUse{
		ID: uuid.Must(uuid.NewV7()).String(), Reason: r.Reason,
		Visits: counts.Visits, Appointments: counts.Appointments, Arrivals: counts.Arrivals,
		Notifications: counts.Notifications,
	}
	if r.RequestID != "" {
		use.RequestID = &r.RequestID
	}
	return use
}

func (p *Privacy) noteUse(ctx context.Context, kind string, use contract.PrivacyUse) error {
	return p.outbox.InTx(ctx, func(tx pgx.Tx) error { return outbox.Append(ctx, tx, useChange(kind, use)) })
}

func useChange(kind string, use contract.PrivacyUse) outbox.Change {
	return outbox.Change{Type: kind, Entity: contract.EntityPrivacy, EntityID: use.ID, After: use}
}

// errNoPerson is returned for a privacy request whose person is erased.
var errNoPerson = fault.New(fault.Conflict, "no_person", "The data of this person is erased.")

// Conflicts are the codes of 409 that only this package returns.
var Conflicts = []string{errNoPerson.Code}

// operated returns the fault for an error of the operator's packages: unavailable if a service fails or rejects a call.
func operated(err error) error {
	var said advice.Advice
	var rejected *operate.Rejected
	if errors.As(err, &said) || errors.As(err, &rejected) {
		return fault.ErrUnavailable.Because(err)
	}
	return postgres.Classify(err)
}

var (
	actionWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose an action from the list")
	useWrong    = fault.NewMessage(fault.CodeRequired, "Please choose a reason")
)

func readUse(r *http.Request) (useSubject, error) {
	var body struct {
		Action    wire.Field[string] `json:"action"`
		Phone     wire.Field[string] `json:"phone"`
		RequestID wire.Field[string] `json:"request_id"`
		Reason    wire.Field[string] `json:"reason"`
	}
	if err := wire.Read(r, &body); err != nil {
		return useSubject{}, err
	}
	var rejected fault.Fields
	req := useSubject{Action: body.Action.Value, Reason: body.Reason.Value}
	if body.Action.Wrong || !slices.Contains([]string{useFind, useExport, useErase}, req.Action) {
		rejected.Reject("action", actionWrong)
	}
	if body.Reason.Wrong || !slices.Contains(useReasons, req.Reason) {
		rejected.Reject("reason", useWrong)
	}
	if body.RequestID.Present {
		req.RequestID = row.ReadRecordID("request_id", body.RequestID, &rejected)
	}
	if body.Phone.Present || !body.RequestID.Present {
		req.Phone = row.ReadPhone(body.Phone, &rejected)
	}
	return req, rejected.Err()
}
