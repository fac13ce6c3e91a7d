package queue

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

type deskBody struct {
	ConsultantID string         `json:"consultantId"`
	Name         string         `json:"name"`
	State        string         `json:"state"`
	Counter      *string        `json:"counter"`
	Since        *wire.Time     `json:"since"`
	Until        *wire.Time     `json:"until"`
	BackAt       *wire.Time     `json:"backAt"`
	Serves       []string       `json:"serves"`
	Visit        *deskVisitBody `json:"visit"`

	CounterRequired bool    `json:"counterRequired"`
	DefaultCounter  *string `json:"defaultCounter"`
}

type deskVisitBody struct {
	ID        string    `json:"id"`
	Token     string    `json:"token"`
	TokenAlso string    `json:"tokenAlso,omitzero"`
	Stage     string    `json:"stage"`
	Since     wire.Time `json:"since"`
}

func deskBodyOf(d desk) deskBody {
	body := deskBody{
		ConsultantID: d.ConsultantID, Name: d.Name, State: d.State, Counter: wire.TextOf(d.Counter),
		Since: wire.TimeOf(d.Since), Until: wire.TimeOf(d.Until), BackAt: wire.TimeOf(d.BackAt), Serves: d.Serves,
		CounterRequired: d.CounterRequired, DefaultCounter: wire.TextOf(d.DefaultCounter),
	}
	if v := d.Visit; v != nil {
		body.Visit = &deskVisitBody{
			ID: v.ID, Token: visit.Token(v.Series, v.Token), TokenAlso: v.Also, Stage: v.Stage,
			Since: wire.Time(v.Since),
		}
	}
	return body
}

func desksOf(desks []desk) []deskBody {
	bodies := make([]deskBody, len(desks))
	for i, d := range desks {
		bodies[i] = deskBodyOf(d)
	}
	return bodies
}

type desksAnswer struct {
	Desks []deskBody `json:"desks"`
	at    feed.Position
}

// Headers implements kithttp.Headerer.
func (a desksAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// Desks lists the desks of the active consultants.
func (q *Queue) Desks(ctx context.Context, _ struct{}) (desksAnswer, error) {
	desks, at, err := q.store.desks(ctx)
	if err != nil {
		return desksAnswer{}, postgres.Classify(err)
	}
	return desksAnswer{Desks: desksOf(desks), at: at.Feed}, nil
}

type deskAnswer struct {
	Desk deskBody `json:"desk"`
	at   feed.Position
}

// Headers implements kithttp.Headerer.
func (a deskAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// changeDesk is a validated request to change a desk. A nil Counter keeps the counter.
type changeDesk struct {
	ID            string
	State         string
	Counter       *string
	Until, BackAt *time.Time
}

// ChangeDesk changes a desk. Errors: not_assigned, not_found, counter_required, and validation for a time that
// is not later today.
func (q *Queue) ChangeDesk(ctx context.Context, req changeDesk) (answer deskAnswer, err error) {
	by := row.Actor(ctx)
	if by.Role == contract.RoleConsultant && req.ID != by.ID {
		name, err := q.directory.ConsultantName(ctx, req.ID)
		if err != nil {
			return deskAnswer{}, err
		}
		return deskAnswer{}, row.AnothersDesk(name)
	}
	if err := q.directory.FetchConsultant(ctx, req.ID); errors.Is(err, catalog.ErrConsultantUnavailable) {
		return deskAnswer{}, fault.ErrNotFound
	} else if err != nil {
		return deskAnswer{}, err
	}
	err = q.outbox.InTx(ctx, func(tx pgx.Tx) error {
		at, err := q.store.ReadPoint(ctx, tx)
		if err != nil {
			return err
		}
		for field, t := range map[string]*time.Time{"until": req.Until, "backAt": req.BackAt} {
			if err := laterToday(field, t, at); err != nil {
				return err
			}
		}
		to := desk{ConsultantID: req.ID, State: req.State, Until: req.Until, BackAt: req.BackAt}
		before, after, err := q.store.changeDesk(ctx, tx, to, req.Counter, by)
		if err != nil {
			return row.APIError(err)
		}
		policy, err := q.store.policy(ctx, tx)
		switch {
		case err != nil:
			return err
		case policy.RequireCounter && after.Counter == "" && (after.State == deskOpen || after.State == deskLast):
			return row.ErrCounterRequired
		}
		answer = deskAnswer{Desk: deskBodyOf(after), at: at.Feed}
		return outbox.Append(ctx, tx, deskChange(before, after))
	})
	return answer, err
}

func deskChange(before, after desk) outbox.Change {
	change := outbox.Change{
		Type: contract.DeskChanged, Entity: contract.EntityDesk, EntityID: after.ConsultantID, Version: after.Version,
		After: eventDesk(after),
	}
	if before.Since != nil {
		change.Before = eventDesk(before)
	}
	return change
}

func eventDesk(d desk) contract.Desk {
	return contract.Desk{
		ConsultantID: d.ConsultantID, ConsultantName: d.Name, State: d.State, Counter: d.Counter,
		Since: wire.Time(*d.Since), Until: wire.TimeOf(d.Until), BackAt: wire.TimeOf(d.BackAt), Version: d.Version,
	}
}
