package papers

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The SQL of the papers of a visit.

type store struct{ *row.DB }

type (
	querier interface {
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	}
	queries interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	}
)

const selectDocuments = `
SELECT now(), h.epoch::text, h.head, v.consultant_id, coalesce(d.documents, '[]'), coalesce(d.version, 0)
FROM visits v JOIN stream_head h ON h.stream = 'visits' LEFT JOIN visit_documents d ON d.visit_id = v.id
WHERE v.id = $1`

// foundDocuments are the papers of a visit, with the feed position and the database's time at which they were read.
type foundDocuments struct {
	documents
	at  feed.Position
	now time.Time
}

// documents reads the papers of a visit. The returned visit has only its ConsultantID. The error may be row.ErrNoVisit.
func (s *store) documents(ctx context.Context, id string) (visit.Visit, foundDocuments, error) {
	return documentsFrom(ctx, s.Pool, id)
}

// documentsIn reads the papers of a visit that the transaction has locked.
func (*store) documentsIn(ctx context.Context, tx pgx.Tx, id string) (foundDocuments, error) {
	_, found, err := documentsFrom(ctx, tx, id)
	return found, err
}

func documentsFrom(ctx context.Context, from querier, id string) (v visit.Visit, found foundDocuments, err error) {
	var all []byte
	err = from.QueryRow(ctx, selectDocuments, id).Scan(
		&found.now, &found.at.Epoch, &found.at.Seq, &v.ConsultantID, &all, &found.version)
	if errors.Is(err, pgx.ErrNoRows) {
		return v, found, row.ErrNoVisit
	}
	if err != nil {
		return v, found, err
	}
	var list []documentBody
	err = json.Unmarshal(all, &list)
	found.all = documentsOfBodies(list)
	return v, found, err
}

const upsertDocuments = `
INSERT INTO visit_documents (visit_id, documents, summary, version) VALUES (@id, @documents, @summary, @version)
ON CONFLICT (visit_id) DO UPDATE SET
  documents = EXCLUDED.documents, summary = EXCLUDED.summary, version = EXCLUDED.version`

func documentsArgs(visitID string, d documents) (postgres.Args, error) {
	all, err := json.Marshal(documentBodies(d.all))
	if err != nil {
		return nil, err
	}
	summary, err := json.Marshal(summaryOf(d.all))
	return postgres.Args{"id": visitID, "documents": all, "summary": summary, "version": d.version}, err
}

// saveDocuments stores the papers of a visit that the transaction has locked.
func (*store) saveDocuments(ctx context.Context, tx pgx.Tx, visitID string, d documents) error {
	args, err := documentsArgs(visitID, d)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertDocuments, args)
	return err
}

const ofDocuments = `
SELECT v.id::text, v.token_series, v.token_no, v.office_day::text, v.stage, v.pinned, v.consultant_id, d.documents,
  d.version
FROM visits v JOIN `

const selectDocumentsOf = ofDocuments + `visit_documents d ON d.visit_id = v.id WHERE v.id = ANY ($1) ORDER BY v.id`

// Of lists the papers of visits.
func (*Papers) Of(ctx context.Context, tx pgx.Tx, ids []string) ([]VisitPapers, error) {
	return collectDocuments(tx.Query(ctx, selectDocumentsOf, ids))
}

// The papers are removed, because their labels may name a person.
const eraseDocuments = `
WITH d AS (
  UPDATE visit_documents SET documents = '[]', summary = '{"missing": [], "left": 0}', version = version + 1
  WHERE visit_id = ANY ($1) RETURNING *
)` + ofDocuments + `d ON d.visit_id = v.id`

// eraseDocuments erases the papers of visits and returns what remains of each row.
func (*store) eraseDocuments(ctx context.Context, tx pgx.Tx, ids []string) ([]VisitPapers, error) {
	return collectDocuments(tx.Query(ctx, eraseDocuments, ids))
}

// collectDocuments reads the rows of statements that contain ofDocuments.
func collectDocuments(rows pgx.Rows, err error) ([]VisitPapers, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(one pgx.CollectableRow) (d VisitPapers, err error) {
		var series string
		var token int
		var all []byte
		err = one.Scan(&d.VisitID, &series, &token, &d.Day, &d.Stage, &d.Pinned, &d.ConsultantID, &all, &d.Version)
		if err != nil {
			return d, err
		}
		d.Token = visit.Token(series, token)
		return d, json.Unmarshal(all, &d.Documents)
	})
}
