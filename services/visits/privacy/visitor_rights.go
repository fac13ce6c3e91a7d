package privacy

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The calls of lobby for the page "Your data": to withdraw a consent, and to send a privacy request. The last digits of
// the phone show that the request is the visitor's own. They are compared here, because lobby may not have the phone.

func (p *Privacy) rightsRoutes() []endpoint.Route {
	return []endpoint.Route{
		{
			Method: http.MethodPost, Pattern: "/internal/visits/{id}/withdraw",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readWithdrawal, p.WithdrawAsVisitor),
		},
		{
			Method: http.MethodPost, Pattern: "/internal/visits/{id}/requests",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readVisitorRequest, p.AskAsVisitor),
		},
	}
}

type withdrawal struct{ ID, Purpose, From string }

type withdrawnAnswer struct {
	Changed bool `json:"changed"`
}

// WithdrawAsVisitor withdraws the visitor's consent to a purpose. A repetition changes nothing. Errors: not_found.
func (p *Privacy) WithdrawAsVisitor(ctx context.Context, req withdrawal) (answer withdrawnAnswer, err error) {
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		answer.Changed = false
		v, err := p.lockForVisitor(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		given, err := p.papers.ConsentsOf(ctx, tx, []string{v.ID})
		if err != nil {
			return err
		}
		open := slices.IndexFunc(given, func(c papers.Consent) bool {
			return c.Purpose == req.Purpose && c.WithdrawnAt == nil
		})
		if open < 0 {
			return nil
		}
		answer.Changed = true
		return p.papers.Withdraw(ctx, tx, v, &given[open], row.ByVisitor, row.ActorVisitor(req.From))
	})
	return answer, err
}

// lockForVisitor locks a visit that is not erased.
func (p *Privacy) lockForVisitor(ctx context.Context, tx pgx.Tx, id string) (visit.Visit, error) {
	return p.store.LockFor(ctx, tx, id, func(v visit.Visit, _ visit.Actor) error {
		if v.Phone == "" {
			return row.ErrNoVisit
		}
		return nil
	})
}

// visitorRequest is a validated privacy request of a visitor, with the last digits of the phone as typed.
type visitorRequest struct{ ID, Kind, Text, Last4, From string }

type askedAnswer struct {
	Result string `json:"result"`
}

// Outcomes of a visitor's privacy request.
const (
	askReceived = "received"
	askRepeated = "repeated" // the register has the same privacy request, without an answer
	askWrong    = "wrong"    // these are not the last digits of the phone
)

// lastDigits is how many digits of the phone a visitor types.
const lastDigits = 4

// AskAsVisitor adds a visitor's privacy request to the register. Errors: not_found.
func (p *Privacy) AskAsVisitor(ctx context.Context, req visitorRequest) (answer askedAnswer, err error) {
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		v, err := p.lockForVisitor(ctx, tx, req.ID)
		if err != nil {
			return err
		}
		if len(req.Last4) != lastDigits || !strings.HasSuffix(v.Phone, req.Last4) {
			answer.Result = askWrong
			return nil
		}
		if known, err := p.store.hasOpenRequest(ctx, tx, v.Phone, req.Kind, req.Text); err != nil || known {
			answer.Result = askRepeated
			return err
		}
		added, err := p.store.addPrivacyRequest(ctx, tx, privacyRequest{
			ID: uuid.Must(uuid.NewV7()).String(), Kind: req.Kind, Phone: v.Phone, Text: req.Text,
			ReceivedBy: row.ByVisitor.Name, receivedByID: row.ByVisitor.ID,
		})
		if err != nil {
			return err
		}
		answer.Result = askReceived
		change := requestChange(contract.PrivacyRequestReceived, nil, added)
		change.Actor = row.ActorVisitor(req.From)
		return outbox.Append(ctx, tx, change)
	})
	return answer, postgres.Classify(err)
}

func readWithdrawal(r *http.Request) (withdrawal, error) {
	var body struct {
		Purpose wire.Field[string] `json:"purpose"`
		From    wire.Field[string] `json:"from"`
	}
	if err := wire.Read(r, &body); err != nil {
		return withdrawal{}, err
	}
	if body.Purpose.Wrong || !slices.Contains(papers.Withdrawable, body.Purpose.Value) {
		return withdrawal{}, fault.Field("purpose", papers.PurposeWrong)
	}
	id, err := row.ReadID(r)
	return withdrawal{id, body.Purpose.Value, row.ReadSender(body.From)}, err
}

// Kinds of privacy requests that need no text.
var askedWithoutText = []string{"access", "erasure"}

func readVisitorRequest(r *http.Request) (visitorRequest, error) {
	var body struct {
		Kind  wire.Field[string] `json:"kind"`
		Text  wire.Field[string] `json:"text"`
		Last4 wire.Field[string] `json:"last4"`
		From  wire.Field[string] `json:"from"`
	}
	if err := wire.Read(r, &body); err != nil {
		return visitorRequest{}, err
	}
	var rejected fault.Fields
	req := visitorRequest{Kind: body.Kind.Value, Last4: body.Last4.Value, From: row.ReadSender(body.From)}
	if body.Kind.Wrong || !slices.Contains(requestKinds, req.Kind) {
		rejected.Reject("kind", kindWrong)
	}
	if body.Text.Value != "" || !slices.Contains(askedWithoutText, req.Kind) {
		req.Text = readRequestText("text", body.Text, requestEmpty, &rejected)
	}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	id, err := row.ReadID(r)
	req.ID = id
	return req, err
}
