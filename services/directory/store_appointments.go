package directory

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// The columns of an appointment, in the order of appointmentFields. The consultant's name is the present one.
const appointmentColumns = `
  id::text, name, coalesce(phone, ''), email, service, preferred_date::text, preferred_time, message, status,
  created_at, coalesce(service_id::text, ''), coalesce(consultant_id, ''),
  coalesce((SELECT c.name FROM consultants c WHERE c.id = consultant_id), ''), language, messages, source,
  coalesce(place, 0), sequence, moves, version, visit_id::text, ended_at`

// appointmentFields returns the variables that appointmentColumns are read into.
func appointmentFields(a *contract.Appointment) []any {
	return []any{
		&a.ID, &a.Name, &a.Phone, &a.Email, &a.Service, &a.PreferredDate, &a.PreferredTime, &a.Message, &a.Status,
		(*time.Time)(&a.CreatedAt), &a.ServiceID, &a.ConsultantID, &a.ConsultantName, &a.Language, &a.Messages, &a.Source,
		&a.Place, &a.Sequence, &a.Moves, &a.Version, &a.VisitID, ended{&a.EndedAt},
	}
}

// ended reads a time that can be NULL.
type ended struct{ at **wire.Time }

// ScanTimestamptz implements pgtype.TimestamptzScanner.
func (e ended) ScanTimestamptz(found pgtype.Timestamptz) error {
	if *e.at = nil; found.Valid {
		*e.at = (*wire.Time)(&found.Time)
	}
	return nil
}

func scanAppointment(row pgx.CollectableRow) (contract.Appointment, error) {
	var a contract.Appointment
	err := row.Scan(appointmentFields(&a)...)
	return a, err
}

// Booking is an appointment with its last change, which is nil if no user can undo it.
type Booking struct {
	contract.Appointment
	Last *lastChange
}

// lastChange has what is needed to undo the last change of an appointment: the action, who did it and when, and the
// status, the slot and the consultant of before. The status is empty for an appointment that was booked.
type lastChange struct {
	Action       appointment.Action `json:"action"`
	By           string             `json:"by"`
	At           time.Time          `json:"at"`
	Status       string             `json:"status"`
	Date         string             `json:"date"`
	Time         string             `json:"time"`
	ConsultantID string             `json:"consultant"`
}

func scanBooking(row pgx.CollectableRow) (Booking, error) {
	var b Booking
	var last []byte
	if err := row.Scan(append(appointmentFields(&b.Appointment), &last)...); err != nil || last == nil {
		return b, err
	}
	return b, json.Unmarshal(last, &b.Last)
}

const insertAppointment = `
INSERT INTO appointments
  (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, mail_due,
   service_id, consultant_id, place, language, messages, source, version, request_key, request_digest, undo)
VALUES (@id, @name, @phone, @email, @service, @date, @time, @message, @status, @notice, CASE WHEN @mail THEN now() END,
  @service_id::uuid, nullif(@consultant, ''), @place, @language, @messages, @source, 1, @key, @digest, @undo::jsonb)
RETURNING created_at`

// addAppointment inserts an appointment with a version of the privacy notice and the key of its request, and sets the
// time of the request. If mail is set, a mail to the office is due.
func (s *store) addAppointment(
	ctx context.Context, tx pgx.Tx, b *Booking, notice string, key requestKey, mail bool,
) error {
	args, err := b.arguments()
	if err != nil {
		return err
	}
	args["source"], args["notice"], args["mail"] = b.Source, notice, mail
	args["key"], args["digest"] = key.key, key.digest
	return tx.QueryRow(ctx, insertAppointment, args).Scan((*time.Time)(&b.CreatedAt))
}

// arguments returns the values of the columns that both statements write.
func (b Booking) arguments() (postgres.Args, error) {
	args := postgres.Args{
		"id": b.ID, "name": b.Name, "phone": b.Phone, "email": b.Email, "service": b.Service, "date": b.PreferredDate,
		"time": b.PreferredTime, "message": b.Message, "status": b.Status, "consultant": b.ConsultantID,
		"language": b.Language, "messages": b.Messages, "place": nil, "service_id": nil, "undo": nil,
	}
	if b.Place > 0 {
		args["place"] = b.Place
	}
	if b.ServiceID != "" {
		args["service_id"] = b.ServiceID
	}
	if b.Last == nil {
		return args, nil
	}
	last, err := json.Marshal(b.Last)
	args["undo"] = last
	return args, err
}

const updateAppointment = `
UPDATE appointments SET name = @name, phone = nullif(@phone, ''), email = @email, service = @service,
  preferred_date = @date, preferred_time = @time, message = @message, status = @status, service_id = @service_id::uuid,
  consultant_id = nullif(@consultant, ''), place = @place, language = @language, messages = @messages,
  sequence = @sequence, moves = @moves, version = @version, visit_id = @visit::uuid, ended_at = @ended,
  undo = @undo::jsonb
WHERE id = @id`

