package queue

import (
	"context"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Routes returns the routes of visits, of the line and of the desks.
func (q *Queue) Routes() []endpoint.Route {
	const (
		reception  = contract.RoleReception
		pa         = contract.RolePA
		consultant = contract.RoleConsultant
		admin      = contract.RoleAdmin
	)
	routes := []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/today",
			Access: endpoint.Roles(reception, pa, consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(feed.ReadSince, q.Today),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/pending-approval",
			Access: endpoint.Roles(pa, admin), Limit: limit.Product,
			Handler: endpoint.JSON(feed.ReadSince, q.Pending),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits",
			Access: endpoint.Roles(visit.Creators...), Limit: limit.Product,
			Handler: endpoint.JSON(readCreate, q.Create),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/{id}/status",
			Access: endpoint.Roles(pa, consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readChange, q.ChangeStatus),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/lookup",
			Access: endpoint.Roles(visit.Creators...), Limit: lookupRate,
			Handler: endpoint.JSON(readLookup, q.Lookup),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/draft",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(row.ReadID, q.Draft),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/{id}/draft",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readDraft, q.SaveDraft),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/earlier",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(row.ReadID, q.Earlier),
		},
	}
	return slices.Concat(routes, q.lineRoutes(), q.actionRoutes())
}

var (
	statusWrong     = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a status the visit can have")
	lineWrong       = fault.NewMessage(fault.CodeContradiction, "Please choose a consultant or the line, not both")
	draftMissing    = fault.NewMessage(fault.CodeRequired, "Please send the notes")
	consultantEmpty = fault.NewMessage(fault.CodeRequired, "Please choose a consultant")
)

// changeStatus is a validated request to change a visit's status. It has no pa_id: the actor is the caller.
type changeStatus struct {
	ID           string
	Action       visit.Action
	Notes        string
	ConsultantID string
	ToLine       bool
	Version      *int64
}

func (c changeStatus) change(ctx context.Context, by visit.Actor) *Change {
	return &Change{
		Origin: Origin{Context: ctx, By: by}, VisitID: c.ID, Consultant: c.ConsultantID,
		Want: visit.Request{Action: c.Action, Notes: c.Notes, ToLine: c.ToLine, Version: c.Version},
	}
}

type changeBody struct {
	Status       wire.Field[string] `json:"status"`
	Notes        wire.Field[string] `json:"notes"`
	ConsultantID wire.Field[string] `json:"assigned_consultant_id"`
	Line         wire.Field[bool]   `json:"line"`
	Version      wire.Field[int64]  `json:"version"`
}

func readChange(r *http.Request) (changeStatus, error) {
	var body changeBody
	if err := wire.Read(r, &body); err != nil {
		return changeStatus{}, err
	}
	caller, _ := identity.From(r.Context())
	action, known := visit.To(visit.Status(body.Status.Value))
	if rule, _ := visit.RuleOf(action); known && !slices.Contains(rule.Roles(), caller.Role) {
		return changeStatus{}, fault.ErrForbidden // whatever the other fields contain
	}
	var rejected fault.Fields
	req := changeStatus{Action: action, Notes: row.ReadNotes(body.Notes, &rejected)}
	if !known || body.Status.Wrong {
		rejected.Reject("status", statusWrong)
	}
	readAssignee(body, caller.Role, &req, &rejected)
	req.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}

// readAssignee reads the consultant for whom the visit is approved, or for whom an admin starts a session.
func readAssignee(body changeBody, role string, req *changeStatus, rejected *fault.Fields) {
	if req.Action == visit.Start && role == contract.RoleAdmin {
		req.ConsultantID = body.ConsultantID.Value
	}
	if req.Action == visit.Approve {
		req.ConsultantID, req.ToLine = ReadAssignee(body.ConsultantID, body.Line, rejected)
	}
}

// ReadAssignee reads whom a visit is approved for: a consultant, or the line.
func ReadAssignee(
	consultant wire.Field[string], line wire.Field[bool], rejected *fault.Fields,
) (id string, toLine bool) {
	if line.Wrong || line.Value && consultant.Present {
		rejected.Reject("line", lineWrong)
	}
	if !line.Value && (consultant.Value == "" || consultant.Wrong) {
		rejected.Reject("assigned_consultant_id", consultantEmpty)
	}
	return consultant.Value, line.Value
}

// lookupRate allows a user 30 lookups a minute. This is enough for a desk, and far too slow for reading all phone
// numbers.
var lookupRate = limit.Rule{Name: "lookup", By: limit.PerUser, Count: 30, Period: time.Minute, Burst: 30}

// lookupVisitor is a validated lookup of a returning visitor. The phone is sent in the body, never in a URL.
type lookupVisitor struct{ Phone string }

type lookupBody struct {
	Phone wire.Field[string] `json:"phone"`
}

func readLookup(r *http.Request) (lookupVisitor, error) {
	var body lookupBody
	if err := wire.Read(r, &body); err != nil {
		return lookupVisitor{}, err
	}
	var rejected fault.Fields
	return lookupVisitor{Phone: row.ReadPhone(body.Phone, &rejected)}, rejected.Err()
}

type saveDraft struct{ ID, Notes string }

type draftBody struct {
	Notes wire.Field[string] `json:"notes"`
}

func readDraft(r *http.Request) (saveDraft, error) {
	var body draftBody
	if err := wire.Read(r, &body); err != nil {
		return saveDraft{}, err
	}
	var rejected fault.Fields
	req := saveDraft{Notes: row.ReadNotes(body.Notes, &rejected)}
	if !body.Notes.Present && !body.Notes.Null {
		rejected.Reject("notes", draftMissing)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}
