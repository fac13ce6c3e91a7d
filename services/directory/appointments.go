package directory

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/request"
	"baari.dev/services/platform/wire"
)

// takesAppointments reports whether the office takes requests from its page.
func (d *Directory) takesAppointments() bool {
	return d.office.Load().Features.Appointments == office.AppointmentsLive
}

const selectToday = `SELECT (coalesce($1, now()) AT TIME ZONE $2)::date::text`

// Today is the office's day.
func (d *Directory) Today(ctx context.Context) (string, error) {
	var today string
	err := d.pool.QueryRow(ctx, selectToday, d.now(), d.zone).Scan(&today)
	return today, postgres.Classify(err)
}

const isOffered = `SELECT EXISTS (SELECT FROM services WHERE name = $1 AND is_active)`

const insertAppointment = `
INSERT INTO appointments (id, name, phone, email, service, preferred_date, preferred_time, message, status, notice_version, mail_due)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, CASE WHEN $10 THEN now() END) RETURNING created_at`

// RequestAppointment stores a request of the public page, for the office to see and to be mailed. A service that the office does not offer is
// errServiceUnknown.
func (d *Directory) RequestAppointment(ctx context.Context, asked contract.Appointment) (contract.Appointment, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return asked, err
	}
	asked.ID, asked.Status = id.String(), string(appointment.Pending)
	err = d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		var offered bool
		if err := tx.QueryRow(ctx, isOffered, asked.Service).Scan(&offered); err != nil {
			return err
		}
		if !offered {
			return errServiceUnknown
		}
		var at time.Time
		if err := tx.QueryRow(ctx, insertAppointment, asked.ID, asked.Name, asked.Phone, asked.Email, asked.Service, asked.PreferredDate,
			asked.PreferredTime, asked.Message, d.office.Load().Notice.Version, d.arrived != nil).Scan(&at); err != nil {
			return err
		}
		asked.CreatedAt = wire.Time(at)
		return outbox.Append(ctx, tx, outbox.Change{
			Type: contract.AppointmentRequested, Entity: contract.EntityAppointment, EntityID: asked.ID, After: asked,
			Actor: &outbox.Actor{IP: request.From(ctx).Address}})
	})
	if err == nil {
		d.wakePost()
	}
	return asked, err
}

// wakePost wakes the goroutine that sends mails. It reads all that is due, so one pending wake is enough.
func (d *Directory) wakePost() {
	select {
	case d.arrived <- struct{}{}:
	default:
	}
}

// Appointments is one page of requests and the total number of requests.
type Appointments struct {
	List  []contract.Appointment
	Total int
}

// The columns of a request, in the order of scanAppointment.
const appointmentColumns = `
  id::text, name, coalesce(phone, ''), email, service, preferred_date::text, preferred_time, message, status, created_at`

const countAppointments = `SELECT count(*) FROM appointments WHERE status = @status OR @status = ''`

// Appointments answers a page of the requests in status, or of all when it is "", newest first, and records that the
// caller has read them.
func (d *Directory) Appointments(ctx context.Context, status string, page, limit int) (Appointments, error) {
	args := postgres.Args{"status": status, "limit": limit, "skip": (page - 1) * limit}
	var found Appointments
	if err := d.pool.QueryRow(ctx, countAppointments, args).Scan(&found.Total); err != nil {
		return found, postgres.Classify(err)
	}
	rows, err := d.pool.Query(ctx, selectAppointments, d.reading(ctx, args))
	if err != nil {
		return found, postgres.Classify(err)
	}
	found.List, err = pgx.CollectRows(rows, scanAppointment)
	return found, postgres.Classify(err)
}

func scanAppointment(row pgx.CollectableRow) (contract.Appointment, error) {
	var a contract.Appointment
	var at time.Time
	err := row.Scan(&a.ID, &a.Name, &a.Phone, &a.Email, &a.Service, &a.PreferredDate, &a.PreferredTime, &a.Message, &a.Status, &at)
	a.CreatedAt = wire.Time(at)
	return a, err
}

const lockAppointment = `
SELECT` + appointmentColumns + `
FROM appointments WHERE id = $1 FOR UPDATE`

const updateAppointment = `UPDATE appointments SET status = $2 WHERE id = $1`

// kinds are the kinds of the events, by new status.
var kinds = map[appointment.Status]string{
	appointment.Confirmed: contract.AppointmentConfirmed,
	appointment.Declined:  contract.AppointmentDeclined,
	appointment.Done:      contract.AppointmentDone,
}

// ChangeAppointment sets the status of a request. Setting the current status publishes no event. A change that is not
// in the table returns 409 illegal_transition, an unknown id fault.ErrNotFound.
func (d *Directory) ChangeAppointment(ctx context.Context, id string, to appointment.Status) (contract.Appointment, error) {
	var after contract.Appointment
	err := d.outbox.InTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, lockAppointment, id)
		if err != nil {
			return err
		}
		before, err := pgx.CollectExactlyOneRow(rows, scanAppointment)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		after = before
		changed, err := appointment.Change(appointment.Status(before.Status), to)
		if err != nil {
			return fault.New(fault.Conflict, codeIllegal, err.Error())
		}
		if !changed {
			return nil
		}
		after.Status = string(to)
		if _, err := tx.Exec(ctx, updateAppointment, id, after.Status); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, outbox.Change{
			Type: kinds[to], Entity: contract.EntityAppointment, EntityID: id, Before: before, After: after})
	})
	return after, err
}
