package visitors

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// An arrival is a request for a token, sent from a page on the visitor's phone. Lobby stores it. When a member of staff
// has accepted it, lobby registers the visit here.

// arrivalRoutes returns the internal routes that register the visit of an arrival, or prevent its registration.
func (v *Visitors) arrivalRoutes() []endpoint.Route {
	return []endpoint.Route{
		{
			Method: http.MethodPost, Pattern: "/internal/arrivals/{id}/visit",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readArrival, v.Arrive),
		},
		{
			Method: http.MethodPost, Pattern: "/internal/arrivals/{id}/refusal",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(row.ReadID, v.RefuseArrival),
		},
	}
}

// Actor and scope of the idempotency keys of arrivals. The key is the arrival's id, whichever user accepts the arrival.
const (
	arrivalActor = "arrival"
	ArrivalScope = "POST /internal/arrivals"
)

// refusedArrival has the id of the visit that was registered before the refusal; nil: none will ever be registered.
type refusedArrival struct {
	VisitID *string `json:"visitId"`
}

// RefuseArrival prevents the registration of an arrival's visit, also by a request in flight. If the visit was
// registered before, RefuseArrival returns its id. Errors: busy_key.
func (v *Visitors) RefuseArrival(ctx context.Context, id string) (answer refusedArrival, err error) {
	err = postgres.InTx(ctx, v.store.Pool, func(tx pgx.Tx) error {
		var stored queue.Answer
		made, err := idempotency.Claim(ctx, tx, arrivalActor, ArrivalScope, id, &stored)
		if made {
			answer.VisitID = &stored.Visit.ID
		}
		return err
	})
	return answer, postgres.Classify(err)
}

// acceptArrival is a validated request to register the visit of an arrival. by is the user who accepted the arrival.
type acceptArrival struct {
	id     string
	create queue.Form
	by     visit.Actor
	// The notice that the visitor has read, and the time of the request for a token. The previous release of lobby does
	// not send them.
	notice  string
	askedAt time.Time
}

var acceptorWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please name who has accepted the arrival")

func readArrival(r *http.Request) (acceptArrival, error) {
	var body struct {
		queue.FormBody
		Notice  string    `json:"notice_version"`
		AskedAt time.Time `json:"requested_at"`
		By      struct {
			ID   string `json:"id"`
			Name string `json:"name"`
			Role string `json:"role"`
		} `json:"by"`
	}
	if err := wire.Read(r, &body); err != nil {
		return acceptArrival{}, err
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return acceptArrival{}, fault.ErrNotFound
	}
	var rejected fault.Fields
	req := acceptArrival{
		id: id.String(),
		create: queue.Form{
			Name: row.ReadName(body.Name, &rejected), Phone: row.ReadPhone(body.Phone, &rejected),
			ServiceID: row.ReadServiceID(body.ServiceID, body.ServiceID2, &rejected),
			Language:  queue.ReadLanguage(body.Language, &rejected),
			ToldBy:    "page",
			Messages:  body.Messages.Value,
		},
		by:     visit.Actor{ID: body.By.ID, Name: body.By.Name, Role: body.By.Role},
		notice: body.Notice, askedAt: body.AskedAt,
	}
	if req.by.ID == "" || req.by.Role != contract.RoleReception && req.by.Role != contract.RoleAdmin {
		rejected.Reject("by", acceptorWrong)
	}
	return req, rejected.Err()
}

// Arrive registers the visit of an arrival. A repetition returns the same visit, also to another user. Errors: those of
// Create in package queue, and fault.ErrStale for an arrival that was refused.
func (v *Visitors) Arrive(ctx context.Context, req acceptArrival) (queue.Created, error) {
	serviceID, err := uuid.Parse(req.create.ServiceID)
	if err != nil {
		return queue.Created{}, catalog.ErrServiceUnknown
	}
	req.create.ServiceID = serviceID.String()
	key, err := idempotency.Of(arrivalActor, ArrivalScope, req.id, req.create)
	if err != nil {
		return queue.Created{}, err
	}
	r := &queue.Registration{
		Origin: queue.Origin{Context: ctx, By: req.by, Key: key, Behalf: true},
		Visit:  req.create.Visit(row.NewID(), req.by),
		Notice: papers.Notice{Means: req.create.ToldBy, Messages: req.create.Messages},
	}
	if !req.askedAt.IsZero() {
		r.AskedAt = req.askedAt // the new visit is erased if its person was erased after this time
		r.Notice.By, r.Notice.At, r.Notice.Version = row.ByVisitor, req.askedAt, req.notice
	}
	res, err := v.queue.Register(r)
	if errors.Is(err, idempotency.ErrKeyReused) {
		err = fault.ErrStale.Because(err)
	}
	if err != nil {
		return queue.Created{}, postgres.Classify(row.APIError(err))
	}
	return queue.CreatedOf(res, req.by), nil
}
