package directory

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/office"
	"baari.dev/services/platform/wire"
)

// The longest texts, in characters.
const (
	longestName           = 100
	longestMessage        = 1000
	longestSpecialization = 80
	mostSpecializations   = 20
	mostServed            = 100
)

// Messages for invalid fields: those of docs/spec-items.tsv where it has one.
var (
	nameMissing = fault.NewMessage(fault.CodeRequired, "Name is required")
	nameIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the name")
	descriptionLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the description to 500 characters").
			With("max", office.MaxServiceDescription)
	descriptionIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the description")
	minutesWrong = fault.NewMessage(fault.CodeInvalidNumber, "Please enter the minutes as a number from 1 to 480").
			With("min", 1).With("max", office.MaxServiceMinutes)
	activeWrong = fault.NewMessage(fault.CodeInvalidFlag, "Please say 1 for active or 0 for inactive")

	specializationMissing = fault.NewMessage(fault.CodeRequired, "Please enter at least one specialization")
	specializationMany    = fault.NewMessage(fault.CodeTooMany, "Please enter at most 20 specializations").
				With("max", mostSpecializations)
	specializationWrong = fault.NewMessage(fault.CodeInvalidText,
		"Please enter each specialization in 1 to 80 letters, digits and punctuation").
		With("min", 1).With("max", longestSpecialization)
	servesWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose the services from the list")
	servesMany  = fault.NewMessage(fault.CodeTooMany, "Please choose at most 100 services").With("max", mostServed)

	phoneMissing   = fault.NewMessage(fault.CodeRequired, "Phone number is required")
	phoneWrong     = fault.NewMessage(fault.CodeInvalidPhone, "Please enter a valid 10-digit phone number")
	emailMissing   = fault.NewMessage(fault.CodeRequired, "Email is required")
	emailWrong     = fault.NewMessage(fault.CodeInvalidEmail, "Please enter a valid email address")
	serviceMissing = fault.NewMessage(fault.CodeRequired, "Service is required")
	dateMissing    = fault.NewMessage(fault.CodeRequired, "Preferred date is required")
	dateWrong      = fault.NewMessage(fault.CodeInvalidDate, "Please enter a valid preferred date")
	datePast       = fault.NewMessage(fault.CodeDateInPast, "Preferred date cannot be in the past")
	timeMissing    = fault.NewMessage(fault.CodeRequired, "Preferred time is required")
	dateClosed     = fault.NewMessage(fault.CodeUnknownChoice,
		"The office is closed on this day. Please choose another day.")
	timeClosed = fault.NewMessage(fault.CodeUnknownChoice,
		"The office is closed at this time. Please choose another time.")
	timeWrong   = fault.NewMessage(fault.CodeUnknownChoice, "Please choose a time from the list")
	messageLong = fault.NewMessage(fault.CodeTooLong, "Please shorten the message to 1,000 characters").
			With("max", longestMessage)
	messageIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the message")

	statusWrong       = fault.NewMessage(fault.CodeUnknownChoice, "Please choose confirmed, declined or done")
	statusFilterWrong = fault.NewMessage(fault.CodeUnknownChoice, "Please choose pending, confirmed, declined or done")
	dateFilterWrong   = fault.NewMessage(fault.CodeInvalidDate, "Please enter the date as YYYY-MM-DD")
	pageWrong         = fault.NewMessage(fault.CodeInvalidNumber, "The page is a number from 1").With("min", 1)
	limitWrong        = fault.NewMessage(fault.CodeInvalidNumber, "The limit is a number from 1 to 100").
				With("min", 1).With("max", mostListed)
)

// nameLong is the message for a name of more than longest characters.
func nameLong(longest int) fault.Message {
	sentence := fmt.Sprintf("Please shorten the name to %d characters", longest)
	return fault.NewMessage(fault.CodeTooLong, sentence).With("max", longest)
}

func readName(field wire.Field[string], longest int, rejected *fault.Fields) string {
	text := wire.Clean(field.Value, false)
	switch {
	case !field.Present || field.Wrong || text.Empty && !text.Illegal:
		rejected.Reject("name", nameMissing)
	case text.Illegal:
		rejected.Reject("name", nameIllegal)
	case text.Length > longest:
		rejected.Reject("name", nameLong(longest))
	}
	return text.Value
}

// saveServiceRequest is a validated request to add a service, with ID "", or to change one.
type saveServiceRequest struct {
	ID   string
	Save SaveService
}

type saveServiceBody struct {
	Name        wire.Field[string] `json:"name"`
	Description wire.Field[string] `json:"description"`
	EstMinutes  wire.Field[int]    `json:"est_minutes"`
	IsActive    wire.Field[int]    `json:"is_active"`
}

