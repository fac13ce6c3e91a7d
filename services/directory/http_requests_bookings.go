package directory

import (
	"context"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/wire"
)

// This file reads the requests of staff about appointments, and the requests for slots.

var (
	statusWrong = fault.NewMessage(fault.CodeUnknownChoice,
		"Please choose confirmed, declined, cancelled, no-show or done")
	statusFilterWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a status of appointments")
	needsWrong        = fault.NewMessage(fault.CodeUnknownChoice, "Please choose time or answer")
	actionWrong       = fault.NewMessage(fault.CodeUnknownChoice, "Please choose move or cancel")
	versionMissing    = fault.NewMessage(fault.CodeRequired, "Please send the version")
	dateFilterWrong   = fault.NewMessage(fault.CodeInvalidDate, "Please enter the date as YYYY-MM-DD")
	detailsMissing    = fault.NewMessage(fault.CodeRequired, "Please change at least one field")
	consultantWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a consultant from the list")
	pageWrong         = fault.NewMessage(fault.CodeInvalidNumber, "The page is a number from 1").With("min", 1)
	limitWrong        = fault.NewMessage(fault.CodeInvalidNumber, "The limit is a number from 1 to 100").
				With("min", 1).With("max", mostListed)
	daysWrong = fault.NewMessage(fault.CodeInvalidNumber, "The days are a number from 1 to 62").
			With("min", 1).With("max", mostDays)
)

// listRequest is a validated request for a page of the list of appointments.
type listRequest struct {
	Status      string // "" for all
	Date        string // the day, "" for all
	Text        string // a part of the name or of the phone number
	Needs       string // needsTime, needsAnswer or ""
	Page, Limit int
}

// The values of listRequest.Needs.
const (
	needsTime   = "time"   // open ones whose time is no slot of an open office any more
	needsAnswer = "answer" // pending ones whose time has passed
)

// Bounds of a page of a list; furthestPage keeps the product of page and limit from overflowing.
const (
	furthestPage = 1_000_000
	mostListed   = 100
	mostDays     = 62
	usualDays    = 14
)

func readList(r *http.Request) (listRequest, error) {
	var rejected fault.Fields
	query := r.URL.Query()
	text := wire.Clean(query.Get("q"), false)
	req := listRequest{
		Status: query.Get("status"), Date: query.Get("date"), Text: text.Value, Needs: query.Get("needs"),
	}
	if req.Status != "" && !slices.Contains(appointment.Statuses, appointment.Status(req.Status)) {
		rejected.Reject("status", statusFilterWrong)
	}
	if req.Date != "" && !appointment.IsDay(req.Date) {
		rejected.Reject("date", dateFilterWrong)
	}
	if text.Illegal {
		rejected.Reject("q", fault.NameIllegal)
	}
	if !slices.Contains([]string{"", needsTime, needsAnswer}, req.Needs) {
		rejected.Reject("needs", needsWrong)
	}
	req.Page = wire.Number(query, "page", 1, furthestPage, pageWrong, &rejected)
	req.Limit = wire.Number(query, "limit", 20, mostListed, limitWrong, &rejected)
	return req, rejected.Err()
}

// readSlots reads a request for slots. It returns fault.ErrNotFound if the office accepts no requests.
func (s *Service) readSlots(r *http.Request) (slotsRequest, error) {
	if !s.acceptsAppointments() {
		return slotsRequest{}, fault.ErrNotFound
	}
	return readSlotsOf(r)
}

func readSlotsOf(r *http.Request) (slotsRequest, error) {
	var rejected fault.Fields
	query := r.URL.Query()
	req := slotsRequest{From: query.Get("from"), ConsultantID: query.Get("consultant_id")}
	if req.From != "" && !appointment.IsDay(req.From) {
		rejected.Reject("from", dateFilterWrong)
	}
	if req.ConsultantID != "" && !userID(req.ConsultantID) {
		rejected.Reject("consultant_id", consultantWrong)
	}
	req.Days = wire.Number(query, "days", usualDays, mostDays, daysWrong, &rejected)
	return req, rejected.Err()
}

func readDay(r *http.Request) (date string, err error) {
	if date = r.URL.Query().Get("date"); date != "" && !appointment.IsDay(date) {
		err = fault.Field("date", dateFilterWrong)
	}
	return date, err
}

