package queue

import (
	"context"
	"net/http"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// actionPaths are the routes POST /api/visits/{id}/NAME, which change a visit by an action. The function read reads the
// fields of the request besides the version.
var actionPaths = []struct {
	name   string
	action visit.Action
	read   func(actBody, *act, *fault.Fields)
}{
	{"call", visit.Call, readCall},
	{"recall", visit.Recall, nil},
	{"release", visit.Release, nil},
	{"start", visit.Take, readCall},
	{"miss", visit.Miss, nil},
	{"back", visit.Back, nil},
	{"hold", visit.Hold, readHold},
	{"resume", visit.Resume, nil},
	{"transfer", visit.Transfer, readTransfer},
	{"pin", visit.Pin, readPin},
	{"move", visit.Move, readMove},
	{"class", visit.Prioritise, readPrioritise},
	{"leave", visit.Leave, nil},
	{"cancel", visit.Cancel, nil},
	{"reopen", visit.Reopen, readReopen},
	{"correct", visit.Correct, readCorrect},
	{"undo", visit.Undo, nil},
}

// actionRoutes returns the routes of the actions. Their roles come from the rules.
func (q *Queue) actionRoutes() []endpoint.Route {
	routes := make([]endpoint.Route, len(actionPaths))
	for i, path := range actionPaths {
		rule, _ := visit.RuleOf(path.action)
		routes[i] = endpoint.Route{
			Method: http.MethodPost, Pattern: "/api/visits/{id}/" + path.name,
			Access: accessOf(rule), Limit: limit.Product,
			Handler: endpoint.JSON(readAct(path.action, path.read), q.Act),
		}
	}
	return routes
}

// accessOf returns the access rule of an action: its roles except the service's own and the visitor's, which have no
// accounts.
func accessOf(rule visit.Rule) endpoint.Access {
	var roles []string
	owned := false
	for _, grant := range rule.Grants {
		if grant.Role != visit.System && grant.Role != visit.Visitor {
			roles = append(roles, grant.Role)
		}
		owned = owned || grant.Of == visit.Own || grant.Of == visit.Eligible
	}
	if owned {
		return endpoint.Roles(roles...).Owned("assigned")
	}
	return endpoint.Roles(roles...)
}

// act is a validated request for an action. If its idempotency key is used again, the exported fields must be the same.
type act struct {
	ID           string
	Action       visit.Action
	Version      *int64
	ConsultantID string
	ToLine       bool
	ServiceID    string
	Notes        string
	Counter      string
	Reason       string
	Until        *time.Time
	Class        string
	Before       *string
	Force        bool
	Name         *string
	Phone        *string
	NewNotes     *string
	key          string
}

// change returns the requested change. The error is that of idempotency.Of.
func (a act) change(ctx context.Context, by visit.Actor) (*Change, error) {
	key, err := idempotency.Of(by.ID, "POST /api/visits/{id}/"+string(a.Action), a.key, a)
	return &Change{
		Origin: Origin{Context: ctx, By: by, Key: key}, VisitID: a.ID,
		Consultant: a.ConsultantID, ServiceID: a.ServiceID, Before: a.Before,
		Want: visit.Request{
			Action: a.Action, Version: a.Version, Notes: a.Notes, ToLine: a.ToLine, Counter: a.Counter,
			Reason: a.Reason, Until: a.Until, Class: a.Class, Forced: a.Force,
			Name: a.Name, Phone: a.Phone, NewNotes: a.NewNotes,
		},
	}, err
}

type actBody struct {
	ConsultantID wire.Field[string]    `json:"consultant_id"`
	ServiceID    wire.Field[string]    `json:"service_id"`
	Counter      wire.Field[string]    `json:"counter"`
	Reason       wire.Field[string]    `json:"reason"`
	Note         wire.Field[string]    `json:"note"`
	Notes        wire.Field[string]    `json:"notes"`
	Until        wire.Field[wire.Time] `json:"until"`
	Class        wire.Field[string]    `json:"class"`
	Before       wire.Field[string]    `json:"before"`
	Force        wire.Field[bool]      `json:"force"`
	Name         wire.Field[string]    `json:"name"`
	Phone        wire.Field[string]    `json:"phone"`
	Version      wire.Field[int64]     `json:"version"`
	role         string
}

func readAct(action visit.Action, read func(actBody, *act, *fault.Fields)) func(*http.Request) (act, error) {
	return func(r *http.Request) (act, error) {
		var body actBody
		if err := wire.Read(r, &body); err != nil {
			return act{}, err
		}
		caller, _ := identity.From(r.Context())
		body.role = caller.Role
		key, err := idempotency.FromHeader(r.Header)
		if err != nil {
			return act{}, err
		}
		var rejected fault.Fields
		req := act{Action: action, key: key}
		if (action == visit.Call || action == visit.Take) && caller.Role == contract.RoleConsultant {
			req.ConsultantID = caller.ID
		}
		if read != nil {
			read(body, &req, &rejected)
		}
		req.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
		if err := rejected.Err(); err != nil {
			return req, err
		}
		req.ID, err = row.ReadID(r)
		return req, err
	}
}

const (
	longestCounter  = 12
	longestHoldNote = 500
	longestReason   = 200
)

// Messages for invalid fields of the actions.
var (
	counterWrong = fault.NewMessage(fault.CodeTooLong, "Please shorten the counter to 12 characters").
			With("max", longestCounter)
	counterIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the counter")
	HoldWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a reason from the list")
	untilWrong  = fault.NewMessage(fault.CodeInvalidDate, "Please choose a time later today")
	reasonEmpty = fault.NewMessage(fault.CodeRequired, "Please enter a reason")
	reasonLong  = fault.NewMessage(fault.CodeTooLong, "Please shorten the reason to 200 characters").
			With("max", longestReason)
	noteLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the note to 500 characters").
			With("max", longestHoldNote)
	stateWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a state from the list")
	forceWrong = fault.NewMessage(fault.CodeInvalidFlag, "Please choose yes or no")
)

func readCounter(field wire.Field[string], rejected *fault.Fields) string {
	return wire.TextRule{Field: "counter", Most: longestCounter, Illegal: counterIllegal, Long: counterWrong}.
		Read(field, rejected)
}

func readText(name string, field wire.Field[string], most int, long fault.Message, rejected *fault.Fields) string {
	return wire.TextRule{Field: name, Most: most, Multiline: true, Illegal: row.NotesIllegal, Long: long}.
		Read(field, rejected)
}

func readCall(body actBody, req *act, rejected *fault.Fields) {
	req.Counter = readCounter(body.Counter, rejected)
	if body.role == contract.RoleConsultant {
		return
	}
	if req.ConsultantID = body.ConsultantID.Value; req.ConsultantID == "" {
		rejected.Reject("consultant_id", consultantEmpty)
	}
}

func readHold(body actBody, req *act, rejected *fault.Fields) {
	req.Reason, req.Notes = ReadHold(body.Reason, body.Note, rejected)
	req.Until = readTime("until", body.Until, rejected)
	if req.Reason == visit.Late && !body.Until.Present {
		rejected.Reject("until", untilWrong)
	}
}

// ReadHold reads why a visit is put on hold, and the note.
func ReadHold(reason, note wire.Field[string], rejected *fault.Fields) (why, text string) {
	switch reason.Value {
	case "papers", "payment", "person", visit.Late, "other":
	default:
		rejected.Reject("reason", HoldWrong)
	}
	return reason.Value, readText("note", note, longestHoldNote, noteLong, rejected)
}

// readTime reads an optional time. laterToday checks it with the database's clock.
func readTime(name string, field wire.Field[wire.Time], rejected *fault.Fields) *time.Time {
	if field.Wrong {
		rejected.Reject(name, untilWrong)
	}
	if !field.Present {
		return nil
	}
	t := time.Time(field.Value)
	return &t
}

// laterToday returns a fault unless t is nil or later on the same office day.
func laterToday(name string, t *time.Time, at row.Point) error {
	if t == nil || t.After(at.Now) && t.Before(at.End) {
		return nil
	}
	return fault.Field(name, untilWrong)
}

func readTransfer(body actBody, req *act, rejected *fault.Fields) {
	req.ConsultantID, req.ToLine = body.ConsultantID.Value, !body.ConsultantID.Present
	if body.ServiceID.Present {
		req.ServiceID = row.ReadRecordID("service_id", body.ServiceID, rejected)
	}
	nowhere := !body.ServiceID.Present && !body.ConsultantID.Present && !body.ConsultantID.Null
	if nowhere || body.ConsultantID.Present && body.ConsultantID.Value == "" {
		rejected.Reject("consultant_id", consultantEmpty)
	}
	req.Notes = readText("note", body.Note, row.LongestNotes, row.NotesLong, rejected)
}

func readPin(body actBody, req *act, rejected *fault.Fields) {
	req.ConsultantID, req.ToLine = body.ConsultantID.Value, body.ConsultantID.Null
	if req.ConsultantID == "" && !req.ToLine {
		rejected.Reject("consultant_id", consultantEmpty)
	}
}

func readMove(body actBody, req *act, rejected *fault.Fields) {
	if !body.Before.Null {
		id := row.ReadRecordID("before", body.Before, rejected)
		req.Before = &id
	}
	req.Reason = readText("reason", body.Reason, longestReason, reasonLong, rejected)
	if req.Reason == "" && req.Before != nil {
		rejected.Reject("reason", reasonEmpty)
	}
	if req.Force = body.Force.Value; body.Force.Wrong {
		rejected.Reject("force", forceWrong)
	}
}

func readPrioritise(body actBody, req *act, rejected *fault.Fields) {
	req.Class = row.ReadClass(body.Class, rejected)
}

func readReopen(body actBody, req *act, rejected *fault.Fields) {
	req.Notes = readText("note", body.Note, row.LongestNotes, row.NotesLong, rejected)
}

func readCorrect(body actBody, req *act, rejected *fault.Fields) {
	if body.Name.Present {
		name := row.ReadName(body.Name, rejected)
		req.Name = &name
	}
	if body.Phone.Present {
		phone := row.ReadPhone(body.Phone, rejected)
		req.Phone = &phone
	}
	if body.Notes.Present {
		notes := row.ReadNotes(body.Notes, rejected)
		req.NewNotes = &notes
	}
	if body.ServiceID.Present {
		req.ServiceID = row.ReadRecordID("service_id", body.ServiceID, rejected)
	}
	if !body.Name.Present && !body.Phone.Present && !body.Notes.Present && !body.ServiceID.Present {
		rejected.Reject("name", fault.NothingGiven)
	}
}
