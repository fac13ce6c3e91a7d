package lobby

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/lobby/mails"
	"baari.dev/services/platform/wire"
)

// bookedMessage is a message about an appointment that is to be queued.
type bookedMessage struct {
	appointmentID, channel string
	kind                   mails.Kind
	sequence               int
	slot, due              time.Time
}

// A reminder of a slot is sent once, even if the appointment was cancelled and this was undone.
const insertBookedMessage = `
INSERT INTO appointment_messages (id, appointment_id, channel, kind, sequence, slot_at, state, due_at, next_at)
SELECT $1, $2, $3, $4, $5, $6::timestamptz, 'queued', $7::timestamptz, $7::timestamptz
WHERE $4 NOT IN ('day_before', 'soon') OR NOT EXISTS (
  SELECT FROM appointment_messages
  WHERE appointment_id = $2 AND channel = $3 AND kind = $4 AND slot_at = $6::timestamptz)
ON CONFLICT (appointment_id, channel, kind, sequence) DO NOTHING`

// queueBooked queues a message. For each appointment, channel, kind and sequence it is queued once.
func (*store) queueBooked(ctx context.Context, tx pgx.Tx, m bookedMessage) error {
	_, err := tx.Exec(ctx, insertBookedMessage, uuid.Must(uuid.NewV7()), m.appointmentID, m.channel, string(m.kind),
		m.sequence, m.slot, m.due)
	return err
}

const (
	dropWaiting = `
UPDATE appointment_messages SET state = 'dropped', error_code = 'over', changed_at = now()
WHERE appointment_id = $1 AND state = 'queued'`
	countConfirmed = `
SELECT count(*) FILTER (WHERE state <> 'dropped'), count(*) FILTER (WHERE state = 'dropped' AND error_code = 'over')
FROM appointment_messages WHERE appointment_id = $1 AND kind = 'confirmed'`
)

// dropBooked drops the messages of an appointment that wait. owed reports whether a confirmation was dropped and none
// was sent.
func (*store) dropBooked(ctx context.Context, tx pgx.Tx, id string) (owed bool, err error) {
	if _, err := tx.Exec(ctx, dropWaiting, id); err != nil {
		return false, err
	}
	var sent, dropped int
	err = tx.QueryRow(ctx, countConfirmed, id).Scan(&sent, &dropped)
	return sent == 0 && dropped > 0, err
}

// dueBooked is a message about an appointment that is to be sent.
type dueBooked struct {
	ID, AppointmentID, Channel string
	Kind                       mails.Kind
	Sequence, Tries            int
	Slot, Due                  time.Time
}

// A row is marked before it is sent, so it is sent at most once, even if its sender ends before the result is stored.
const claimBooked = `
UPDATE appointment_messages SET state = 'sending', tries = tries + 1, changed_at = now()
WHERE id IN (
  SELECT id FROM appointment_messages WHERE state = 'queued' AND next_at <= $1 AND channel <> ALL ($2)
  ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id::text, appointment_id::text, channel, kind, sequence, tries, slot_at, due_at`

// takeBooked marks at most mostAtOnce due messages as being sent, and returns them.
func (s *store) takeBooked(ctx context.Context, now time.Time, paused []string) ([]dueBooked, error) {
	rows, err := s.pool.Query(ctx, claimBooked, now, paused, mostAtOnce)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[dueBooked])
}

const closeBooked = `
UPDATE appointment_messages SET state = 'unknown', changed_at = now()
WHERE state = 'sending' AND changed_at < $1 RETURNING channel, kind`

// closeLostBooked closes messages whose sender has ended, and returns the channel and the kind of each.
func (s *store) closeLostBooked(ctx context.Context, before time.Time) ([]dueBooked, error) {
	rows, err := s.pool.Query(ctx, closeBooked, before)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d dueBooked, err error) {
		err = row.Scan(&d.Channel, &d.Kind)
		return d, err
	})
}

const (
	setBooked = `
UPDATE appointment_messages SET state = $2, error_code = $3, provider_id = $4, changed_at = now() WHERE id = $1`
	requeueBooked = `
UPDATE appointment_messages SET state = 'queued', next_at = now() + $2::interval, changed_at = now() WHERE id = $1`
)

func (*store) finishBooked(ctx context.Context, tx pgx.Tx, id string, end outcome) error {
	_, err := tx.Exec(ctx, setBooked, id, end.state, end.why, string(end.id))
	return err
}

// againBooked queues a message that was certainly not sent, for a try after delay.
func (s *store) againBooked(ctx context.Context, id string, delay time.Duration) error {
	_, err := s.pool.Exec(ctx, requeueBooked, id, delay)
	return err
}

const selectToldBooked = `
SELECT channel, kind, CASE state WHEN 'sending' THEN 'queued' ELSE state END, changed_at
FROM appointment_messages WHERE appointment_id = $1 ORDER BY created_at, channel`

func (s *store) toldBooked(ctx context.Context, id string) ([]toldBookedBody, error) {
	rows, err := s.pool.Query(ctx, selectToldBooked, id)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t toldBookedBody, err error) {
		err = row.Scan(&t.Channel, &t.Kind, &t.State, (*time.Time)(&t.At))
		return t, err
	})
}

type toldBookedBody struct {
	Channel string    `json:"channel"`
	Kind    string    `json:"kind"`
	State   string    `json:"state"`
	At      wire.Time `json:"at"`
}

const selectReminded = `
SELECT a.id::text, a.sequence, a.slot_at, a.confirmed_at, a.email IS NOT NULL, a.phone IS NOT NULL AND a.messages
FROM appointments a LEFT JOIN appointment_links l ON l.appointment_id = a.id AND l.replaced_at IS NULL
WHERE a.status = 'confirmed' AND NOT a.erased AND l.quiet_at IS NULL
  AND a.slot_at > $1 AND a.slot_at < $1 + interval '49 hours' AND (a.email IS NOT NULL OR a.messages)`

// reminded is an appointment whose client can be reminded.
type reminded struct {
	ID          string
	Sequence    int
	Slot        time.Time
	ConfirmedAt *time.Time
	Mail, Text  bool
}

func (s *store) toRemind(ctx context.Context, now time.Time) ([]reminded, error) {
	rows, err := s.pool.Query(ctx, selectReminded, now)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[reminded])
}