func readSaveService(r *http.Request) (saveServiceRequest, error) {
	var body saveServiceBody
	if err := wire.Read(r, &body); err != nil {
		return saveServiceRequest{}, err
	}
	var rejected fault.Fields
	save := SaveService{
		Name:        readName(body.Name, office.MaxServiceName, &rejected),
		Description: readDescription(body.Description, &rejected),
		EstMinutes:  body.EstMinutes.Value,
		IsActive:    readActive(body.IsActive, &rejected),
	}
	if m := body.EstMinutes; !m.Present || m.Wrong || m.Value < 1 || m.Value > office.MaxServiceMinutes {
		rejected.Reject("est_minutes", minutesWrong)
	}
	return saveServiceRequest{ID: r.PathValue("id"), Save: save}, rejected.Err()
}

func readDescription(field wire.Field[string], rejected *fault.Fields) *string {
	if !field.Present {
		return nil
	}
	text := wire.Clean(field.Value, true)
	switch {
	case field.Wrong || text.Illegal:
		rejected.Reject("description", descriptionIllegal)
	case text.Length > office.MaxServiceDescription:
		rejected.Reject("description", descriptionLong)
	}
	return &text.Value
}

func readActive(field wire.Field[int], rejected *fault.Fields) *bool {
	if !field.Present {
		return nil
	}
	if field.Wrong || field.Value != 0 && field.Value != 1 {
		rejected.Reject("is_active", activeWrong)
	}
	active := field.Value == 1
	return &active
}

// specializeRequest is a validated request to set a consultant's skills.
type specializeRequest struct {
	ID     string
	Skills Skills
}

type specializeBody struct {
	Specialization wire.Field[[]string] `json:"specialization"`
	Serves         wire.Field[[]string] `json:"serves"`
}

func readSpecialize(r *http.Request) (specializeRequest, error) {
	var body specializeBody
	if err := wire.Read(r, &body); err != nil {
		return specializeRequest{}, err
	}
	var rejected fault.Fields
	req := specializeRequest{ID: r.PathValue("id"), Skills: Skills{
		Specialization: readSpecialization(body.Specialization, &rejected),
	}}
	if err := rejected.Err(); err != nil {
		return req, err
	}
	var err error
	req.Skills.Serves, err = readServes(body.Serves)
	return req, err
}

func readSpecialization(field wire.Field[[]string], rejected *fault.Fields) (specialization []string) {
	switch {
	case !field.Present || field.Wrong || len(field.Value) == 0:
		rejected.Reject("specialization", specializationMissing)
		return nil
	case len(field.Value) > mostSpecializations:
		rejected.Reject("specialization", specializationMany)
		return nil
	}
	for _, one := range field.Value {
		text := wire.Clean(one, false)
		if text.Empty || text.Illegal || text.Length > longestSpecialization {
			rejected.Reject("specialization", specializationWrong)
			return nil
		}
		specialization = append(specialization, text.Value)
	}
	return specialization
}

// readServes returns the ids of services in order, each once; nil when the field is absent. A text that is no id is
// errServiceUnknown, as an id of no service.
func readServes(field wire.Field[[]string]) ([]string, error) {
	switch {
	case !field.Present:
		return nil, nil
	case field.Wrong:
		return nil, fault.Field("serves", servesWrong)
	case len(field.Value) > mostServed:
		return nil, fault.Field("serves", servesMany)
	}
	serves := make([]string, 0, len(field.Value))
	for _, one := range field.Value {
		id, err := uuid.Parse(one)
		if err != nil {
			return nil, errServiceUnknown.Because(err)
		}
		serves = append(serves, id.String())
	}
	slices.Sort(serves)
	return slices.Compact(serves), nil
}

type appointmentBody struct {
	Name          wire.Field[string] `json:"name"`
	Phone         wire.Field[string] `json:"phone"`
	Email         wire.Field[string] `json:"email"`
	Service       wire.Field[string] `json:"service"`
	PreferredDate wire.Field[string] `json:"preferredDate"`
	PreferredTime wire.Field[string] `json:"preferredTime"`
	Message       wire.Field[string] `json:"message"`
}

// readAppointment reads a request from the public page. It returns fault.ErrNotFound if the office accepts none.
func (s *Service) readAppointment(r *http.Request) (contract.Appointment, error) {
	var body appointmentBody
	if !s.acceptsAppointments() {
		return contract.Appointment{}, fault.ErrNotFound
	}
	if err := wire.Read(r, &body); err != nil {
		return contract.Appointment{}, err
	}
	today, err := s.Today(r.Context())
	if err != nil {
		return contract.Appointment{}, err
	}
	return body.check(today, *s.office.Load())
}

func (b appointmentBody) check(today string, open office.Document) (contract.Appointment, error) {
	var rejected fault.Fields
	requested := contract.Appointment{
		Name:          readName(b.Name, longestName, &rejected),
		Phone:         b.readPhone(&rejected),
		Email:         b.readEmail(&rejected),
		Service:       b.readService(&rejected),
		PreferredDate: b.readDate(today, &rejected),
		PreferredTime: b.readTime(open.AppointmentSlots, &rejected),
		Message:       b.readMessage(&rejected),
	}
	if rejected.Err() == nil {
		rejectClosed(requested, open, &rejected)
	}
	return requested, rejected.Err()
}

