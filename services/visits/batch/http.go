package batch

import (
	"net/http"
	"slices"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Routes returns the route of requests for several visits. It admits each role that may take one of the actions.
func (b *Batch) Routes() []endpoint.Route {
	return []endpoint.Route{{
		Method: http.MethodPost, Pattern: path,
		Access: endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin).
			Owned("assigned"),
		Limit: limit.Product, Handler: endpoint.JSON(read, b.Act),
	}}
}

// actions are the actions that a request can take on several visits.
var actions = []visit.Action{visit.Approve, visit.Leave, visit.Hold, visit.Resume, visit.Cancel, visit.Undo}

const mostVisits = 50

var (
	actionWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose an action from the list")
	keyMissing  = fault.NewMessage(fault.CodeRequired, "Please send a key")
	noVisits    = fault.NewMessage(fault.CodeRequired, "Please choose at least one visit")
	visitsMany  = fault.NewMessage(fault.CodeTooMany, "Please choose at most 50 visits").With("max", mostVisits)
	visitsWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose visits from the list, each once")
)

// request is a validated request. Its exported fields must be the same whenever its idempotency key is used again.
type request struct {
	Action       visit.Action
	ConsultantID string
	ToLine       bool
	Notes        string // the notes of an approval, or the note of a hold
	Reason       string
	Visits       []one
	key          string
}

// one is a visit of a request, and the version that the caller has seen; nil means any version.
type one struct {
	ID      string
	Version *int64
}

type body struct {
	Action       wire.Field[string]  `json:"action"`
	Line         wire.Field[bool]    `json:"line"`
	ConsultantID wire.Field[string]  `json:"assigned_consultant_id"`
	Notes        wire.Field[string]  `json:"notes"`
	Reason       wire.Field[string]  `json:"reason"`
	Note         wire.Field[string]  `json:"note"`
	Visits       wire.Field[[]entry] `json:"visits"`
}

type entry struct {
	ID      wire.Field[string] `json:"id"`
	Version wire.Field[int64]  `json:"version"`
}

func read(r *http.Request) (request, error) {
	var sent body
	if err := wire.Read(r, &sent); err != nil {
		return request{}, err
	}
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return request{}, err
	}
	caller, _ := identity.From(r.Context())
	req := request{Action: visit.Action(sent.Action.Value), key: key}
	known := slices.Contains(actions, req.Action)
	if rule, _ := visit.RuleOf(req.Action); known && !slices.Contains(rule.Roles(), caller.Role) {
		return request{}, fault.ErrForbidden // even if other fields are invalid
	}
	var rejected fault.Fields
	if !known {
		rejected.Reject("action", actionWrong)
	}
	if key == "" {
		rejected.Reject(idempotency.HeaderKey, keyMissing)
	}
	switch req.Action {
	case visit.Approve:
		req.ConsultantID, req.ToLine = queue.ReadAssignee(sent.ConsultantID, sent.Line, &rejected)
		req.Notes = row.ReadNotes(sent.Notes, &rejected)
	case visit.Hold:
		req.Reason, req.Notes = queue.ReadHold(sent.Reason, sent.Note, &rejected)
		if req.Reason == visit.Late { // a common time of arrival makes no sense for several visitors
			rejected.Reject("reason", queue.HoldWrong)
		}
	}
	req.Visits = readVisits(sent.Visits, &rejected)
	return req, rejected.Err()
}

// readVisits reads 1 to 50 visits. None may occur twice.
func readVisits(field wire.Field[[]entry], rejected *fault.Fields) []one {
	switch n := len(field.Value); {
	case field.Wrong:
		rejected.Reject("visits", visitsWrong)
	case n == 0:
		rejected.Reject("visits", noVisits)
	case n > mostVisits:
		rejected.Reject("visits", visitsMany)
		return nil
	}
	all := make([]one, len(field.Value))
	seen := map[uuid.UUID]bool{}
	for i, sent := range field.Value {
		id, err := uuid.Parse(sent.ID.Value)
		if err != nil || len(sent.ID.Value) != 36 || seen[id] || sent.Version.Wrong {
			rejected.Reject("visits", visitsWrong)
		}
		seen[id] = true
		all[i] = one{ID: id.String()}
		if sent.Version.Present {
			all[i].Version = &sent.Version.Value
		}
	}
	return all
}
