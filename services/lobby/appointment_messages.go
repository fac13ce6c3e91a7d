package lobby

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/mails"
	"baari.dev/services/lobby/message"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
)

// channelMail is the client's own address. The other channels are text messages of MESSAGES_FILE.
const channelMail = "mail"

const (
	undoWindow      = 31 * time.Second // staff can undo a change for 30 seconds
	reminderLate    = 30 * time.Minute
	messageLate     = 24 * time.Hour
	afterConfirming = 3 * time.Hour // no reminder is due for this long after the confirmation
	dayBeforeHour   = 17
	mailAgain       = time.Minute
	mostMailTries   = 5
)

// templateOf has the template of MESSAGES_FILE for each kind; declined appointments are told by mail alone.
var templateOf = map[mails.Kind]message.Kind{
	mails.Confirmed: message.AppointmentConfirmed, mails.Moved: message.AppointmentMoved,
	mails.Cancelled: message.AppointmentCancelled, mails.DayBefore: message.AppointmentReminder,
	mails.Soon: message.AppointmentReminder,
}

// bookedChannels returns the channels over which a message can be sent: mail to those with an address, text messages to
// those who agree.
func (s *Service) bookedChannels(kind mails.Kind, document officeCopy, mail, text bool) (channels []string) {
	if mail && s.options.Mailer != nil {
		channels = append(channels, channelMail)
	}
	template, has := templateOf[kind]
	if !has || !text || document.Messages != office.MessagesOn {
		return channels
	}
	for name := range s.options.Messages.Senders {
		if name != channelMail && s.options.Messages.Has(name, template) {
			channels = append(channels, name)
		}
	}
	return channels
}

// tellOf returns the kind of the message about a change, and when it is due; "" if the client is sent none.
func tellOf(event outbox.Event, a contract.Appointment) (kind mails.Kind, due time.Time) {
	due = time.Time(event.Time)
	visitor := event.Actor != nil && event.Actor.Role == roleVisitor
	if !visitor {
		due = due.Add(undoWindow)
	}
	if !a.Tell && !visitor {
		return "", due
	}
	switch event.Type {
	case contract.AppointmentBooked, contract.AppointmentConfirmed:
		return mails.Confirmed, due
	case contract.AppointmentMoved:
		if a.Status == contract.AppointmentStatusConfirmed {
			return mails.Moved, due
		}
	case contract.AppointmentCancelled:
		return mails.Cancelled, due
	case contract.AppointmentDeclined:
		return mails.Declined, due
	}
	return "", due
}

