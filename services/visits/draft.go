package visits

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// saveDraft is a validated request to store the draft of a session's notes.
type saveDraft struct{ ID, Notes string }

type draftRequest struct {
	Notes wire.Field[string] `json:"notes"`
}

func readDraft(r *http.Request) (saveDraft, error) {
	var body draftRequest
	if err := wire.Read(r, &body); err != nil {
		return saveDraft{}, err
	}
	var refused fault.Fields
	req := saveDraft{Notes: readNotes(body.Notes, &refused)}
	if err := refused.Err(); err != nil {
		return req, err
	}
	id, err := readID(r)
	req.ID = id
	return req, err
}

// draftAnswer is {"draft": …}.
type draftAnswer struct {
	Draft draft `json:"draft"`
}

// draft is the stored draft; SavedAt is nil when there is none.
type draft struct {
	Notes   string     `json:"notes"`
	SavedAt *wire.Time `json:"savedAt"`
}

const selectDraft = `
SELECT coalesce(d.notes, ''), d.saved_at FROM (SELECT @id::uuid AS visit_id) v LEFT JOIN session_drafts d USING (visit_id)`

// Draft returns the draft of the notes of an open visit. Errors: not_found, not_assigned, visit_over.
func (s *Service) Draft(ctx context.Context, id string) (draftAnswer, error) {
	return s.withDraft(ctx, id, selectDraft, postgres.Args{"id": id})
}

const upsertDraft = `
INSERT INTO session_drafts (visit_id, notes, saved_at) VALUES (@id, @notes, now())
ON CONFLICT (visit_id) DO UPDATE SET notes = EXCLUDED.notes, saved_at = EXCLUDED.saved_at
RETURNING notes, saved_at`

// SaveDraft stores the draft of the notes and publishes no event: the notes are part of the visit only when the session
// is completed with them. Errors are those of Draft.
func (s *Service) SaveDraft(ctx context.Context, req saveDraft) (draftAnswer, error) {
	return s.withDraft(ctx, req.ID, upsertDraft, postgres.Args{"id": req.ID, "notes": req.Notes})
}

// withDraft runs a statement on the draft while the visit is locked, so that a concurrent completion leaves no draft
// behind.
func (s *Service) withDraft(ctx context.Context, id, statement string, args postgres.Args) (answer draftAnswer, err error) {
	err = postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) error {
		if _, err := s.attend(ctx, tx, id); err != nil {
			return err
		}
		var savedAt *time.Time
		err := tx.QueryRow(ctx, statement, args).Scan(&answer.Draft.Notes, &savedAt)
		answer.Draft.SavedAt = wire.TimeOf(savedAt)
		return err
	})
	return answer, err
}

// attend locks an open visit that is assigned to the caller and returns it.
func (s *Service) attend(ctx context.Context, tx pgx.Tx, id string) (visit.Visit, error) {
	have, err := s.store.lock(ctx, tx, []*command{{id: id}})
	v, exists := have.visits[id]
	switch {
	case err != nil:
	case !exists:
		err = errNoVisit
	default:
		err = v.Visit.Attend(actor(ctx))
	}
	if err != nil {
		return v.Visit, postgres.Classify(refusal(err))
	}
	return v.Visit, nil
}
