package directory

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/places"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// Change is a change of an appointment. By is the role of the caller, appointment.Visitor or appointment.System. A
// Version that is not nil must be the appointment's.
type Change struct {
	ID      string
	Action  appointment.Action
	By      string
	Version *int64
	Tell    bool // send the client a message, if the action has one

	To         *slot   // a move's
	Consultant *string // a move's; nil: unchanged, "": none
	VisitID    string  // an arrival's
	Edit       func(ctx context.Context, tx pgx.Tx, b *Booking) error
}

// ChangeAppointment changes an appointment and publishes its event. A change to the state that the appointment has
// publishes none. It returns fault.ErrNotFound, fault.ErrStale, 409 illegal_transition, errTooEarly, errSlotFull,
// errConsultantBooked, errConsultantUnavailable, and faults of the fields date and time for a slot that cannot be had.
func (s *Service) ChangeAppointment(ctx context.Context, c Change) (Booking, error) {
	var after Booking
	var changed bool
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		after, changed, err = s.change(ctx, tx, c)
		return err
	})
	return s.changed(ctx, after, changed, err)
}

// changed counts a change, and completes errSlotFull.
func (s *Service) changed(ctx context.Context, after Booking, changed bool, err error) (Booking, error) {
	if errors.Is(err, errSlotFull) {
		return after, s.full(ctx, slotOf(after.Appointment), after.ConsultantID)
	}
	if err == nil && changed {
		s.metrics.changed(after.Status)
	}
	return after, err
}

// change is ChangeAppointment in a transaction of the caller. With errSlotFull, after has the slot that is full.
func (s *Service) change(ctx context.Context, tx pgx.Tx, c Change) (after Booking, changed bool, err error) {
	var targets []slot
	if c.To != nil {
		targets = append(targets, *c.To)
	}
	before, err := s.store.lockAppointment(ctx, tx, c.ID, targets...)
	if err != nil {
		return before, false, err
	}
	at, err := s.store.moment(ctx, tx)
	if err != nil {
		return before, false, err
	}
	rule := appointment.RuleOf(c.Action)
	to, changed, err := c.allowed(rule, before, at, s.office.Load().Queue.LateAppointmentMinutes)
	if err != nil || !changed {
		return before, false, err
	}
	after = before
	after.Status = string(to)
	if err := s.edit(ctx, tx, c, &after, at); err != nil {
		return after, false, err
	}
	if rule.To == "" && after.Appointment == before.Appointment {
		return before, false, nil
	}
	if err := s.hold(ctx, tx, before, &after); err != nil {
		return after, false, err
	}
	after.Last = nil
	if caller, ok := identity.From(ctx); ok && rule.Undoable && c.By != appointment.Visitor {
		after.Last = &lastChange{
			Action: c.Action, By: caller.ID, At: at.Now, Status: before.Status, Date: before.PreferredDate,
			Time: before.PreferredTime, ConsultantID: before.ConsultantID,
		}
	}
	return after, true, s.save(ctx, tx, before, &after, at, saving{
		event: rule.Event, numbered: rule.Numbered, tell: rule.Tells && c.Tell, by: c.By,
	})
}

// allowed returns the status after the change. changed is false if the appointment has it already.
func (c Change) allowed(
	rule appointment.Rule, before Booking, at moment, late int,
) (to appointment.Status, changed bool, err error) {
	if c.Version != nil && *c.Version != before.Version {
		return "", false, fault.ErrStale.With("version", before.Version)
	}
	to, changed, err = rule.Apply(appointment.Status(before.Status), c.By)
	if err != nil {
		return to, false, illegal(err, before.Status)
	}
	if changed && c.Action == appointment.MarkNoShow && c.By != appointment.System {
		from := places.NoShowFrom(before.PreferredDate, before.PreferredTime, late)
		if at.Local.Before(from) {
			clock := from.Format("15:04")
			return to, false, worded(errTooEarly, "time", clock).With("from", clock)
		}
	}
	return to, changed, nil
}

// illegal returns the fault of an *appointment.IllegalError.
func illegal(err error, from string) error {
	var refused *appointment.IllegalError
	if !errors.As(err, &refused) {
		return err
	}
	return fault.New(fault.Conflict, codeIllegal, err.Error()).With("from", from).With("to", string(refused.To))
}

// edit sets what the change sets besides the status.
func (s *Service) edit(ctx context.Context, tx pgx.Tx, c Change, after *Booking, at moment) error {
	if c.Edit != nil {
		return c.Edit(ctx, tx, after)
	}
	switch c.Action {
	case appointment.Move:
		return s.move(ctx, tx, c, after, at)
	case appointment.Arrive:
		after.VisitID = &c.VisitID
	case appointment.Return:
		after.VisitID = nil
	}
	if c.Action == appointment.Cancel && c.By == appointment.Visitor {
		return s.visitorCan(*after, at, c.Action)
	}
	return nil
}

