package lobby

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/page"
	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/fault"
)

type store struct {
	pool *pgxpool.Pool
	key  []byte
	box  *seal.Box
	zone *time.Location
}

// oldestDay returns the oldest day whose visits are kept.
func (s *store) oldestDay(now time.Time) string {
	return now.In(s.zone).AddDate(0, 0, -kept).Format(time.DateOnly)
}

const selectFound = `
SELECT now(), l.visit_id::text, l.generation, l.opens, l.replaced_at IS NOT NULL, l.late_at IS NOT NULL, l.back_at,
  l.asked, l.wrong_digits,
  coalesce(v.id::text, ''), l.day::text, coalesce(v.token, ''), coalesce(v.token_also, ''), coalesce(v.stage, ''),
  coalesce(v.counter, ''), coalesce(v.service_name, ''), coalesce(v.language, ''), coalesce(v.held_reason, ''),
  coalesce(v.created_at, now()), v.held_until, v.called_at,
  v.ended_at, coalesce(v.left_by_visitor, false), coalesce(v.erased, false),
  coalesce(s.name, ''), coalesce(s.texts::text, '{}'),
  coalesce((SELECT document::text FROM office), '{}')
FROM links l LEFT JOIN visits v ON v.id = l.visit_id LEFT JOIN services s ON s.id = v.service_id `

// byCode returns the link of a code, or fault.ErrNotFound.
func (s *store) byCode(ctx context.Context, code string) (found, error) {
	return scanFound(s.pool.QueryRow(ctx, selectFound+`WHERE l.code_hash = $1`, link.Hash(code)))
}

// ofVisit returns the current link of a visit, the one that is not replaced, or fault.ErrNotFound.
func (s *store) ofVisit(ctx context.Context, visitID string) (found, error) {
	return scanFound(s.pool.QueryRow(ctx, selectFound+`WHERE l.visit_id = $1 AND l.replaced_at IS NULL`, visitID))
}

func scanFound(row pgx.Row) (f found, err error) {
	var texts, document []byte
	v := &f.visit
	err = row.Scan(&f.now, &f.visitID, &f.generation, &f.opens, &f.replaced, &f.lateUsed, &f.backAt,
		&f.asked, &f.wrongDigits, &v.ID, &v.Day, &v.Token, &v.TokenAlso, &v.Stage, &v.Counter,
		&v.ServiceName, &v.Language, &v.HeldReason, &v.CreatedAt, &v.HeldUntil, &v.CalledAt,
		&v.EndedAt, &v.LeftByVisitor, &v.Erased, &f.service.Name, &texts, &document)
	if errors.Is(err, pgx.ErrNoRows) {
		return f, fault.ErrNotFound
	}
	if err == nil {
		err = json.Unmarshal(texts, &f.service.Texts)
	}
	if err == nil {
		err = json.Unmarshal(document, &f.office)
	}
	return f, err
}

const hasVersion = `SELECT EXISTS (SELECT FROM visits WHERE id = $1 AND version >= $2)`

// shows reports whether the projection has the given version of a visit, or a later version.
func (s *store) shows(ctx context.Context, visitID string, version int64) (has bool, err error) {
	err = s.pool.QueryRow(ctx, hasVersion, visitID, version).Scan(&has)
	return has, err
}

const countOpen = `UPDATE links SET opens = opens + 1 WHERE code_hash = $1 RETURNING opens`

func (*store) opened(ctx context.Context, tx pgx.Tx, code string) (opens int, err error) {
	err = tx.QueryRow(ctx, countOpen, link.Hash(code)).Scan(&opens)
	return opens, err
}

// All links of a visit share the time at which the visitor used "I will be late".
const (
	useLate  = `UPDATE links SET late_at = now() WHERE visit_id = $1 AND late_at IS NULL`
	giveLate = `UPDATE links SET late_at = NULL WHERE visit_id = $1`
)

// takeLate uses up "I will be late", which is possible once; first is false if it was used before.
func (s *store) takeLate(ctx context.Context, visitID string) (first bool, err error) {
	done, err := s.pool.Exec(ctx, useLate, visitID)
	return done.RowsAffected() > 0, err
}