// roleOf returns the role of the signed-in caller.
func roleOf(r *http.Request) string {
	caller, _ := identity.From(r.Context())
	return caller.Role
}

type changeBody struct {
	Status  wire.Field[string] `json:"status"`
	Tell    wire.Field[bool]   `json:"tell"`
	Version wire.Field[int64]  `json:"version"`
}

func readChange(r *http.Request) (Change, error) {
	var body changeBody
	if err := wire.Read(r, &body); err != nil {
		return Change{}, err
	}
	var rejected fault.Fields
	to := appointment.Status(body.Status.Value)
	if !to.Chosen() {
		rejected.Reject("status", statusWrong)
	}
	change := Change{ID: r.PathValue("id"), Action: appointment.Setting(to), By: roleOf(r)}
	change.Tell = readFlag("tell", body.Tell, true, &rejected)
	change.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	return change, rejected.Err()
}

type moveSlotBody struct {
	Date         wire.Field[string] `json:"date"`
	Time         wire.Field[string] `json:"time"`
	ConsultantID wire.Field[string] `json:"consultant_id"`
	Tell         wire.Field[bool]   `json:"tell"`
	Version      wire.Field[int64]  `json:"version"`
}

func (s *Service) readMove(r *http.Request) (Change, error) {
	var body moveSlotBody
	if err := wire.Read(r, &body); err != nil {
		return Change{}, err
	}
	var rejected fault.Fields
	at := readSlot(body.Date, body.Time, &rejected)
	change := Change{ID: r.PathValue("id"), Action: appointment.Move, By: roleOf(r), To: &at}
	if body.ConsultantID.Present {
		change.Consultant = new(readConsultant(body.ConsultantID, &rejected))
	}
	change.Tell = readFlag("tell", body.Tell, true, &rejected)
	change.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	return change, rejected.Err()
}

// readSlot reads the forms of a day and a time. Whether the office has the slot is checked with the appointment.
func readSlot(date, at wire.Field[string], rejected *fault.Fields) slot {
	switch {
	case missing(date):
		rejected.Reject("date", dateMissing)
	case date.Wrong || !appointment.IsDay(date.Value):
		rejected.Reject("date", dateWrong)
	}
	switch {
	case missing(at):
		rejected.Reject("time", timeMissing)
	case at.Wrong || !appointment.IsTime(at.Value):
		rejected.Reject("time", timeWrong)
	}
	return slot{date.Value, at.Value}
}

func readConsultant(field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || field.Value != "" && !userID(field.Value) {
		rejected.Reject("consultant_id", consultantWrong)
	}
	return field.Value
}

type bookBody struct {
	Name         wire.Field[string] `json:"name"`
	Phone        wire.Field[string] `json:"phone"`
	Email        wire.Field[string] `json:"email"`
	ServiceID    wire.Field[string] `json:"service_id"`
	Date         wire.Field[string] `json:"date"`
	Time         wire.Field[string] `json:"time"`
	ConsultantID wire.Field[string] `json:"consultant_id"`
	Message      wire.Field[string] `json:"message"`
	Language     wire.Field[string] `json:"language"`
	Messages     wire.Field[bool]   `json:"messages"`
	Tell         wire.Field[bool]   `json:"tell"`
}

// person returns the fields that the public form has as well.
func (b bookBody) person() appointmentBody {
	return appointmentBody{Name: b.Name, Phone: b.Phone, Email: b.Email, Message: b.Message}
}

func (s *Service) readBooking(r *http.Request) (Wanted, error) {
	var body bookBody
	key, err := idempotency.FromHeader(r.Header)
	if err != nil {
		return Wanted{}, err
	}
	if err := wire.Read(r, &body); err != nil {
		return Wanted{}, err
	}
	var rejected fault.Fields
	person := body.person()
	at := readSlot(body.Date, body.Time, &rejected)
	wanted := Wanted{Key: key, Appointment: contract.Appointment{
		Name: person.readName(&rejected), Phone: person.readPhone(&rejected), Email: readOwnEmail(person, &rejected),
		ServiceID: readServiceID(body.ServiceID, &rejected), PreferredDate: at.Date, PreferredTime: at.Time,
		ConsultantID: readConsultant(body.ConsultantID, &rejected), Message: person.readMessage(&rejected),
		Language: readClientLanguage(body.Language, s.office.Load().Languages, &rejected),
		Messages: readFlag("messages", body.Messages, false, &rejected),
		Tell:     readFlag("tell", body.Tell, true, &rejected),
	}}
	return wanted, rejected.Err()
}

