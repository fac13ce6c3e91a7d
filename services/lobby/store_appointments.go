package lobby

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/platform/fault"
)

// appointment has the values of an appointment that lobby stores. Email and phone are encrypted; nil: not known, or no
// longer needed.
type appointment struct {
	ID           string
	Version      int64
	Status       string
	SlotDate     string // YYYY-MM-DD
	SlotTime     string
	SlotAt       time.Time
	ServiceID    string
	ServiceName  string
	ConsultantID string
	Language     string
	Sequence     int
	Moves        int
	Email, Phone []byte
	Messages     bool // the client agrees to text messages
	VisitID      *string
	ConfirmedAt  *time.Time
	ChangedAt    time.Time
	EndedAt      *time.Time
	Erased       bool
}

// booked is an appointment with its link, its service, and the office.
type booked struct {
	appointment
	now        time.Time // the database's time
	known      bool      // false while the projection lacks the appointment of a link
	generation int
	opens      int
	replaced   bool
	quiet      bool // the client wants no reminders
	office     officeCopy
	service    serviceCopy
	documents  []contract.ServiceDocument
	minutes    int
}

const upsertAppointment = `
INSERT INTO appointments AS stored (id, version, status, slot_date, slot_time, slot_at, service_id, service_name,
  consultant_id, language, sequence, moves, email, phone, messages, visit_id, confirmed_at, changed_at, ended_at, erased)
VALUES ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, status = EXCLUDED.status, slot_date = EXCLUDED.slot_date,
  slot_time = EXCLUDED.slot_time, slot_at = EXCLUDED.slot_at, service_id = EXCLUDED.service_id,
  service_name = EXCLUDED.service_name, consultant_id = EXCLUDED.consultant_id, language = EXCLUDED.language,
  sequence = EXCLUDED.sequence, moves = EXCLUDED.moves, messages = EXCLUDED.messages AND NOT stored.erased,
  email = CASE WHEN stored.erased THEN NULL ELSE EXCLUDED.email END,
  phone = CASE WHEN stored.erased THEN NULL ELSE EXCLUDED.phone END,
  visit_id = EXCLUDED.visit_id, confirmed_at = coalesce(EXCLUDED.confirmed_at, stored.confirmed_at),
  changed_at = EXCLUDED.changed_at, ended_at = EXCLUDED.ended_at, erased = stored.erased OR EXCLUDED.erased`

const ensureAppointmentLink = `
INSERT INTO appointment_links (code_hash, appointment_id, generation) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING`

// keepAppointment stores an appointment and creates its first link. If the appointment is erased, its links are deleted
// and nothing that waits is sent.
func (s *store) keepAppointment(ctx context.Context, tx pgx.Tx, a appointment) error {
	batch := &pgx.Batch{}
	batch.Queue(upsertAppointment, a.ID, a.Version, a.Status, a.SlotDate, a.SlotTime, a.SlotAt, a.ServiceID,
		a.ServiceName, a.ConsultantID, a.Language, a.Sequence, a.Moves, a.Email, a.Phone, a.Messages, a.VisitID,
		a.ConfirmedAt, a.ChangedAt, a.EndedAt, a.Erased)
	if a.Erased {
		batch.Queue(`DELETE FROM appointment_links WHERE appointment_id = $1`, a.ID)
		batch.Queue(dropWaiting, a.ID)
	} else {
		batch.Queue(ensureAppointmentLink, link.Hash(link.AppointmentCode(s.key, a.ID, 1)), a.ID)
	}
	return tx.SendBatch(ctx, batch).Close()
}

const selectBooked = `
SELECT now(), l.appointment_id::text, l.generation, l.opens, l.replaced_at IS NOT NULL, l.quiet_at IS NOT NULL,
  a.id IS NOT NULL, coalesce(a.version, 0), coalesce(a.status, ''), coalesce(a.slot_date::text, ''),
  coalesce(a.slot_time, ''), coalesce(a.slot_at, now()), coalesce(a.service_id, ''), coalesce(a.service_name, ''),
  coalesce(a.consultant_id, ''), coalesce(a.language, ''), coalesce(a.sequence, 0), coalesce(a.moves, 0), a.email,
  a.phone, coalesce(a.messages, false), a.visit_id::text, a.confirmed_at, coalesce(a.changed_at, now()), a.ended_at,
  coalesce(a.erased, false), coalesce(s.name, ''), coalesce(s.texts::text, '{}'), coalesce(s.documents::text, 'null'),
  coalesce(s.est_minutes, 0), coalesce((SELECT document::text FROM office), '{}')
FROM appointment_links l LEFT JOIN appointments a ON a.id = l.appointment_id
LEFT JOIN services s ON s.id::text = a.service_id `

// bookedByCode returns the appointment of a code, or fault.ErrNotFound.
func (s *store) bookedByCode(ctx context.Context, code string) (booked, error) {
	return scanBooked(s.pool.QueryRow(ctx, selectBooked+`WHERE l.code_hash = $1`, link.Hash(code)))
}

// bookedByID returns an appointment with its current link, the one that is not replaced, or fault.ErrNotFound.
func (s *store) bookedByID(ctx context.Context, id string) (booked, error) {
	return scanBooked(s.pool.QueryRow(ctx, selectBooked+`WHERE l.appointment_id = $1 AND l.replaced_at IS NULL`, id))
}

