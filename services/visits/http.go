package visits

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/phone"
	"baari.dev/services/platform/wire"
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
			Handler: endpoint.JSON(readID, q.Draft),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/{id}/draft",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readDraft, q.SaveDraft),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/{id}/earlier",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readID, q.Earlier),
		},
	}
	return slices.Concat(routes, q.lineRoutes(), q.actionRoutes())
}

// Messages for invalid fields: those of docs/spec-items.tsv where it has one.
var (
	nameMissing = fault.NewMessage(fault.CodeRequired, "Name is required")
	nameLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the name to 100 characters").
			With("max", longestName)
	nameIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the name")
	phoneMissing   = fault.NewMessage(fault.CodeRequired, "Phone number is required")
	phoneWrong     = fault.NewMessage(fault.CodeInvalidPhone, "Please enter a valid 10-digit phone number")
	serviceMissing = fault.NewMessage(fault.CodeRequired, "Please choose a service from the list")
	notesLong      = fault.NewMessage(fault.CodeTooLong, "Please shorten the notes to 2,000 characters").
			With("max", longestNotes)
	notesFull = fault.NewMessage(fault.CodeTooLong,
		"With the notes before, these do not fit. Please shorten them or leave them out")
	notesIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the notes")
	languageWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a language from the list")
	statusWrong     = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a status the visit can have")
	lineWrong       = fault.NewMessage(fault.CodeContradiction, "Please choose a consultant or the line, not both")
	draftMissing    = fault.NewMessage(fault.CodeRequired, "Please send the notes")
	consultantEmpty = fault.NewMessage(fault.CodeRequired, "Please choose a consultant")
)

const (
	longestName  = 100
	longestNotes = 2000
)

func readName(field wire.Field[string], rejected *fault.Fields) string {
	text := wire.Clean(field.Value, false)
	switch {
	case !field.Present || field.Wrong || text.Empty && !text.Illegal:
		rejected.Reject("name", nameMissing)
	case text.Illegal:
		rejected.Reject("name", nameIllegal)
	case text.Length > longestName:
		rejected.Reject("name", nameLong)
	}
	return text.Value
}

func readPhone(field wire.Field[string], rejected *fault.Fields) string {
	switch {
	case !field.Present || !field.Wrong && field.Value == "":
		rejected.Reject("phone", phoneMissing)
	case field.Wrong || !phone.IsTen(field.Value):
		rejected.Reject("phone", phoneWrong)
	}
	return field.Value
}

// readServiceID reads the id under either of its two names; if both are present they must be equal.
func readServiceID(first, second wire.Field[string], rejected *fault.Fields) string {
	id := first.Value
	if !first.Present {
		id = second.Value
	}
	disagree := first.Present && second.Present && first.Value != second.Value
	if id == "" || first.Wrong || second.Wrong || disagree {
		rejected.Reject("service_id", serviceMissing)
	}
	return id
}

func readNotes(field wire.Field[string], rejected *fault.Fields) string {
	text := wire.Clean(field.Value, true)
	switch {
	case field.Wrong || text.Illegal:
		rejected.Reject("notes", notesIllegal)
	case text.Length > longestNotes:
		rejected.Reject("notes", notesLong)
	}
	return text.Value
}

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
	req := changeStatus{Action: action, Notes: readNotes(body.Notes, &rejected)}
	if !known || body.Status.Wrong {
		rejected.Reject("status", statusWrong)
	}
	readAssignee(body, caller.Role, &req, &rejected)
	req.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := readID(r)
	req.ID = id
	return req, err
}

// readAssignee reads whom the visit is approved for, or for whom an admin starts a session.
func readAssignee(body changeBody, role string, req *changeStatus, rejected *fault.Fields) {
	if req.Action == visit.Start && role == contract.RoleAdmin {
		req.ConsultantID = body.ConsultantID.Value
	}
	if req.Action != visit.Approve {
		return
	}
	req.ConsultantID, req.ToLine = body.ConsultantID.Value, body.Line.Value
	if body.Line.Wrong || req.ToLine && body.ConsultantID.Present {
		rejected.Reject("line", lineWrong)
	}
	if !req.ToLine && (req.ConsultantID == "" || body.ConsultantID.Wrong) {
		rejected.Reject("assigned_consultant_id", consultantEmpty)
	}
}

// readID reads the visit's id from the path. It returns fault.ErrNotFound for anything that is not a UUID.
func readID(r *http.Request) (string, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil || len(r.PathValue("id")) != 36 {
		return "", fault.ErrNotFound
	}
	return id.String(), nil
}

// lookupRate is above what a desk needs, one number typed in two seconds, and far below what reads a register.
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
	return lookupVisitor{Phone: readPhone(body.Phone, &rejected)}, rejected.Err()
}

// saveDraft is a validated request to store the draft of a session's notes.
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
	req := saveDraft{Notes: readNotes(body.Notes, &rejected)}
	if !body.Notes.Present && !body.Notes.Null {
		rejected.Reject("notes", draftMissing)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := readID(r)
	req.ID = id
	return req, err
}
