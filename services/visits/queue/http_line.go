package queue

import (
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
)

func (q *Queue) lineRoutes() []endpoint.Route {
	const (
		reception  = contract.RoleReception
		pa         = contract.RolePA
		consultant = contract.RoleConsultant
		admin      = contract.RoleAdmin
	)
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/visits/line",
			Access: endpoint.Roles(reception, pa, consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, q.Line),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/board",
			Access: endpoint.Roles(reception, pa, consultant, admin, contract.RoleDisplay), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, q.Board),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/next",
			Access: endpoint.Roles(consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readNext, q.Next),
		},
		{
			Method: http.MethodGet, Pattern: "/api/visits/desks",
			Access: endpoint.Roles(reception, pa, consultant, admin), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, q.Desks),
		},
		{
			Method: http.MethodPut, Pattern: "/api/visits/desks/{id}",
			Access: endpoint.Roles(pa, consultant, admin).Owned("assigned"), Limit: limit.Product,
			Handler: endpoint.JSON(readDesk, q.ChangeDesk),
		},
	}
}

type callNext struct {
	ConsultantID, Counter string
	Expect                string `json:",omitzero"` // id of the visit that the caller expects as the next; "": any
	key                   string
}

type callNextBody struct {
	ConsultantID wire.Field[string] `json:"consultant_id"`
	Counter      wire.Field[string] `json:"counter"`
	Expect       wire.Field[string] `json:"expect"`
}

func readNext(r *http.Request) (callNext, error) {
	var body callNextBody
	if err := wire.Read(r, &body); err != nil {
		return callNext{}, err
	}
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return callNext{}, err
	}
	var rejected fault.Fields
	req := callNext{ConsultantID: body.ConsultantID.Value, Counter: readCounter(body.Counter, &rejected), key: key}
	caller, _ := identity.From(r.Context())
	if caller.Role == contract.RoleConsultant {
		req.ConsultantID = caller.ID
	}
	if req.ConsultantID == "" {
		rejected.Reject("consultant_id", consultantEmpty)
	}
	if body.Expect.Present {
		req.Expect = row.ReadRecordID("expect", body.Expect, &rejected)
	}
	return req, rejected.Err()
}

type deskRequest struct {
	State   wire.Field[string]    `json:"state"`
	Counter wire.Field[string]    `json:"counter"`
	Until   wire.Field[wire.Time] `json:"until"`
	BackAt  wire.Field[wire.Time] `json:"backAt"`
}

func readDesk(r *http.Request) (changeDesk, error) {
	var body deskRequest
	if err := wire.Read(r, &body); err != nil {
		return changeDesk{}, err
	}
	var rejected fault.Fields
	req := changeDesk{
		ID: r.PathValue("id"), State: body.State.Value,
		Until: readTime("until", body.Until, &rejected), BackAt: readTime("backAt", body.BackAt, &rejected),
	}
	switch req.State {
	case deskOpen, deskBreak, deskLast, deskOff:
	default:
		rejected.Reject("state", stateWrong)
	}
	if body.Counter.Present {
		counter := readCounter(body.Counter, &rejected)
		req.Counter = &counter
	}
	return req, rejected.Err()
}
