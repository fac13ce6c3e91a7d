package directory

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
)

// Messages for invalid fields of appointment requests. Where docs/spec-items.tsv has a message, it is used.
var (
	phoneMissing   = fault.NewMessage(fault.CodeRequired, "Phone number is required")
	emailMissing   = fault.NewMessage(fault.CodeRequired, "Email is required")
	emailWrong     = fault.NewMessage(fault.CodeInvalidEmail, "Please enter a valid email address")
	serviceMissing = fault.NewMessage(fault.CodeRequired, "Service is required")
	dateMissing    = fault.NewMessage(fault.CodeRequired, "Preferred date is required")
	dateWrong      = fault.NewMessage(fault.CodeInvalidDate, "Please enter a valid preferred date")
	datePast       = fault.NewMessage(fault.CodeDateInPast, "Preferred date cannot be in the past")
	dateTooFar     = fault.NewMessage(fault.CodeDateTooFar, "Appointments can be requested until {day}.")
	timeMissing    = fault.NewMessage(fault.CodeRequired, "Preferred time is required")
	dateClosed     = fault.NewMessage(fault.CodeUnknownChoice,
		"The office is closed on this day. Please choose another day.")
	timeClosed = fault.NewMessage(fault.CodeUnknownChoice,
		"The office is closed at this time. Please choose another time.")
	timePast    = fault.NewMessage(fault.CodeTimeInPast, "This time has passed. Please choose a later one.")
	timeSoon    = fault.NewMessage(fault.CodeTimeInPast, "Please choose a later time.")
	timeWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a time from the list")
	messageLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the message to 1,000 characters").
			With("max", longestMessage)
	messageIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the message")

	languageWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a language from the list")
	flagWrong     = fault.NewMessage(fault.CodeInvalidFlag, "Please say true or false")
)

type appointmentBody struct {
	Name          wire.Field[string] `json:"name"`
	Phone         wire.Field[string] `json:"phone"`
	Email         wire.Field[string] `json:"email"`
	Service       wire.Field[string] `json:"service"`
	PreferredDate wire.Field[string] `json:"preferredDate"`
	PreferredTime wire.Field[string] `json:"preferredTime"`
	Message       wire.Field[string] `json:"message"`
	Language      wire.Field[string] `json:"language"`
	Messages      wire.Field[bool]   `json:"messages"`
}

// readAppointment reads an appointment request. It returns fault.ErrNotFound if the office accepts no requests.
func (s *Service) readAppointment(r *http.Request) (Wanted, error) {
	var body appointmentBody
	if !s.acceptsAppointments() {
		return Wanted{}, fault.ErrNotFound
	}
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return Wanted{}, err
	}
	if err := wire.Read(r, &body); err != nil {
		return Wanted{}, err
	}
	now, err := s.store.officeTime(r.Context())
	if err != nil {
		return Wanted{}, err
	}
	requested, err := body.check(now, s.office.Load().Document)
	return Wanted{requested, key}, err
}

// check returns the appointment request, or the faults of its fields. now is the current time at the office.
func (b appointmentBody) check(now time.Time, open office.Document) (contract.Appointment, error) {
	var rejected fault.Fields
	requested := contract.Appointment{
		Name:          b.readName(&rejected),
		Phone:         b.readPhone(&rejected),
		Email:         b.readEmail(&rejected),
		Service:       b.readService(&rejected),
		PreferredDate: b.readDate(now, open.Appointments.DaysAhead, &rejected),
		PreferredTime: b.readTime(open.AppointmentSlots, &rejected),
		Message:       b.readMessage(&rejected),
		Language:      readClientLanguage(b.Language, open.Languages, &rejected),
		Messages:      readFlag("messages", b.Messages, false, &rejected),
	}
	if rejected.Err() == nil {
		rejectClosed(requested, open, &rejected)
		rejectPast(requested, now, open.Appointments.LeadMinutes, &rejected)
	}
	return requested, rejected.Err()
}

// rejectPast rejects a time that has passed, or that is at most lead minutes ahead.
func rejectPast(requested contract.Appointment, now time.Time, lead int, rejected *fault.Fields) {
	const minute = time.DateOnly + " 15:04"
	at := requested.PreferredDate + " " + requested.PreferredTime
	switch {
	case at <= now.Format(minute):
		rejected.Reject("preferredTime", timePast)
	case at <= now.Add(time.Duration(lead)*time.Minute).Format(minute):
		rejected.Reject("preferredTime", timeSoon)
	}
}