// readOwnEmail reads an e-mail address that can be left out: a client at the desk needs none.
func readOwnEmail(b appointmentBody, rejected *fault.Fields) string {
	if !b.Email.Wrong && wire.Trim(b.Email.Value) == "" {
		return ""
	}
	return b.readEmail(rejected)
}

func readServiceID(field wire.Field[string], rejected *fault.Fields) string {
	if field.Wrong || !recordID(field.Value) {
		rejected.Reject("service_id", serviceMissing)
	}
	return field.Value
}

type detailsBody struct {
	bookBody
	Version wire.Field[int64] `json:"version"`
}

// readDetails reads new details of an appointment. A field that is left out keeps its value.
func (s *Service) readDetails(r *http.Request) (Change, error) {
	var body detailsBody
	if err := wire.Read(r, &body); err != nil {
		return Change{}, err
	}
	var rejected fault.Fields
	person := body.person()
	var edits []func(*contract.Appointment)
	edit := func(field wire.Field[string], read func() string, set func(*contract.Appointment, string)) {
		if field.Present {
			value := read()
			edits = append(edits, func(a *contract.Appointment) { set(a, value) })
		}
	}
	edit(body.Name, func() string { return person.readName(&rejected) },
		func(a *contract.Appointment, name string) { a.Name = name })
	edit(body.Phone, func() string { return person.readPhone(&rejected) },
		func(a *contract.Appointment, phone string) { a.Phone = phone })
	edit(body.Email, func() string { return readOwnEmail(person, &rejected) },
		func(a *contract.Appointment, email string) { a.Email = email })
	edit(body.Message, func() string { return person.readMessage(&rejected) },
		func(a *contract.Appointment, message string) { a.Message = message })
	edit(body.Language, func() string { return readClientLanguage(body.Language, s.office.Load().Languages, &rejected) },
		func(a *contract.Appointment, language string) { a.Language = language })
	edit(body.ServiceID, func() string { return readServiceID(body.ServiceID, &rejected) },
		func(a *contract.Appointment, id string) { a.ServiceID = id })
	if body.Messages.Present {
		agreed := readFlag("messages", body.Messages, false, &rejected)
		edits = append(edits, func(a *contract.Appointment) { a.Messages = agreed })
	}
	if len(edits) == 0 && rejected.Err() == nil {
		rejected.Reject("name", detailsMissing)
	}
	change := Change{ID: r.PathValue("id"), Action: appointment.Update, By: roleOf(r), Edit: s.editing(edits)}
	change.Version = wire.Version(body.Version, r.Header.Get("If-Match"), &rejected)
	return change, rejected.Err()
}

// editing returns the edit of an appointment's details. A service that is not offered is errServiceUnknown, unless the
// appointment has it already.
func (s *Service) editing(edits []func(*contract.Appointment)) func(context.Context, pgx.Tx, *Booking) error {
	return func(ctx context.Context, tx pgx.Tx, b *Booking) (err error) {
		service := b.ServiceID
		for _, edit := range edits {
			edit(&b.Appointment)
		}
		if b.ServiceID != service {
			b.ServiceID, b.Service, err = s.store.offered(ctx, tx, b.ServiceID, "")
		}
		return err
	}
}

type visitorBody struct {
	Action  wire.Field[string] `json:"action"`
	Date    wire.Field[string] `json:"date"`
	Time    wire.Field[string] `json:"time"`
	Version wire.Field[int64]  `json:"version"`
}

// readVisitor reads what the holder of an appointment's link wants to change.
func readVisitor(r *http.Request) (Change, error) {
	var body visitorBody
	if err := wire.Read(r, &body); err != nil {
		return Change{}, err
	}
	var rejected fault.Fields
	change := Change{
		ID: r.PathValue("id"), Action: appointment.Action(body.Action.Value), By: appointment.Visitor, Tell: true,
	}
	switch change.Action {
	case appointment.Move:
		change.To = new(readSlot(body.Date, body.Time, &rejected))
	case appointment.Cancel:
	default:
		rejected.Reject("action", actionWrong)
	}
	if change.Version = wire.Version(body.Version, "", &rejected); change.Version == nil {
		rejected.Reject("version", versionMissing)
	}
	return change, rejected.Err()
}