func scanBooked(row pgx.Row) (b booked, err error) {
	var texts, papers, document []byte
	err = row.Scan(&b.now, &b.ID, &b.generation, &b.opens, &b.replaced, &b.quiet, &b.known, &b.Version, &b.Status,
		&b.SlotDate, &b.SlotTime, &b.SlotAt, &b.ServiceID, &b.ServiceName, &b.ConsultantID, &b.Language, &b.Sequence,
		&b.Moves, &b.Email, &b.Phone, &b.Messages, &b.VisitID, &b.ConfirmedAt, &b.ChangedAt, &b.EndedAt, &b.Erased,
		&b.service.Name, &texts, &papers, &b.minutes, &document)
	if errors.Is(err, pgx.ErrNoRows) {
		return b, fault.ErrNotFound
	}
	if err != nil {
		return b, err
	}
	return b, errors.Join(json.Unmarshal(texts, &b.service.Texts), json.Unmarshal(papers, &b.documents),
		json.Unmarshal(document, &b.office))
}

// showsAppointment reports whether the projection has the given version of an appointment, or a later version.
func (s *store) showsAppointment(ctx context.Context, id string, version int64) (has bool, err error) {
	err = s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM appointments WHERE id = $1 AND version >= $2)`, id,
		version).Scan(&has)
	return has, err
}

const countAppointmentOpen = `UPDATE appointment_links SET opens = opens + 1 WHERE code_hash = $1`

func (s *store) appointmentOpened(ctx context.Context, code string) error {
	_, err := s.pool.Exec(ctx, countAppointmentOpen, link.Hash(code))
	return err
}

const setQuiet = `UPDATE appointment_links SET quiet_at = now() WHERE appointment_id = $1 AND quiet_at IS NULL`

// keepQuiet stores that the client of an appointment wants no reminders.
func (s *store) keepQuiet(ctx context.Context, id string) error {
	_, err := s.pool.Exec(ctx, setQuiet, id)
	return err
}

// The statements are those of a visit's links: the first link is always ended, a later one unless it is younger than $2.
const (
	lockAppointmentLinks = `SELECT FROM appointment_links WHERE appointment_id = $1 ORDER BY generation FOR UPDATE`
	endAppointmentLink   = `
WITH open AS (SELECT generation, generation = 1 OR created_at < now() - $2::interval AS ends FROM appointment_links
  WHERE appointment_id = $1 AND replaced_at IS NULL),
ended AS (UPDATE appointment_links l SET replaced_at = now() FROM open
  WHERE l.appointment_id = $1 AND l.generation = open.generation AND open.ends)
SELECT generation, ends FROM open`
	insertAppointmentLink = `
INSERT INTO appointment_links (code_hash, appointment_id, generation, quiet_at)
SELECT $1, appointment_id, $3, quiet_at FROM appointment_links WHERE appointment_id = $2 AND generation = $3 - 1`
)

// replaceAppointmentLink ends the link of an appointment and adds one of the next generation, unless it was replaced
// within replaceOnce.
func (s *store) replaceAppointmentLink(ctx context.Context, tx pgx.Tx, id string) error {
	if _, err := tx.Exec(ctx, lockAppointmentLinks, id); err != nil {
		return err
	}
	var generation int
	var added bool
	err := tx.QueryRow(ctx, endAppointmentLink, id, replaceOnce).Scan(&generation, &added)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.ErrNotFound
	}
	if err != nil || !added {
		return err
	}
	hash := link.Hash(link.AppointmentCode(s.key, id, generation+1))
	_, err = tx.Exec(ctx, insertAppointmentLink, hash, id, generation+1)
	return err
}

const selectVisitLink = `SELECT generation FROM links WHERE visit_id = $1 AND replaced_at IS NULL`

// visitCode returns the code of a visit's link, "" if the visit has none.
func (s *store) visitCode(ctx context.Context, visitID string) (code string, err error) {
	var generation int
	err = s.pool.QueryRow(ctx, selectVisitLink, visitID).Scan(&generation)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return link.Code(s.key, visitID, generation), err
}

// An address is kept for a day after the slot, and for a day after an appointment was cancelled or declined.
const forgetAddresses = `
UPDATE appointments SET email = NULL, phone = NULL
WHERE (email IS NOT NULL OR phone IS NOT NULL) AND (slot_at < now() - interval '24 hours'
  OR status IN ('cancelled', 'declined') AND coalesce(ended_at, changed_at) < now() - interval '24 hours')`

func (s *store) forgetAddresses(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, forgetAddresses)
	return err
}

// A link shows for seven days after its end that it has ended.
const (
	forgetAppointments = `
WITH gone AS (DELETE FROM appointments WHERE slot_at < now() - interval '8 days' RETURNING id)
DELETE FROM appointment_links l USING gone WHERE l.appointment_id = gone.id`
	forgetAppointmentMessages = `DELETE FROM appointment_messages WHERE created_at < now() - interval '30 days'`
)

// forgetAppointment deletes an appointment of a day long ago, and its links.
func (*store) forgetAppointment(ctx context.Context, tx pgx.Tx, id string) error {
	batch := &pgx.Batch{}
	batch.Queue(`DELETE FROM appointments WHERE id = $1`, id)
	batch.Queue(`DELETE FROM appointment_links WHERE appointment_id = $1`, id)
	return tx.SendBatch(ctx, batch).Close()
}
