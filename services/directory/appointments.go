package directory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/places"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
)

// This file has new appointments: requests from the public page, and bookings of staff. appointment_changes.go changes
// appointments, slots.go reads slots, lists and days.

// codeIllegal is the error code for a change of an appointment that is not allowed (appointment.Rules).
const codeIllegal = "illegal_transition"

var (
	errSlotFull         = fault.New(fault.Conflict, "slot_full", "This time is taken. Please choose another one.")
	errConsultantBooked = fault.New(fault.Conflict, "consultant_booked",
		"{consultant} has another appointment at this time.")
	errTooEarly = fault.New(fault.Conflict, "too_early", "This can be noted from {time}.")
	errUndoGone = fault.New(fault.Conflict, "undo_gone", "This was changed since. Please look at it again.")

	errConsultantUnavailable = fault.New(fault.Unprocessable, "consultant_unavailable",
		"This consultant is not available.")
)

// worded returns a fault with a value in the place of its name in the sentence.
func worded(f *fault.Fault, name, value string) *fault.Fault {
	with := f.With(name, value)
	with.Sentence = strings.ReplaceAll(f.Sentence, "{"+name+"}", value)
	return with
}

func (s *Service) acceptsAppointments() bool {
	return s.office.Load().Features.Appointments == office.AppointmentsLive
}

// Wanted is a new appointment. Key is the idempotency key of its request, "" for none; a repeated request has the
// answer of the first.
type Wanted struct {
	contract.Appointment
	Key string
}

// keyOf returns the digests of a request. The caller is empty for the public page.
func (w Wanted) keyOf(caller string) (requestKey, error) {
	if w.Key == "" {
		return requestKey{}, nil
	}
	meaning, err := json.Marshal(w.Appointment, json.Deterministic(true))
	key, digest := sha256.Sum256([]byte(caller+"\x00"+w.Key)), sha256.Sum256(meaning)
	return requestKey{key[:], digest[:]}, err
}

// Added is a new appointment. Replayed is true if an earlier request with the same key has made it.
type Added struct {
	Booking
	Replayed bool
}

// RequestAppointment stores an appointment request from the public page, which holds a place in its slot, and schedules
// the mail about it. It returns errServiceUnknown for a service that the office does not offer, errSlotFull with the
// free times of the day, and fault.ErrRateLimited for too many requests with one phone number, or of all.
func (s *Service) RequestAppointment(ctx context.Context, wanted Wanted) (Added, error) {
	number := sha256.Sum256([]byte(wanted.Phone)) // keeps the phone number out of Redis
	if err := s.limiter.Allow(ctx, perPhone, hex.EncodeToString(number[:])); err != nil {
		return Added{}, err
	}
	if err := s.limiter.Allow(ctx, perOffice, everyone); err != nil {
		return Added{}, err
	}
	wanted.Source = contract.AppointmentSourcePage
	added, err := s.add(ctx, wanted, appointment.RuleOf(appointment.Request), identity.Caller{})
	if err == nil {
		s.wakePost()
	}
	return added, err
}

// Book stores a confirmed appointment that a user makes for a client. Beyond the errors of RequestAppointment it
// returns errConsultantBooked, errConsultantUnavailable, and faults of the fields date and time for a slot that cannot
// be had.
func (s *Service) Book(ctx context.Context, wanted Wanted) (Added, error) {
	caller, _ := identity.From(ctx)
	wanted.Source = contract.AppointmentSourceDesk
	return s.add(ctx, wanted, appointment.RuleOf(appointment.Book), caller)
}

// add stores a new appointment in the first free place of its slot. The wanted appointment has the id or the name of
// its service.
func (s *Service) add(
	ctx context.Context, wanted Wanted, rule appointment.Rule, caller identity.Caller,
) (Added, error) {
	var added Added
	key, err := wanted.keyOf(caller.ID)
	if err != nil {
		return added, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return added, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		earlier, digest, found, err := s.store.requested(ctx, tx, key)
		if err != nil {
			return err
		}
		if found {
			added = Added{earlier, true}
			return same(digest, key.digest)
		}
		added = Added{Booking: Booking{Appointment: wanted.Appointment}}
		added.ID, added.Status, added.Version = id.String(), string(rule.To), 1
		return s.insert(ctx, tx, &added.Booking, rule, caller, key)
	})
	switch {
	case errors.Is(err, errSlotFull):
		return Added{}, s.full(ctx, slotOf(wanted.Appointment), wanted.ConsultantID)
	case err != nil:
		return Added{}, err
	case !added.Replayed:
		s.metrics.changed(added.Status)
	}
	return added, nil
}