// queueChange drops the messages that wait for an appointment, and queues the one about the change. If the confirmation
// has not been sent yet, it is sent instead of the message about a move, and after an undo of the move.
func (s *Service) queueChange(
	ctx context.Context, tx pgx.Tx, event outbox.Event, a contract.Appointment, stored appointment,
) error {
	if event.Type == contract.AppointmentRequested || event.Type == contract.AppointmentUpdated {
		return nil
	}
	owed, err := s.store.dropBooked(ctx, tx, stored.ID)
	if err != nil {
		return err
	}
	kind, due := tellOf(event, a)
	moved := event.Type == contract.AppointmentMoved || event.Type == contract.AppointmentUndone
	if owed && moved && a.Status == contract.AppointmentStatusConfirmed {
		kind = mails.Confirmed
	}
	now, err := s.store.now(ctx, tx)
	if err != nil || kind == "" || now.Sub(due) > messageLate {
		return err
	}
	document, err := s.store.officeIn(ctx, tx)
	if err != nil {
		return err
	}
	channels := s.bookedChannels(kind, document, stored.Email != nil, stored.Phone != nil && stored.Messages)
	for _, channel := range channels {
		m := bookedMessage{stored.ID, channel, kind, stored.Sequence, stored.SlotAt, due}
		if err := s.store.queueBooked(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// reminder is a reminder of an appointment, with the time at which it is due.
type reminder struct {
	kind mails.Kind
	due  time.Time
}

// remindersOf returns the reminders of a slot that are due at now, and not yet late. A client whose appointment was
// confirmed within the three hours before is not reminded.
func remindersOf(rules office.Appointments, slot time.Time, confirmed *time.Time, now time.Time) (all []reminder) {
	if rules.RemindDayBefore {
		at := time.Date(slot.Year(), slot.Month(), slot.Day()-1, dayBeforeHour, 0, 0, 0, slot.Location())
		all = append(all, reminder{mails.DayBefore, at})
	}
	if minutes := rules.RemindMinutesBefore; minutes > 0 {
		all = append(all, reminder{mails.Soon, slot.Add(-time.Duration(minutes) * time.Minute)})
	}
	return slices.DeleteFunc(all, func(r reminder) bool {
		return now.Before(r.due) || now.Sub(r.due) > reminderLate ||
			confirmed != nil && r.due.Sub(*confirmed) < afterConfirming
	})
}

// queueReminders queues the reminders that are due.
func (s *Service) queueReminders(ctx context.Context, now time.Time) error {
	waiting, err := s.store.toRemind(ctx, now)
	if err != nil || len(waiting) == 0 {
		return err
	}
	document, err := s.store.office(ctx)
	if err != nil {
		return err
	}
	for _, one := range waiting {
		slot := one.Slot.In(s.options.Zone)
		for _, r := range remindersOf(document.rules(), slot, one.ConfirmedAt, now) {
			err := pgx.BeginFunc(ctx, s.store.pool, func(tx pgx.Tx) error {
				for _, channel := range s.bookedChannels(r.kind, document, one.Mail, one.Text) {
					m := bookedMessage{one.ID, channel, r.kind, one.Sequence, one.Slot, r.due}
					if err := s.store.queueBooked(ctx, tx, m); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// tellBooked sends the messages about appointments that are due. Text messages wait for the hours of messages.
func (s *Service) tellBooked(ctx context.Context, now time.Time) error {
	lost, err := s.store.closeLostBooked(ctx, now.Add(-sentWithin))
	if err != nil {
		return err
	}
	for _, one := range lost {
		s.metrics.toldBooked(one, deliveryUnknown)
	}
	document, err := s.store.office(ctx)
	if err != nil {
		return err
	}
	open := s.channelsAt(now, document)
	paused := s.deliverer.pausedAt(now)
	for name := range s.options.Messages.Senders {
		if name != channelMail && !slices.Contains(open, name) {
			paused = append(paused, name)
		}
	}
	for {
		some, err := s.store.takeBooked(ctx, now, paused)
		if err != nil || len(some) == 0 {
			return err
		}
		var group sync.WaitGroup
		errs := make([]error, len(some))
		for i, one := range some {
			group.Go(func() { errs[i] = s.tellOne(ctx, one, now) })
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
}

// reasonBooked returns why a message about an appointment must not be sent any more, "" if it may be sent.
func reasonBooked(one dueBooked, b booked, now time.Time) string {
	status, late := contract.AppointmentStatusConfirmed, messageLate
	switch one.Kind {
	case mails.Cancelled:
		status = contract.AppointmentStatusCancelled
	case mails.Declined:
		status = contract.AppointmentStatusDeclined
	case mails.DayBefore, mails.Soon:
		late = reminderLate
	case mails.Confirmed, mails.Moved:
	}
	switch {
	case now.Sub(one.Due) > late:
		return errorLate
	case !b.known || b.Erased || b.Status != status || b.Sequence != one.Sequence || !b.SlotAt.After(now):
		return errorOver
	case one.Channel == channelMail && b.Email == nil, one.Kind.Reminds() && b.quiet,
		one.Channel != channelMail && (b.Phone == nil || !b.Messages):
		return errorWithdrawn
	}
	return ""
}

func (s *Service) tellOne(ctx context.Context, one dueBooked, now time.Time) error {
	b, err := s.store.bookedByID(ctx, one.AppointmentID)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if why := reasonBooked(one, b, now); why != "" {
		return s.finishBooked(ctx, one, outcome{state: deliveryDropped, why: why})
	}
	sent := outcome{state: deliverySent}
	if one.Channel == channelMail {
		err = s.mailBooked(ctx, one, b)
	} else {
		sent.id, sent.cost, err = s.textBooked(ctx, one, b)
		s.deliverer.noteResult(one.Channel, one.ID, err != nil && !errors.Is(err, message.ErrNoTemplate), now)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a message about an appointment was not taken", "channel", one.Channel, "kind", one.Kind,
			"cause", err)
	}
	switch {
	case err == nil:
		return s.finishBooked(ctx, one, sent)
	case errors.Is(err, message.ErrNoTemplate):
		return s.finishBooked(ctx, one, outcome{state: deliveryDropped, why: errorTemplate})
	case errors.Is(err, message.ErrUnknown):
		return s.finishBooked(ctx, one, outcome{state: deliveryUnknown})
	case errors.Is(err, message.ErrRefused), one.Tries >= mostMailTries:
		return s.finishBooked(ctx, one, outcome{state: deliveryFailed, why: errorRefused})
	}
	return s.store.againBooked(ctx, one.ID, time.Duration(one.Tries)*mailAgain)
}

// mailBooked sends a mail. After message.ErrUnknown the server may have taken it. The error does not have the text of
// the server's response, which may contain the address.
func (s *Service) mailBooked(ctx context.Context, one dueBooked, b booked) error {
	to, err := s.store.box.Open(b.ID, b.Email)
	if err != nil {
		return errors.Join(message.ErrRefused, err)
	}
	language := b.office.chosen(b.Language)
	err = s.options.Mailer.Send(ctx, s.messageOf(b, language, b.generation).Mail(one.Kind, string(to)))
	switch {
	case errors.Is(err, mail.ErrRefused):
		return message.ErrRefused
	case errors.Is(err, mail.ErrLater):
		return mail.ErrLater
	case err != nil:
		return message.ErrUnknown
	}
	return nil
}

func (s *Service) textBooked(ctx context.Context, one dueBooked, b booked) (message.ID, message.Cost, error) {
	sender := s.options.Messages.Senders[one.Channel]
	if sender == nil {
		return "", 0, message.ErrNoTemplate // the channel was removed from MESSAGES_FILE after the message was queued
	}
	phone, err := s.store.box.Open(b.ID, b.Phone)
	if err != nil {
		return "", 0, errors.Join(message.ErrRefused, err)
	}
	language := b.office.chosen(b.Language)
	about := s.messageOf(b, language, b.generation)
	m := message.Message{
		To: string(phone), Kind: templateOf[one.Kind], Language: language, Values: about.Values(), Link: about.Link,
	}
	id, err := sender.Send(ctx, m)
	return id, s.options.Messages.Cost(one.Channel, m), err
}

// finishBooked records the result of a message, and the cost of a text message that was sent.
func (s *Service) finishBooked(ctx context.Context, one dueBooked, end outcome) error {
	s.metrics.toldBooked(one, end.state)
	return pgx.BeginFunc(ctx, s.store.pool, func(tx pgx.Tx) error {
		if end.state == deliverySent && one.Channel != channelMail {
			if err := s.store.addCost(ctx, tx, one.Channel, end.cost); err != nil {
				return err
			}
		}
		return s.store.finishBooked(ctx, tx, one.ID, end)
	})
}

// messageOf returns what messages and calendar entries say about an appointment, in a language.
func (s *Service) messageOf(b booked, language string, generation int) mails.Appointment {
	host := s.options.Base
	if address, err := url.Parse(s.options.Base); err == nil && address.Host != "" {
		host = address.Hostname()
	}
	return mails.Appointment{
		ID: b.ID, Language: language, Sequence: b.Sequence, Changed: b.ChangedAt, At: b.SlotAt.In(s.options.Zone),
		Minutes: b.minutes, Service: b.service.in(language, b.ServiceName), Papers: b.papersIn(language),
		Cancelled: b.ended(), Office: b.office.Brand, Phone: b.office.Phone, Email: b.office.Email,
		Address: b.office.Address, MapsQuery: b.office.MapsQuery, Host: host,
		Link: strings.TrimSuffix(s.options.Base, "/") + "/q/a/" + link.AppointmentCode(s.options.Key, b.ID, generation),
	}
}