func (s *Service) move(ctx context.Context, tx pgx.Tx, c Change, after *Booking, at moment) error {
	if slotOf(after.Appointment) == *c.To && (c.Consultant == nil || *c.Consultant == after.ConsultantID) {
		return nil
	}
	if c.By == appointment.Visitor {
		if err := s.visitorCan(*after, at, c.Action); err != nil {
			return err
		}
		after.Moves++
	}
	if slotOf(after.Appointment) != *c.To {
		if err := s.checkSlot(*c.To, at); err != nil {
			return err
		}
	}
	after.PreferredDate, after.PreferredTime = c.To.Date, c.To.Time
	if c.Consultant == nil || *c.Consultant == after.ConsultantID {
		return nil
	}
	after.ConsultantID = *c.Consultant
	return s.name(ctx, tx, after)
}

// Reasons why the holder of the link cannot change an appointment: parameter "reason" of 409 illegal_transition.
const (
	reasonLate  = "late"
	reasonMoves = "moves"
)

// visitorCan returns 409 illegal_transition if it is too late for the holder of the link, or after too many moves.
func (s *Service) visitorCan(b Booking, at moment, action appointment.Action) error {
	until := places.Clock(b.PreferredDate, b.PreferredTime).
		Add(-time.Duration(s.office.Load().Appointments.ChangeUntilMinutes) * time.Minute)
	if at.Local.After(until) {
		return fault.New(fault.Conflict, codeIllegal, "It is too late to change this appointment here.").
			With("from", b.Status).With("reason", reasonLate)
	}
	if action == appointment.Move && b.Moves >= appointment.VisitorMoves {
		return fault.New(fault.Conflict, codeIllegal, "This appointment was moved three times already.").
			With("from", b.Status).With("reason", reasonMoves)
	}
	return nil
}

// hold gives the appointment a place if its new status needs one that the appointment does not have, or takes it away.
func (s *Service) hold(ctx context.Context, tx pgx.Tx, before Booking, after *Booking) error {
	holds := appointment.Status(before.Status).Holds()
	switch {
	case !appointment.Status(after.Status).Holds():
		after.Place = 0
	case after.Status == string(appointment.Arrived) && !holds:
		return s.holdArrived(ctx, tx, after)
	case !holds || slotOf(before.Appointment) != slotOf(after.Appointment):
		return s.place(ctx, tx, after)
	case before.ConsultantID != after.ConsultantID:
		kept := after.Place
		err := s.place(ctx, tx, after)
		after.Place = kept
		if errors.Is(err, errSlotFull) { // it keeps its own place
			return nil
		}
		return err
	}
	return nil
}

// holdArrived gives a client who has come a place, even above the capacity. The consultant is removed if another
// appointment of the slot has this consultant now.
func (s *Service) holdArrived(ctx context.Context, tx pgx.Tx, after *Booking) error {
	held, consultants, err := s.store.held(ctx, tx, slotOf(after.Appointment), after.ID)
	if err != nil {
		return err
	}
	after.Place = places.LowestFree(held)
	for _, other := range consultants {
		if other == after.ConsultantID {
			after.ConsultantID, after.ConsultantName = "", ""
		}
	}
	return nil
}

// saving is how a change is stored: the kind of its event, whether it increments the sequence, whether the client is
// sent a message, and who has made it.
type saving struct {
	event    string
	numbered bool
	tell     bool
	by       string
}

// save stores a changed appointment as the next version, with its event.
func (s *Service) save(ctx context.Context, tx pgx.Tx, before Booking, after *Booking, at moment, how saving) error {
	after.Version++
	if how.numbered {
		after.Sequence++
	}
	switch {
	case appointment.Status(after.Status).Open():
		after.EndedAt = nil
	case after.Status != before.Status:
		after.EndedAt = (*wire.Time)(&at.Now)
	}
	if err := s.store.saveAppointment(ctx, tx, *after); err != nil {
		return err
	}
	return outbox.Append(ctx, tx, appointmentChanged(how, before.Appointment, after.Appointment))
}

// UndoAppointment takes back the caller's own last change of an appointment within appointment.UndoFor. An appointment
// that was booked is cancelled. It returns errUndoGone, and errSlotFull or errConsultantBooked if the place is taken.
func (s *Service) UndoAppointment(ctx context.Context, id string) (Booking, error) {
	caller, _ := identity.From(ctx)
	var after Booking
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		before, err := s.store.lockAppointment(ctx, tx, id)
		if err != nil {
			return err
		}
		at, err := s.store.moment(ctx, tx)
		if err != nil {
			return err
		}
		if !before.undoable(caller.ID, at.Now) {
			return errUndoGone
		}
		last := *before.Last
		after = before
		after.Last = nil
		if after.Status = last.Status; last.Action == appointment.Book {
			after.Status = string(appointment.Cancelled)
		} else {
			after.PreferredDate, after.PreferredTime, after.ConsultantID = last.Date, last.Time, last.ConsultantID
		}
		if after.ConsultantID != before.ConsultantID {
			if after.ConsultantName, err = s.store.consultantName(ctx, tx, after.ConsultantID); err != nil {
				return err
			}
		}
		if err := s.hold(ctx, tx, before, &after); err != nil {
			return err
		}
		return s.save(ctx, tx, before, &after, at, saving{
			event: contract.AppointmentUndone, numbered: appointment.RuleOf(last.Action).Numbered, by: caller.Role,
		})
	})
	return s.changed(ctx, after, true, err)
}

// undoable reports whether a user can undo the last change.
func (b Booking) undoable(user string, now time.Time) bool {
	return b.Last != nil && b.Last.By == user && !now.After(b.Last.At.Add(appointment.UndoFor))
}
