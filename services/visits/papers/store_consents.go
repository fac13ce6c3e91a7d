package papers

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// The SQL of the consents of a visit.

const selectConsentVisit = `
SELECT h.epoch::text, h.head, coalesce((SELECT notice_version FROM office), v.notice_version),
  (SELECT notice_languages FROM office)
FROM visits v JOIN stream_head h ON h.stream = 'visits' WHERE v.id = $1`

// consentVisit returns the current version of the notice, its languages (nil until they are known), and the position of
// the feed. If the visit does not exist, the error is row.ErrNoVisit.
func (*store) consentVisit(ctx context.Context, from querier, id string) (
	notice string, languages []string, at feed.Position, err error,
) {
	err = from.QueryRow(ctx, selectConsentVisit, id).Scan(&at.Epoch, &at.Seq, &notice, &languages)
	if errors.Is(err, pgx.ErrNoRows) {
		err = row.ErrNoVisit
	}
	return notice, languages, at, err
}

const selectConsentsOf = `
SELECT id::text, visit_id::text, purpose, means, notice_version, language, given_at, given_by_name, withdrawn_at,
  withdrawn_by_name
FROM consents WHERE visit_id = ANY ($1) ORDER BY given_at, id`

// ConsentsOf lists the consents of visits, oldest first.
func (*Papers) ConsentsOf(ctx context.Context, from queries, ids []string) ([]Consent, error) {
	rows, err := from.Query(ctx, selectConsentsOf, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(one pgx.CollectableRow) (c Consent, err error) {
		var withdrawn *time.Time
		err = one.Scan(&c.ID, &c.VisitID, &c.Purpose, &c.Means, &c.NoticeVersion, &c.Language,
			(*time.Time)(&c.GivenAt), &c.GivenBy, &withdrawn, &c.WithdrawnBy)
		c.WithdrawnAt = wire.TimeOf(withdrawn)
		return c, err
	})
}

// A consent is stored with the given language, or with English if the notice is known not to exist in that language.
const (
	insertConsent = `
INSERT INTO consents (id, visit_id, purpose, means, notice_version, language, given_at, given_by, given_by_name)
VALUES (@id, @visit, @purpose, @means, @notice,
  CASE WHEN @language::text = ANY ((SELECT notice_languages FROM office)::text[]) IS FALSE THEN 'en'
    ELSE @language END,
  coalesce(@at, now()), @by, @name)`

	insertConsentNow = insertConsent + ` RETURNING given_at, language`
)

func consentArgs(c Consent) postgres.Args {
	return postgres.Args{
		"id": c.ID, "visit": c.VisitID, "purpose": c.Purpose, "means": c.Means, "notice": c.NoticeVersion,
		"language": c.Language, "at": time.Time(c.GivenAt), "by": c.givenByID, "name": c.GivenBy,
	}
}

// addConsent stores a consent that is given now, and sets its time and language.
func (*store) addConsent(ctx context.Context, tx pgx.Tx, c *Consent) error {
	args := consentArgs(*c)
	args["at"] = nil
	return tx.QueryRow(ctx, insertConsentNow, args).Scan((*time.Time)(&c.GivenAt), &c.Language)
}

const updateConsent = `
UPDATE consents SET withdrawn_at = now(), withdrawn_by = $2, withdrawn_by_name = $3 WHERE id = $1
RETURNING withdrawn_at`

func (*store) withdrawConsent(ctx context.Context, tx pgx.Tx, c *Consent, by visit.Actor) error {
	var at time.Time
	err := tx.QueryRow(ctx, updateConsent, c.ID, by.ID, by.Name).Scan(&at)
	c.WithdrawnAt, c.WithdrawnBy = wire.TimeOf(&at), &by.Name
	return err
}
