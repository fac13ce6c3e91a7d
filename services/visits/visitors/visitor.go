// Package visitors has the internal calls for lobby: the places in the line and the last calls, the actions of
// visitors on their pages, and the registration of visitors who have requested a token on their phone.
package visitors

import (
	"context"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/forecast"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// This file has the internal calls by which lobby reads the places of all visitors and carries out a visitor's action.
// Their responses have no names and no phones.

// Visitors has the use cases of the pages of visitors.
type Visitors struct {
	store     *store
	queue     *queue.Queue
	forecasts *forecast.Forecaster
}

// New returns the use cases of the pages of visitors.
func New(db *row.DB, q *queue.Queue, forecasts *forecast.Forecaster) *Visitors {
	return &Visitors{store: &store{db}, queue: q, forecasts: forecasts}
}

// InternalRoutes returns the internal routes for the visitors' pages and for arrivals.
func (v *Visitors) InternalRoutes() []endpoint.Route {
	return append(v.visitorRoutes(), v.arrivalRoutes()...)
}

func (v *Visitors) visitorRoutes() []endpoint.Route {
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/internal/line", Access: endpoint.Service(contract.SourceLobby),
			Handler: endpoint.Stream(v.serveWaiting),
		},
		{
			Method: http.MethodPost, Pattern: "/internal/visits/{id}/visitor",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readVisitorAct, v.ActAsVisitor),
		},
	}
}

// serveWaiting writes the places, or 304 if If-None-Match has the ETag of the places.
func (v *Visitors) serveWaiting(w http.ResponseWriter, r *http.Request) error {
	answer, err := v.waiting(r.Context())
	if err != nil {
		return postgres.Classify(err)
	}
	return wire.WriteTagged(w, r, answer, answer)
}

func (v *Visitors) waiting(ctx context.Context) (contract.Line, error) {
	view, err := v.queue.View(ctx)
	if err != nil {
		return contract.Line{}, err
	}
	undecided, called, err := v.store.aroundLine(ctx)
	if err != nil {
		return contract.Line{}, err
	}
	answer := contract.Line{Places: []contract.LinePlace{}, Now: called}
	ahead := view.Ahead()
	for _, one := range slices.Concat(view.Rows.Rows, undecided) {
		place := contract.LinePlace{VisitID: one.Visit.ID, Forecast: rangeOf(v.forecasts.Of(one.Visit, one.At.Clock))}
		if n, inLine := ahead[one.Visit.ID]; inLine {
			place.Ahead = &n
		}
		if place.Ahead != nil || place.Forecast != nil {
			answer.Places = append(answer.Places, place)
		}
	}
	return answer, nil
}

func rangeOf(f *row.Forecast) *contract.LineRange {
	if f == nil {
		return nil
	}
	return &contract.LineRange{From: f.From, To: f.To, Early: f.Early, Note: f.Note}
}

type visitorAct struct {
	ID     string
	Action visit.Action
	Late   time.Duration
	From   string // the digest of the address
}

// visitorActions are a visitor's actions by their names in a request. "here" also reopens a visit the visitor has left.
var visitorActions = map[string]visit.Action{
	"late": visit.Hold, "left": visit.Leave, "back": visit.Back, "here": visit.Resume,
}

var (
	visitorActionWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose an action from the list")
	minutesWrong       = fault.NewMessage(fault.CodeUnknownChoice, "Please choose 10, 20 or 30 minutes")
)

// lateMinutes are the choices of how late a visitor will be.
var lateMinutes = []int64{10, 20, 30}

func readVisitorAct(r *http.Request) (visitorAct, error) {
	var body struct {
		Action  wire.Field[string] `json:"action"`
		Minutes wire.Field[int64]  `json:"minutes"`
		From    wire.Field[string] `json:"from"`
	}
	if err := wire.Read(r, &body); err != nil {
		return visitorAct{}, err
	}
	var rejected fault.Fields
	action, known := visitorActions[body.Action.Value]
	if !known {
		rejected.Reject("action", visitorActionWrong)
	}
	req := visitorAct{
		Action: action, Late: time.Duration(body.Minutes.Value) * time.Minute, From: row.ReadSender(body.From),
	}
	late := action == visit.Hold
	if late != body.Minutes.Present || late && !slices.Contains(lateMinutes, body.Minutes.Value) {
		rejected.Reject("minutes", minutesWrong)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}

// visitorActed is the response to a visitor's action: the stage and the version after it.
type visitorActed struct {
	Stage   visit.Stage `json:"stage"`
	Version int64       `json:"version"`
	Changed bool        `json:"changed"`
}

// ActAsVisitor makes a change that a visitor has requested. A repetition changes nothing. Errors: not_found, and
// forbidden or illegal_action if the rules do not allow it.
func (v *Visitors) ActAsVisitor(ctx context.Context, req visitorAct) (visitorActed, error) {
	c := &queue.Change{
		Origin: queue.Origin{Context: ctx, By: row.ByVisitor, From: req.From}, VisitID: req.ID, LateFor: req.Late,
		Want: visit.Request{Action: req.Action},
	}
	if req.Action == visit.Hold {
		c.Want.Reason = "late"
	}
	res, err := v.queue.Do(c)
	if err != nil {
		return visitorActed{}, postgres.Classify(row.APIError(err))
	}
	after := res.Snapshot.Visit
	return visitorActed{after.Stage, after.Version, res.Changed}, nil
}
