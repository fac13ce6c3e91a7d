package papers

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/visit"
)

// The SQL of the receipts for papers.

// The counter is a row and not a sequence, so a rollback also takes back the number and leaves no gap.
const insertAcknowledgement = `
WITH counter AS (
  INSERT INTO acknowledgement_counter (year, last) VALUES (extract(year FROM now() AT TIME ZONE @zone)::integer, 1)
  ON CONFLICT (year) DO UPDATE SET last = acknowledgement_counter.last + 1
  RETURNING year, last
)
INSERT INTO acknowledgements (year, no, visit_id, documents, given_at, given_by, by_name)
SELECT year, last, @visit, '[]', now(), @by, @name FROM counter
RETURNING year, no, given_at`

// nextAcknowledgement stores a receipt with the next number of the office's year, without its papers.
func (s *store) nextAcknowledgement(
	ctx context.Context, tx pgx.Tx, visitID string, by visit.Actor,
) (Receipt, error) {
	receipt := Receipt{VisitID: visitID, By: by.Name}
	err := tx.QueryRow(ctx, insertAcknowledgement, postgres.Args{
		"zone": s.Zone, "visit": visitID, "by": by.ID, "name": by.Name,
	}).Scan(&receipt.year, &receipt.no, (*time.Time)(&receipt.At))
	receipt.No = acknowledgementNumber(receipt.year, receipt.no)
	return receipt, err
}

const updateAcknowledgement = `UPDATE acknowledgements SET documents = $3 WHERE year = $1 AND no = $2`

// saveAcknowledgement stores a receipt's papers. It also stores the visit's papers as they are after the receipt.
func (s *store) saveAcknowledgement(
	ctx context.Context, tx pgx.Tx, receipt Receipt, after documents,
) error {
	list, err := json.Marshal(receipt.Documents)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, updateAcknowledgement, receipt.year, receipt.no, list); err != nil {
		return err
	}
	return s.saveDocuments(ctx, tx, receipt.VisitID, after)
}

const ofAcknowledgements = `SELECT year, no, visit_id::text, given_at, by_name, documents FROM acknowledgements `

const selectLastAcknowledgement = ofAcknowledgements + `WHERE visit_id = $1 ORDER BY given_at DESC, no DESC LIMIT 1`

func (*store) lastAcknowledgement(
	ctx context.Context, from queries, visitID string,
) (last Receipt, exists bool, err error) {
	rows, err := from.Query(ctx, selectLastAcknowledgement, visitID)
	if err != nil {
		return last, false, err
	}
	last, err = pgx.CollectExactlyOneRow(rows, scanAcknowledgement)
	if errors.Is(err, pgx.ErrNoRows) {
		return last, false, nil
	}
	return last, err == nil, err
}

const selectAcknowledgementsOf = ofAcknowledgements + `WHERE visit_id = ANY ($1) ORDER BY given_at, no`

// ReceiptsOf lists the receipts of visits.
func (*Papers) ReceiptsOf(ctx context.Context, tx pgx.Tx, ids []string) ([]Receipt, error) {
	rows, err := tx.Query(ctx, selectAcknowledgementsOf, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanAcknowledgement)
}

func scanAcknowledgement(one pgx.CollectableRow) (receipt Receipt, err error) {
	var list []byte
	if err := one.Scan(
		&receipt.year, &receipt.no, &receipt.VisitID, (*time.Time)(&receipt.At), &receipt.By, &list,
	); err != nil {
		return receipt, err
	}
	receipt.No = acknowledgementNumber(receipt.year, receipt.no)
	return receipt, json.Unmarshal(list, &receipt.Documents)
}