// returnLate undoes takeLate.
func (s *store) returnLate(ctx context.Context, visitID string) error {
	_, err := s.pool.Exec(ctx, giveLate, visitID)
	return err
}

// Concurrent replacements of a visit's link wait for each other, so that the second sees the link that the first has
// added.
const lockLinks = `SELECT FROM links WHERE visit_id = $1 ORDER BY generation FOR UPDATE`

// The statement ends the open link of a visit, unless another request has created it within the interval $2. The first
// link of a visit is always ended.
const endLink = `
WITH open AS (SELECT generation, generation = 1 OR created_at < now() - $2::interval AS ends FROM links
  WHERE visit_id = $1 AND replaced_at IS NULL),
ended AS (UPDATE links l SET replaced_at = now() FROM open
  WHERE l.visit_id = $1 AND l.generation = open.generation AND open.ends)
SELECT generation, ends FROM open`

// replaceOnce is the time within which two requests to replace a visit's link return the same link. Otherwise the first
// of two users would print a link that the second has ended.
const replaceOnce = 10 * time.Second

const insertLink = `
INSERT INTO links (code_hash, visit_id, day, generation, late_at, back_at, asked, wrong_digits)
SELECT $1, visit_id, day, $3, late_at, back_at, asked, wrong_digits FROM links
WHERE visit_id = $2 AND generation = $3 - 1`

// replace ends the link of a visit and adds a link of the next generation, whose number it returns. If the link was
// replaced within replaceOnce, replace adds no link and added is false.
func (s *store) replace(ctx context.Context, tx pgx.Tx, visitID string) (generation int, added bool, err error) {
	if _, err := tx.Exec(ctx, lockLinks, visitID); err != nil {
		return 0, false, err
	}
	if err := tx.QueryRow(ctx, endLink, visitID, replaceOnce).Scan(&generation, &added); err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			err = fault.ErrNotFound
		}
		return 0, false, err
	}
	if !added {
		return generation, false, nil
	}
	generation++
	hash := link.Hash(link.Code(s.key, visitID, generation))
	_, err = tx.Exec(ctx, insertLink, hash, visitID, generation)
	return generation, true, err
}

const upsertVisit = `
INSERT INTO visits (id, day, token, version, stage, counter, service_id, service_name, language, held_reason,
  created_at, held_until, called_at, ended_at, left_by_visitor, erased, phone, token_also)
VALUES ($1, $2::date, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
ON CONFLICT (id) DO UPDATE SET token_also = EXCLUDED.token_also, version = EXCLUDED.version,
  stage = EXCLUDED.stage, counter = EXCLUDED.counter,
  service_id = EXCLUDED.service_id, service_name = EXCLUDED.service_name, language = EXCLUDED.language,
  held_reason = EXCLUDED.held_reason, held_until = EXCLUDED.held_until, called_at = EXCLUDED.called_at,
  ended_at = EXCLUDED.ended_at, phone = EXCLUDED.phone, left_by_visitor = EXCLUDED.left_by_visitor,
  erased = visits.erased OR EXCLUDED.erased`

const ensureLink = `
INSERT INTO links (code_hash, visit_id, day, generation) VALUES ($1, $2, $3::date, 1) ON CONFLICT DO NOTHING`

// keepVisit stores a visit and creates its first link. If the visit is erased, it deletes subscriptions and consents.
func (s *store) keepVisit(ctx context.Context, tx pgx.Tx, v projected) error {
	batch := &pgx.Batch{}
	batch.Queue(upsertVisit, v.ID, v.Day, v.Token, v.Version, v.Stage, v.Counter, v.ServiceID, v.ServiceName,
		v.Language, v.HeldReason, v.CreatedAt, v.HeldUntil, v.CalledAt, v.EndedAt, v.LeftByVisitor, v.Erased, v.Phone,
		v.TokenAlso)
	batch.Queue(ensureLink, link.Hash(link.Code(s.key, v.ID, 1)), v.ID, v.Day)
	if v.Erased {
		batch.Queue(`DELETE FROM subscriptions WHERE visit_id = $1`, v.ID)
		batch.Queue(`DELETE FROM consents WHERE visit_id = $1`, v.ID)
	}
	return tx.SendBatch(ctx, batch).Close()
}