// rejectClosed rejects a day or a time at which the office is closed.
func rejectClosed(requested contract.Appointment, open office.Document, rejected *fault.Fields) {
	day, _ := time.Parse(time.DateOnly, requested.PreferredDate) // readDate has checked it
	from, to, ok := open.Opening(day.Weekday())
	switch {
	case !ok:
		rejected.Reject("preferredDate", dateClosed)
	case requested.PreferredTime < from || requested.PreferredTime >= to:
		rejected.Reject("preferredTime", timeClosed)
	}
}

func (b appointmentBody) readPhone(rejected *fault.Fields) string {
	switch {
	case missing(b.Phone):
		rejected.Reject("phone", phoneMissing)
	case b.Phone.Wrong || !appointment.IsPhone(b.Phone.Value):
		rejected.Reject("phone", phoneWrong)
	}
	return b.Phone.Value
}

func (b appointmentBody) readEmail(rejected *fault.Fields) string {
	switch {
	case missing(b.Email):
		rejected.Reject("email", emailMissing)
	case b.Email.Wrong || !appointment.IsEmail(b.Email.Value):
		rejected.Reject("email", emailWrong)
	}
	return b.Email.Value
}

// readService only requires a text; the transaction checks that the service is offered.
func (b appointmentBody) readService(rejected *fault.Fields) string {
	text := wire.Clean(b.Service.Value, false)
	if missing(b.Service) || b.Service.Wrong || text.Empty || text.Illegal {
		rejected.Reject("service", serviceMissing)
	}
	return text.Value
}

func (b appointmentBody) readDate(today string, rejected *fault.Fields) string {
	switch {
	case missing(b.PreferredDate):
		rejected.Reject("preferredDate", dateMissing)
	case b.PreferredDate.Wrong || !appointment.IsDay(b.PreferredDate.Value):
		rejected.Reject("preferredDate", dateWrong)
	case b.PreferredDate.Value < today:
		rejected.Reject("preferredDate", datePast)
	}
	return b.PreferredDate.Value
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
	text := wire.Clean(b.Message.Value, true)
	switch {
	case b.Message.Wrong || text.Illegal:
		rejected.Reject("message", messageIllegal)
	case text.Length > longestMessage:
		rejected.Reject("message", messageLong)
	}
	return text.Value
}

// missing reports whether a field is absent or empty.
func missing(field wire.Field[string]) bool {
	return !field.Present || !field.Wrong && field.Value == ""
}

// listRequest is a validated request for a page of appointment requests.
type listRequest struct {
	Status      string // "" for all
	Date        string // the preferred day, "" for all
	Page, Limit int
}

// Bounds of a page of a list; furthestPage keeps page times limit from overflowing.
const (
	furthestPage = 1_000_000
	mostListed   = 100
)

func readList(r *http.Request) (listRequest, error) {
	var rejected fault.Fields
	query := r.URL.Query()
	req := listRequest{Status: query.Get("status"), Date: query.Get("date")}
	if req.Status != "" && !slices.Contains(appointment.Statuses, appointment.Status(req.Status)) {
		rejected.Reject("status", statusFilterWrong)
	}
	if req.Date != "" && !appointment.IsDay(req.Date) {
		rejected.Reject("date", dateFilterWrong)
	}
	req.Page = readNumber(query.Get("page"), 1, furthestPage, "page", pageWrong, &rejected)
	req.Limit = readNumber(query.Get("limit"), 20, mostListed, "limit", limitWrong, &rejected)
	return req, rejected.Err()
}

func readNumber(text string, otherwise, most int, field string, wrong fault.Message, rejected *fault.Fields) int {
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		rejected.Reject(field, wrong)
	}
	return number
}

// changeRequest is a validated request to set the status of an appointment request.
type changeRequest struct {
	ID string
	To appointment.Status
}

type changeBody struct {
	Status wire.Field[string] `json:"status"`
}

func readChange(r *http.Request) (changeRequest, error) {
	var body changeBody
	if err := wire.Read(r, &body); err != nil {
		return changeRequest{}, err
	}
	to := appointment.Status(body.Status.Value)
	if to == appointment.Pending || !slices.Contains(appointment.Statuses, to) {
		return changeRequest{}, fault.Field("status", statusWrong)
	}
	return changeRequest{ID: r.PathValue("id"), To: to}, nil
}

// recordID reports whether id has the form of an id of directory, a UUID.
func recordID(id string) bool {
	_, err := uuid.Parse(id)
	return err == nil
}

// userID reports whether id has the form of auth's user ids: letters and digits only.
func userID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return id != ""
}