func rejectClosed(requested contract.Appointment, open office.Document, rejected *fault.Fields) {
	day, _ := time.Parse(time.DateOnly, requested.PreferredDate) // readDate has checked it
	spans := open.On(day)
	switch {
	case len(spans) == 0:
		rejected.Reject("preferredDate", dateClosed)
	case !office.IsOpenAt(spans, requested.PreferredTime):
		rejected.Reject("preferredTime", timeClosed)
	}
}

// readName reads the visitor's name. It rejects addresses and links, because the name is mailed to the office.
func (b appointmentBody) readName(rejected *fault.Fields) string {
	name := readName(b.Name, longestName, rejected)
	if wire.HasAddress(name) {
		rejected.Reject("name", fault.NameIllegal)
	}
	return name
}

func (b appointmentBody) readPhone(rejected *fault.Fields) string {
	switch {
	case missing(b.Phone):
		rejected.Reject("phone", phoneMissing)
	case b.Phone.Wrong || !wire.IsPhone(b.Phone.Value):
		rejected.Reject("phone", wire.PhoneWrong)
	}
	return b.Phone.Value
}

func (b appointmentBody) readEmail(rejected *fault.Fields) string {
	address := wire.Trim(b.Email.Value)
	switch {
	case missing(b.Email):
		rejected.Reject("email", emailMissing)
	case b.Email.Wrong || !appointment.IsEmail(address):
		rejected.Reject("email", emailWrong)
	}
	return address
}

// readService rejects an empty text and illegal characters. The transaction checks that the office offers the service.
func (b appointmentBody) readService(rejected *fault.Fields) string {
	text := wire.Clean(b.Service.Value, false)
	if missing(b.Service) || b.Service.Wrong || text.Empty || text.Illegal {
		rejected.Reject("service", serviceMissing)
	}
	return text.Value
}

func (b appointmentBody) readDate(now time.Time, daysAhead int, rejected *fault.Fields) string {
	last := now.AddDate(0, 0, daysAhead)
	switch {
	case missing(b.PreferredDate):
		rejected.Reject("preferredDate", dateMissing)
	case b.PreferredDate.Wrong || !appointment.IsDay(b.PreferredDate.Value):
		rejected.Reject("preferredDate", dateWrong)
	case b.PreferredDate.Value < now.Format(time.DateOnly):
		rejected.Reject("preferredDate", datePast)
	case b.PreferredDate.Value > last.Format(time.DateOnly):
		rejected.Reject("preferredDate", dateTooFarOf(last))
	}
	return b.PreferredDate.Value
}

// dateTooFarOf returns the message with the last day that the office offers.
func dateTooFarOf(last time.Time) fault.Message {
	message := dateTooFar.With("day", last.Format(time.DateOnly))
	message.Sentence = strings.ReplaceAll(message.Sentence, "{day}", last.Format("2 January 2006"))
	return message
}

// readClientLanguage reads one of the office's languages, or "" for none.
func readClientLanguage(field wire.Field[string], offered []string, rejected *fault.Fields) string {
	if field.Wrong || field.Value != "" && !slices.Contains(offered, field.Value) {
		rejected.Reject("language", languageWrong)
	}
	return field.Value
}

// readFlag reads true or false; otherwise is the value of a missing field.
func readFlag(name string, field wire.Field[bool], otherwise bool, rejected *fault.Fields) bool {
	if field.Wrong {
		rejected.Reject(name, flagWrong)
	}
	if !field.Present {
		return otherwise
	}
	return field.Value
}

func (b appointmentBody) readTime(slots []string, rejected *fault.Fields) string {
	switch {
	case missing(b.PreferredTime):
		rejected.Reject("preferredTime", timeMissing)
	case b.PreferredTime.Wrong || !slices.Contains(slots, b.PreferredTime.Value):
		rejected.Reject("preferredTime", timeWrong)
	}
	return b.PreferredTime.Value
}

func (b appointmentBody) readMessage(rejected *fault.Fields) string {
	return wire.TextRule{
		Field: "message", Most: longestMessage, Multiline: true, Illegal: messageIllegal, Long: messageLong,
	}.Read(b.Message, rejected)
}
