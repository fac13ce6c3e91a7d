package privacy

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
)

// The register of privacy requests: access, correction, erasure, a grievance, a nomination (Digital Personal Data
// Protection Act 2023, sections 11 to 14).

func (p *Privacy) requestRoutes() []endpoint.Route {
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/privacy/requests",
			Access: endpoint.Roles(contract.RoleAdmin), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, p.PrivacyRequests),
		},
		{
			Method: http.MethodPost, Pattern: "/api/privacy/requests",
			Access: endpoint.Roles(contract.RoleReception, contract.RoleAdmin), Limit: limit.Product,
			Handler: endpoint.JSON(readNewRequest, p.ReceivePrivacyRequest),
		},
		{
			Method: http.MethodPut, Pattern: "/api/privacy/requests/{id}",
			Access: endpoint.Roles(contract.RoleAdmin), Limit: limit.Product,
			Handler: endpoint.JSON(readRequestAnswer, p.AnswerPrivacyRequest),
		},
	}
}

// requestDue is the time for an answer. The Digital Personal Data Protection Rules allow 90 days.
const requestDue = 30 * 24 * time.Hour

const (
	requestOpen     = "open"
	requestAnswered = "answered"
	requestRefused  = "refused"
)

var requestKinds = []string{"access", "correction", "erasure", "grievance", "nomination"}

// privacyRequest is a privacy request as it is listed. The phone is masked; it is "" once it was erased.
type privacyRequest struct {
	ID         string     `json:"id"`
	Kind       string     `json:"kind"`
	Phone      string     `json:"phone"`
	Text       string     `json:"text"`
	State      string     `json:"state"`
	ReceivedAt wire.Time  `json:"receivedAt"`
	ReceivedBy string     `json:"receivedBy"`
	DueAt      wire.Time  `json:"dueAt"`
	Overdue    bool       `json:"overdue"`
	Answer     string     `json:"answer"`
	AnsweredAt *wire.Time `json:"answeredAt"`
	AnsweredBy *string    `json:"answeredBy"`
	Version    int64      `json:"version"`

	receivedByID string
}

type requestsAnswer struct {
	Requests []privacyRequest `json:"requests"`
}

type requestAnswer struct {
	Request privacyRequest `json:"request"`
	created bool
}

// StatusCode implements kithttp.StatusCoder.
func (a requestAnswer) StatusCode() int {
	if a.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// PrivacyRequests lists at most 500 requests: open requests by their due time, then the others, latest first.
func (p *Privacy) PrivacyRequests(ctx context.Context, _ struct{}) (requestsAnswer, error) {
	all, err := p.store.privacyRequests(ctx)
	return requestsAnswer{all}, postgres.Classify(err)
}

type newRequest struct{ Kind, Phone, Text string }

// ReceivePrivacyRequest adds a privacy request to the register.
func (p *Privacy) ReceivePrivacyRequest(ctx context.Context, req newRequest) (answer requestAnswer, err error) {
	by := row.Actor(ctx)
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		added := privacyRequest{
			ID: uuid.Must(uuid.NewV7()).String(), Kind: req.Kind, Phone: req.Phone, Text: req.Text,
			ReceivedBy: by.Name, receivedByID: by.ID,
		}
		if added, err = p.store.addPrivacyRequest(ctx, tx, added); err != nil {
			return err
		}
		answer = requestAnswer{added, true}
		return outbox.Append(ctx, tx, requestChange(contract.PrivacyRequestReceived, nil, added))
	})
	return answer, err
}

// answerRequest is a validated request to answer or reopen a privacy request.
type answerRequest struct {
	ID, State, Answer string
	Version           *int64
}

var requestEvents = map[string]string{
	requestOpen: contract.PrivacyRequestReopened, requestAnswered: contract.PrivacyRequestAnswered,
	requestRefused: contract.PrivacyRequestRefused,
}

// AnswerPrivacyRequest records the answer to a privacy request, or reopens it. Errors: not_found, stale_version.
func (p *Privacy) AnswerPrivacyRequest(ctx context.Context, req answerRequest) (answer requestAnswer, err error) {
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := p.store.lockPrivacyRequest(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if req.Version != nil && *req.Version != before.Version {
			return fault.ErrStale
		}
		if before.State == req.State && before.Answer == req.Answer {
			answer.Request = before
			return nil
		}
		if answer.Request, err = p.store.answerPrivacyRequest(ctx, tx, req, row.Actor(ctx)); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, requestChange(requestEvents[req.State], &before, answer.Request))
	})
	return answer, err
}

func requestChange(kind string, before *privacyRequest, after privacyRequest) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityPrivacy, EntityID: after.ID, Version: after.Version, After: eventRequest(after),
	}
	if before != nil {
		change.Before = eventRequest(*before)
	}
	return change
}

func eventRequest(r privacyRequest) contract.PrivacyRequest {
	return contract.PrivacyRequest{
		ID: r.ID, Kind: r.Kind, State: r.State, ReceivedAt: r.ReceivedAt, DueAt: r.DueAt, AnsweredAt: r.AnsweredAt,
		Version: r.Version,
	}
}

const longestRequest = 500

var (
	kindWrong         = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a kind from the list")
	requestStateWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a state from the list")
	requestEmpty      = fault.NewMessage(fault.CodeRequired, "Please enter what the person asks for")
	answerEmpty       = fault.NewMessage(fault.CodeRequired, "Please enter the answer")
	requestTooBig     = fault.NewMessage(fault.CodeTooLong, "Please shorten the text to 500 characters").
				With("max", longestRequest)
	requestIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the text")
)

func readNewRequest(r *http.Request) (newRequest, error) {
	var body struct {
		Kind  wire.Field[string] `json:"kind"`
		Phone wire.Field[string] `json:"phone"`
		Text  wire.Field[string] `json:"text"`
	}
	if err := wire.Read(r, &body); err != nil {
		return newRequest{}, err
	}
	var rejected fault.Fields
	if body.Kind.Wrong || !slices.Contains(requestKinds, body.Kind.Value) {
		rejected.Reject("kind", kindWrong)
	}
	req := newRequest{
		Kind: body.Kind.Value, Phone: row.ReadPhone(body.Phone, &rejected),
		Text: readRequestText("text", body.Text, requestEmpty, &rejected),
	}
	return req, rejected.Err()
}

func readRequestAnswer(r *http.Request) (answerRequest, error) {
	var body struct {
		State   wire.Field[string] `json:"state"`
		Answer  wire.Field[string] `json:"answer"`
		Version wire.Field[int64]  `json:"version"`
	}
	if err := wire.Read(r, &body); err != nil {
		return answerRequest{}, err
	}
	var rejected fault.Fields
	req := answerRequest{State: body.State.Value}
	if _, known := requestEvents[req.State]; !known || body.State.Wrong {
		rejected.Reject("state", requestStateWrong)
	}
	if req.State != requestOpen {
		req.Answer = readRequestText("answer", body.Answer, answerEmpty, &rejected)
	}
	req.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}

// readRequestText reads a text of several lines that must not be empty.
func readRequestText(name string, field wire.Field[string], empty fault.Message, rejected *fault.Fields) string {
	text := wire.Clean(field.Value, true)
	switch {
	case field.Wrong || text.Illegal:
		rejected.Reject(name, requestIllegal)
	case text.Empty:
		rejected.Reject(name, empty)
	case text.Length > longestRequest:
		rejected.Reject(name, requestTooBig)
	}
	return text.Value
}