// same returns idempotency.ErrKeyReused unless both digests are of the same request.
func same(one, other []byte) error {
	if !slices.Equal(one, other) {
		return idempotency.ErrKeyReused
	}
	return nil
}

// insert completes a new appointment, gives it a place and stores it with its event.
func (s *Service) insert(
	ctx context.Context, tx pgx.Tx, b *Booking, rule appointment.Rule, caller identity.Caller, key requestKey,
) (err error) {
	if b.ServiceID, b.Service, err = s.store.offered(ctx, tx, b.ServiceID, b.Service); err != nil {
		return err
	}
	if err := s.name(ctx, tx, b); err != nil {
		return err
	}
	// A full slot is recognised without the lock, for which others may wait.
	if err := s.place(ctx, tx, b); err != nil {
		return err
	}
	if err := s.store.lockSlots(ctx, tx, slotOf(b.Appointment)); err != nil {
		return err
	}
	at, err := s.store.moment(ctx, tx)
	if err != nil {
		return err
	}
	if rule.Undoable {
		if err := s.checkSlot(slotOf(b.Appointment), at); err != nil {
			return err
		}
		b.Last = &lastChange{Action: rule.Action, By: caller.ID, At: at.Now, Date: b.PreferredDate, Time: b.PreferredTime}
	}
	if err := s.place(ctx, tx, b); err != nil {
		return err
	}
	document := s.office.Load()
	mail := rule.Action == appointment.Request && s.arrived != nil
	if err := s.store.addAppointment(ctx, tx, b, document.Notice.Version, key, mail); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, appointmentAdded(ctx, rule, b.Appointment))
}

// name sets the name of the consultant that the client asked for.
func (s *Service) name(ctx context.Context, tx pgx.Tx, b *Booking) (err error) {
	b.ConsultantName = ""
	if b.ConsultantID != "" {
		b.ConsultantName, err = s.store.available(ctx, tx, b.ConsultantID)
	}
	return err
}

// place gives an appointment the lowest free place of its slot. It returns errSlotFull or errConsultantBooked.
func (s *Service) place(ctx context.Context, tx pgx.Tx, b *Booking) error {
	held, consultants, err := s.store.held(ctx, tx, slotOf(b.Appointment), b.ID)
	if err != nil {
		return err
	}
	if b.ConsultantID != "" && slices.Contains(consultants, b.ConsultantID) {
		return worded(errConsultantBooked, "consultant", b.ConsultantName)
	}
	if len(held) >= s.office.Load().Appointments.Capacity(b.PreferredTime) {
		return errSlotFull
	}
	b.Place = places.LowestFree(held)
	return nil
}

// checkSlot returns the fault of the field date or time for a slot that cannot be had, even if it has free places.
func (s *Service) checkSlot(at slot, now moment) error {
	offer := places.Offer{Document: s.office.Load().Document, Now: now.Local}
	switch offer.State(at.Date, at.Time, 0) {
	case places.Far:
		return fault.Field("date", dateTooFarOf(offer.LastDay()))
	case places.Closed:
		if len(offer.Document.On(places.Clock(at.Date, "00:00"))) == 0 {
			return fault.Field("date", dateClosed)
		}
		if !slices.Contains(offer.Document.AppointmentSlots, at.Time) {
			return fault.Field("time", timeWrong)
		}
		return fault.Field("time", timeClosed)
	case places.Past:
		if at.Date < now.Local.Format(time.DateOnly) {
			return fault.Field("date", datePast)
		}
		return fault.Field("time", timePast)
	}
	return nil
}

// full returns errSlotFull with the free times of the slot's day, and counts it.
func (s *Service) full(ctx context.Context, at slot, consultant string) error {
	s.metrics.full.Inc()
	free, err := s.freeTimes(ctx, at.Date, consultant)
	if err != nil {
		return errSlotFull.Because(err)
	}
	return errSlotFull.With("free", strings.Join(free, ","))
}

// wakePost wakes the goroutine that sends mails. One pending wake is enough, because the goroutine reads all due mails.
func (s *Service) wakePost() {
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}