func (*store) emptyVisits(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Conn().PgConn().Exec(ctx, `DELETE FROM visits; DELETE FROM consents`).ReadAll()
	return err
}

const upsertService = `
INSERT INTO services (id, name, texts, active, documents, est_minutes) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, texts = EXCLUDED.texts, active = EXCLUDED.active,
  documents = EXCLUDED.documents, est_minutes = EXCLUDED.est_minutes`

const selectChoices = `
SELECT id::text, coalesce(nullif(texts->$1->>'name', ''), name) AS shown
FROM services WHERE active ORDER BY shown, id`

func (s *store) choices(ctx context.Context, language string) ([]page.Choice, error) {
	rows, err := s.pool.Query(ctx, selectChoices, language)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[page.Choice])
}

func (*store) keepService(ctx context.Context, tx pgx.Tx, service contract.Service) error {
	texts := service.Texts
	if texts == nil {
		texts = map[string]contract.ServiceText{}
	}
	data, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	documents, err := json.Marshal(service.Documents)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertService, service.ID, service.Name, data, service.IsActive, documents, service.EstMinutes)
	return err
}

// A replica of the previous release does not write the version, so a row that it has written may have another document
// than that of its version. The same version replaces such a row.
const upsertOffice = `
INSERT INTO office AS stored (document, version) VALUES ($1, $2)
ON CONFLICT (only_row) DO UPDATE SET document = EXCLUDED.document, version = EXCLUDED.version
WHERE coalesce(stored.version, 0) <= EXCLUDED.version`

// keepOffice stores a version of the office document unless the stored version is higher.
func (*store) keepOffice(ctx context.Context, tx pgx.Tx, document officeCopy) error {
	data, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertOffice, data, document.Version)
	return err
}

// now returns the time of the database, with which stored times are compared.
func (*store) now(ctx context.Context, in querier) (now time.Time, err error) {
	err = in.QueryRow(ctx, `SELECT now()`).Scan(&now)
	return now, err
}

// office returns the projected office, the zero value before the first event.
func (s *store) office(ctx context.Context) (officeCopy, error) { return s.officeIn(ctx, s.pool) }

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func (*store) officeIn(ctx context.Context, in querier) (document officeCopy, err error) {
	var data []byte
	err = in.QueryRow(ctx, `SELECT coalesce((SELECT document::text FROM office), '{}')`).Scan(&data)
	if err == nil {
		err = json.Unmarshal(data, &document)
	}
	return document, err
}

func (s *store) officeVersion(ctx context.Context) (version int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM office`).Scan(&version)
	return version, err
}

func (*store) emptyDirectory(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Conn().PgConn().Exec(ctx, `DELETE FROM services; DELETE FROM office; DELETE FROM appointments`).ReadAll()
	return err
}

func (s *store) forget(ctx context.Context) error {
	now, err := s.now(ctx, s.pool)
	if err != nil {
		return err
	}
	oldest := s.oldestDay(now)
	if _, err := s.pool.Exec(ctx, `DELETE FROM links WHERE day < $1::date`, oldest); err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, `DELETE FROM visits WHERE day < $1::date`, oldest); err != nil {
		return err
	}
	for _, statement := range []string{
		forgetConsents, forgetSubscriptions, forgetDeliveries, forgetCosts, forgetAppointments, forgetAppointmentMessages,
	} {
		if _, err := s.pool.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// A subscription is deleted when its visit ends, a consent with the visit's row, and a delivery after eight days.
const (
	forgetConsents      = `DELETE FROM consents c WHERE NOT EXISTS (SELECT FROM visits v WHERE v.id = c.visit_id)`
	forgetSubscriptions = `
DELETE FROM subscriptions s
WHERE NOT EXISTS (SELECT FROM visits v WHERE v.id = s.visit_id AND v.ended_at IS NULL AND NOT v.erased)`
	forgetDeliveries = `DELETE FROM deliveries WHERE created_at < now() - interval '8 days'`
)