func (s *store) saveAppointment(ctx context.Context, tx pgx.Tx, b Booking) error {
	args, err := b.arguments()
	if err != nil {
		return err
	}
	args["sequence"], args["moves"], args["version"] = b.Sequence, b.Moves, b.Version
	args["visit"], args["ended"] = b.VisitID, (*time.Time)(b.EndedAt)
	_, err = tx.Exec(ctx, updateAppointment, args)
	return err
}

const selectAppointment = `
SELECT` + appointmentColumns + `, undo
FROM appointments WHERE id = $1`

// appointment returns an appointment, or fault.ErrNotFound.
func (s *store) appointment(ctx context.Context, id string) (Booking, error) {
	booking, err := collectBooking(s.pool.Query(ctx, selectAppointment, id))
	return booking, postgres.Classify(err)
}

// collectBooking returns the appointment of the row, or fault.ErrNotFound.
func collectBooking(rows pgx.Rows, err error) (Booking, error) {
	if err != nil {
		return Booking{}, err
	}
	booking, err := pgx.CollectExactlyOneRow(rows, scanBooking)
	if errors.Is(err, pgx.ErrNoRows) {
		return booking, fault.ErrNotFound
	}
	return booking, err
}

// requestKey identifies a request across retries: the digest of the caller and the idempotency key, and the digest of
// the request. Both are nil for a request without a key.
type requestKey struct{ key, digest []byte }

const (
	lockRequest   = `SELECT pg_advisory_xact_lock(hashtextextended('request:' || encode($1, 'hex'), 0))`
	selectRequest = `
SELECT` + appointmentColumns + `, undo, request_digest
FROM appointments WHERE request_key = $1`
)

// requested returns the appointment that an earlier request with the key has made. found is false if there is none. It
// locks the key, so that of two requests at once the second finds the appointment of the first.
func (s *store) requested(
	ctx context.Context, tx pgx.Tx, key requestKey,
) (b Booking, digest []byte, found bool, err error) {
	if key.key == nil {
		return b, nil, false, nil
	}
	if _, err := tx.Exec(ctx, lockRequest, key.key); err != nil {
		return b, nil, false, err
	}
	var last []byte
	err = tx.QueryRow(ctx, selectRequest, key.key).Scan(append(appointmentFields(&b.Appointment), &last, &digest)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return b, nil, false, nil
	}
	if err == nil && last != nil {
		err = json.Unmarshal(last, &b.Last)
	}
	return b, digest, err == nil, err
}

// Taking a request postpones its mail: if this replica ends or the mail server rejects the mail, the mail is due again
// later. After a day the request is no longer mailed, only listed on screen.
const takeDue = `
UPDATE appointments SET mail_due = now() + interval '1 minute'
WHERE id = (
  SELECT id FROM appointments WHERE mail_due <= now() AND created_at > now() - interval '1 day'
  ORDER BY mail_due LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING` + appointmentColumns

// takeDue takes the request whose mail has been due longest. taken is false when none is due.
func (s *store) takeDue(ctx context.Context) (a contract.Appointment, taken bool, err error) {
	rows, err := s.pool.Query(ctx, takeDue)
	if err != nil {
		return a, false, postgres.Classify(err)
	}
	a, err = pgx.CollectExactlyOneRow(rows, scanAppointment)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, false, nil
	}
	return a, err == nil, postgres.Classify(err)
}

const takeAllDue = `
UPDATE appointments SET mail_due = now() + interval '1 minute'
WHERE id IN (
  SELECT id FROM appointments WHERE mail_due <= now() AND created_at > now() - interval '1 day'
  FOR UPDATE SKIP LOCKED)
RETURNING id::text`

func (s *store) takeAllDue(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, takeAllDue)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, postgres.Classify(err)
}

const postponeDue = `
UPDATE appointments SET mail_due = now() + @wait::interval
WHERE id IN (
  SELECT id FROM appointments WHERE (id = @id OR mail_due <= now()) AND mail_due IS NOT NULL
  FOR UPDATE SKIP LOCKED)`

// postponeDue postpones the mail about a request, and all other mails that are due.
func (s *store) postponeDue(ctx context.Context, id string, wait time.Duration) error {
	_, err := s.pool.Exec(ctx, postponeDue, postgres.Args{"id": id, "wait": wait})
	return postgres.Classify(err)
}

const markMailed = `UPDATE appointments SET mail_due = NULL WHERE id = ANY($1::uuid[])`

func (s *store) markMailed(ctx context.Context, ids []string) error {
	_, err := s.pool.Exec(ctx, markMailed, ids)
	return postgres.Classify(err)
}
