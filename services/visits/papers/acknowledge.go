package papers

import (
	"context"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

var errNothingLeft = fault.New(fault.Unprocessable, "nothing_left", "No papers were left.")

// Receipt is a receipt for papers that were left at the office.
type Receipt struct {
	No        string         `json:"no"`
	VisitID   string         `json:"visitId"`
	At        wire.Time      `json:"at"`
	By        string         `json:"by"`
	Documents []documentBody `json:"documents"`

	year, no int
}

func acknowledgementNumber(year, no int) string { return fmt.Sprintf("ACK-%d-%06d", year, no) }

// acknowledgementAnswer is {"acknowledgement": …, "duplicate": …}. It is also the value stored under an idempotency
// key. The status of the response is 200 for a duplicate and 201 for a new receipt.
type acknowledgementAnswer struct {
	Acknowledgement Receipt `json:"acknowledgement"`
	Duplicate       bool    `json:"duplicate"`
	Feed            string  `json:"feed"`
	replayed        bool
}

// acknowledgementResponse sends an acknowledgementAnswer without Feed, which only the stored value has.
type acknowledgementResponse struct{ acknowledgementAnswer }

// MarshalJSON writes the members that are sent to the client.
func (a acknowledgementResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Acknowledgement Receipt `json:"acknowledgement"`
		Duplicate       bool    `json:"duplicate"`
	}{a.Acknowledgement, a.Duplicate}, json.Deterministic(true))
}

// StatusCode implements kithttp.StatusCoder.
func (a acknowledgementResponse) StatusCode() int {
	if a.Duplicate {
		return http.StatusOK
	}
	return http.StatusCreated
}

// Headers implements kithttp.Headerer.
func (a acknowledgementResponse) Headers() http.Header { return row.FeedHeaderOf(a.Feed, a.replayed) }

// acknowledge is a validated request for a receipt. A repetition with the same key must have the same exported fields.
type acknowledge struct {
	ID  string
	key string
}

func readAcknowledge(r *http.Request) (acknowledge, error) {
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return acknowledge{}, err
	}
	id, err := row.ReadID(r)
	return acknowledge{ID: id, key: key}, err
}

// Acknowledge issues a receipt for the papers of a visit that were left at the office and have no receipt. If there are
// none, it returns the last receipt as a duplicate, and the access log records that it was read. A request with a key
// that was used before returns the stored response, marked as replayed. Errors: not_found, not_assigned, visit_over if
// the visit is erased, nothing_left, key_reused, busy_key.
func (p *Papers) Acknowledge(ctx context.Context, req acknowledge) (answer acknowledgementResponse, err error) {
	by := row.Actor(ctx)
	key, err := idempotency.Of(by.ID, "POST /api/visits/{id}/acknowledgement", req.key, req)
	if err != nil {
		return answer, err
	}
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		answer = acknowledgementResponse{}
		replayed, err := key.Reserve(ctx, tx, &answer.acknowledgementAnswer)
		if err != nil || replayed {
			answer.replayed = replayed
			return err
		}
		v, err := p.store.LockFor(ctx, tx, req.ID, visit.Visit.HandlesDocuments)
		if err != nil {
			return err
		}
		if v.Phone == "" {
			return row.ErrVisitOver
		}
		if answer.acknowledgementAnswer, err = p.acknowledgeIn(ctx, tx, v, by); err != nil {
			return err
		}
		return key.Store(ctx, tx, answer.acknowledgementAnswer)
	})
	return answer, err
}

// acknowledgeIn does the work of Acknowledge in a transaction that has locked the visit.
func (p *Papers) acknowledgeIn(
	ctx context.Context, tx pgx.Tx, v visit.Visit, by visit.Actor,
) (answer acknowledgementAnswer, err error) {
	before, err := p.store.documentsIn(ctx, tx, v.ID)
	if err != nil {
		return answer, err
	}
	answer.Feed = row.PositionHeader(before.at)
	if _, newly := visit.Acknowledge(before.all, ""); newly == 0 {
		last, exists, err := p.store.lastAcknowledgement(ctx, tx, v.ID)
		if err == nil && !exists {
			err = errNothingLeft
		}
		if err == nil {
			err = p.store.LogReading(ctx, tx, by, callPapers, v.ID)
		}
		answer.Acknowledgement, answer.Duplicate = last, true
		return answer, err
	}
	// The number is assigned after all other locks, because the row of the counter stays locked until the commit.
	receipt, err := p.store.nextAcknowledgement(ctx, tx, v.ID, by)
	if err != nil {
		return answer, err
	}
	after := documents{version: before.version + 1}
	after.all, _ = visit.Acknowledge(before.all, receipt.No)
	receipt.Documents = documentBodies(visit.Acknowledged(after.all, receipt.No))
	answer.Acknowledgement = receipt
	if err := p.store.saveAcknowledgement(ctx, tx, receipt, after); err != nil {
		return answer, err
	}
	return answer, outbox.Append(ctx, tx, documentsChange(
		contract.VisitDocumentsAcknowledged, eventOfDocuments(v, before.documents), *eventOfDocuments(v, after)))
}
