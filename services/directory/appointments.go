package directory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// This file has the appointment requests from the public page, and the decisions of staff about them.

// codeIllegal is the error code for a change of an appointment's status that is not allowed (appointment.Change).
const codeIllegal = "illegal_transition"

func (s *Service) acceptsAppointments() bool {
	return s.office.Load().Features.Appointments == office.AppointmentsLive
}

// RequestAppointment stores an appointment request and schedules the mail about it. It returns errServiceUnknown for a
// service that the office does not offer, and fault.ErrRateLimited for too many requests with one phone number.
func (s *Service) RequestAppointment(
	ctx context.Context, requested contract.Appointment,
) (contract.Appointment, error) {
	number := sha256.Sum256([]byte(requested.Phone)) // keeps the phone number out of Redis
	if err := s.limiter.Allow(ctx, perPhone, hex.EncodeToString(number[:])); err != nil {
		return requested, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return requested, err
	}
	requested.ID, requested.Status = id.String(), string(appointment.Pending)
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		offered, err := s.store.isOffered(ctx, tx, requested.Service)
		if err != nil {
			return err
		}
		if !offered {
			return errServiceUnknown
		}
		notice := s.office.Load().Notice.Version
		requested.CreatedAt, err = s.store.addAppointment(ctx, tx, requested, notice, s.arrived != nil)
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, appointmentRequested(ctx, requested))
	})
	if err == nil {
		s.wakePost()
	}
	return requested, err
}

// wakePost wakes the goroutine that sends mails. One pending wake is enough, because the goroutine reads all due mails.
func (s *Service) wakePost() {
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// Appointments is one page of a list of appointment requests, and the length of the whole list.
type Appointments struct {
	List  []contract.Appointment
	Total int
}

// Appointments returns a page of the appointment requests, filtered by status and preferred day, newest first. It
// records that the caller has read them. Pages count from 1.
func (s *Service) Appointments(ctx context.Context, req listRequest) (Appointments, error) {
	return s.store.appointments(ctx, req)
}

// ChangeAppointment sets the status of an appointment request. Setting the current status publishes no event. For a
// change that is not allowed it returns 409 illegal_transition, for an unknown id fault.ErrNotFound.
func (s *Service) ChangeAppointment(
	ctx context.Context, id string, to appointment.Status,
) (contract.Appointment, error) {
	var after contract.Appointment
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockAppointment(ctx, tx, id)
		if err != nil {
			return err
		}
		after = before
		changed, err := appointment.Change(appointment.Status(before.Status), to)
		if err != nil {
			return fault.New(fault.Conflict, codeIllegal, err.Error()).With("from", before.Status).With("to", to)
		}
		if !changed {
			return nil
		}
		after.Status = string(to)
		if err := s.store.saveStatus(ctx, tx, after); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, appointmentChanged(before, after))
	})
	return after, err
}
