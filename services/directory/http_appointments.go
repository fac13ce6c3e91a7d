package directory

import (
	"context"
	"net/http"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/directory/appointment"
	"baari.dev/services/directory/places"
	"baari.dev/services/office"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// The rates of appointment requests, from one client address, of one phone number and of all, and that of reads of
// slots (services/docs/limits.md).
var (
	perAddress = limit.Rule{Name: "appointments", By: limit.PerAddress, Count: 5, Period: time.Hour, Burst: 5}
	perPhone   = limit.Rule{Name: "appointments-phone", By: limit.PerUser, Count: 5, Period: time.Hour, Burst: 5}
	perOffice  = limit.Rule{Name: "appointments-office", By: limit.PerUser, Count: 60, Period: time.Hour, Burst: 60}
	slotReads  = limit.Rule{Name: "slots", By: limit.PerAddress, Count: 60, Period: time.Minute, Burst: 60}
)

// appointmentRoutes returns the public routes of appointments.
func (s *Service) appointmentRoutes() []endpoint.Route {
	desk := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleAdmin)
	days := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin).
		Owned("self")
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/appointments/slots", Access: endpoint.Public(), Limit: slotReads,
			Handler: endpoint.JSON(s.readSlots, s.listSlots)},
		{Method: http.MethodPost, Pattern: "/api/appointments", Access: endpoint.Public(), Limit: perAddress,
			Handler: endpoint.JSON(s.readAppointment, s.requestAppointment)},
		{Method: http.MethodPost, Pattern: "/api/appointments/book", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(s.readBooking, s.bookAppointment)},
		{Method: http.MethodGet, Pattern: "/api/appointments/day", Access: days, Limit: limit.Product,
			Handler: endpoint.JSON(readDay, s.readAppointmentDay)},
		{Method: http.MethodGet, Pattern: "/api/appointments", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readList, s.listAppointments)},
		{Method: http.MethodPut, Pattern: "/api/appointments/{id}", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readChange, s.changeAppointment)},
		{Method: http.MethodPut, Pattern: "/api/appointments/{id}/details", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(s.readDetails, s.changeAppointment)},
		{Method: http.MethodPost, Pattern: "/api/appointments/{id}/move", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(s.readMove, s.changeAppointment)},
		{Method: http.MethodPost, Pattern: "/api/appointments/{id}/undo", Access: desk, Limit: limit.Product,
			Handler: endpoint.JSON(readID, s.undoAppointment)},
	}
}

// internalAppointmentRoutes returns the routes for visits, which checks an appointment, and for lobby, which serves the
// page of an appointment.
func (s *Service) internalAppointmentRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/internal/appointments/{id}",
			Access:  endpoint.Service(contract.SourceVisits, contract.SourceLobby),
			Handler: endpoint.JSON(readID, s.oneAppointment)},
		{Method: http.MethodGet, Pattern: "/internal/slots", Access: endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readSlotsOf, s.listSlots)},
		{Method: http.MethodPost, Pattern: "/internal/appointments/{id}/visitor",
			Access:  endpoint.Service(contract.SourceLobby),
			Handler: endpoint.JSON(readVisitor, s.changeByVisitor)},
	}
}

func (s *Service) requestAppointment(ctx context.Context, req Wanted) (createdAppointment, error) {
	added, err := s.RequestAppointment(ctx, req)
	return createdAppointment{appointmentOf(added.Appointment), added.Replayed}, err
}

func (s *Service) bookAppointment(ctx context.Context, req Wanted) (bookedAnswer, error) {
	added, err := s.Book(ctx, req)
	if err != nil {
		return bookedAnswer{}, err
	}
	answer, err := s.answerOf(ctx, added.Booking)
	return bookedAnswer{answer, added.Replayed}, err
}

func (s *Service) listSlots(ctx context.Context, req slotsRequest) (slotsAnswer, error) {
	days, next, err := s.Slots(ctx, req)
	return slotsAnswerOf(days, next), err
}

func (s *Service) readAppointmentDay(ctx context.Context, date string) (dayAnswer, error) {
	caller, _ := identity.From(ctx)
	own := caller.Role == contract.RoleConsultant
	day, bookings, err := s.Day(ctx, date, own)
	if err != nil {
		return dayAnswer{}, err
	}
	view, err := s.viewOf(ctx)
	return dayAnswer{dayOf(day, view.all(bookings))}, err
}

func (s *Service) listAppointments(ctx context.Context, req listRequest) (appointmentsAnswer, error) {
	found, err := s.Appointments(ctx, req)
	if err != nil {
		return appointmentsAnswer{}, err
	}
	view, err := s.viewOf(ctx)
	return appointmentsAnswer{view.all(found.List), pagination{
		Page: req.Page, Limit: req.Limit, Total: found.Total, Pages: (found.Total + req.Limit - 1) / req.Limit,
	}}, err
}

func (s *Service) changeAppointment(ctx context.Context, req Change) (bookingAnswer, error) {
	if !recordID(req.ID) {
		return bookingAnswer{}, fault.ErrNotFound
	}
	changed, err := s.ChangeAppointment(ctx, req)
	if err != nil {
		return bookingAnswer{}, err
	}
	return s.answerOf(ctx, changed)
}

func (s *Service) undoAppointment(ctx context.Context, id string) (bookingAnswer, error) {
	if !recordID(id) {
		return bookingAnswer{}, fault.ErrNotFound
	}
	undone, err := s.UndoAppointment(ctx, id)
	if err != nil {
		return bookingAnswer{}, err
	}
	return s.answerOf(ctx, undone)
}

func (s *Service) oneAppointment(ctx context.Context, id string) (contract.Appointment, error) {
	if !recordID(id) {
		return contract.Appointment{}, fault.ErrNotFound
	}
	found, err := s.store.appointment(ctx, id)
	return found.Appointment, err
}

func (s *Service) changeByVisitor(ctx context.Context, req Change) (contract.Appointment, error) {
	if !recordID(req.ID) {
		return contract.Appointment{}, fault.ErrNotFound
	}
	changed, err := s.ChangeAppointment(ctx, req)
	return changed.Appointment, err
}

func (s *Service) answerOf(ctx context.Context, b Booking) (bookingAnswer, error) {
	view, err := s.viewOf(ctx)
	return bookingAnswer{view.of(b)}, err
}

// view is what the answer about an appointment depends on besides the appointment.
type view struct {
	caller identity.Caller
	offer  places.Offer
	now    time.Time
}

func (s *Service) viewOf(ctx context.Context) (view, error) {
	caller, _ := identity.From(ctx)
	offer, at, err := s.offerNow(ctx)
	return view{caller, offer, at.Now}, err
}

func (v view) all(bookings []Booking) []bookingBody {
	bodies := make([]bookingBody, len(bookings))
	for i, one := range bookings {
		bodies[i] = v.of(one)
	}
	return bodies
}

func (v view) of(b Booking) bookingBody {
	body := bookingBody{
		appointmentBodyOut: appointmentOf(b.Appointment), Language: b.Language, Messages: b.Messages, Source: b.Source,
		Sequence: b.Sequence, Version: b.Version, VisitID: b.VisitID, EndedAt: b.EndedAt,
		NeedsTime: v.offer.NeedsTime(appointment.Status(b.Status), b.PreferredDate, b.PreferredTime),
	}
	if b.ServiceID != "" {
		body.ServiceID = &b.ServiceID
	}
	if b.ConsultantID != "" {
		body.Consultant = &namedBody{b.ConsultantID, b.ConsultantName}
	}
	if v.caller.Role == contract.RoleConsultant {
		body.Phone, body.Email = "", ""
	}
	if b.undoable(v.caller.ID, v.now) {
		body.Undo = &undoBody{string(b.Last.Action), wire.Time(b.Last.At.Add(appointment.UndoFor))}
	}
	return body
}

// appointmentBodyOut has the fields that the answer to a request from the public page has, too.
type appointmentBodyOut struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Phone         string    `json:"phone"`
	Email         string    `json:"email"`
	Service       string    `json:"service"`
	PreferredDate string    `json:"preferredDate"`
	PreferredTime string    `json:"preferredTime"`
	Message       string    `json:"message"`
	Status        string    `json:"status"`
	CreatedAt     wire.Time `json:"createdAt"`
}

func appointmentOf(a contract.Appointment) appointmentBodyOut {
	return appointmentBodyOut{
		ID: a.ID, Name: a.Name, Phone: a.Phone, Email: a.Email, Service: a.Service, PreferredDate: a.PreferredDate,
		PreferredTime: a.PreferredTime, Message: a.Message, Status: a.Status, CreatedAt: a.CreatedAt,
	}
}

type namedBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type undoBody struct {
	Action string    `json:"action"`
	Until  wire.Time `json:"until"`
}

type bookingBody struct {
	appointmentBodyOut
	ServiceID  *string    `json:"serviceId"`
	Consultant *namedBody `json:"consultant"`
	Language   string     `json:"language"`
	Messages   bool       `json:"messages"`
	Source     string     `json:"source"`
	Sequence   int        `json:"sequence"`
	Version    int64      `json:"version"`
	VisitID    *string    `json:"visitId"`
	EndedAt    *wire.Time `json:"endedAt"`
	NeedsTime  bool       `json:"needsTime"`
	Undo       *undoBody  `json:"undo"`
}

type bookingAnswer struct {
	Appointment bookingBody `json:"appointment"`
}

type createdAppointment struct {
	Appointment appointmentBodyOut `json:"appointment"`
	replayed    bool
}

// StatusCode implements kithttp.StatusCoder.
func (createdAppointment) StatusCode() int { return http.StatusCreated }

// Headers implements kithttp.Headerer.
func (a createdAppointment) Headers() http.Header { return replayHeader(a.replayed) }

type bookedAnswer struct {
	bookingAnswer
	replayed bool
}

// StatusCode implements kithttp.StatusCoder.
func (bookedAnswer) StatusCode() int { return http.StatusCreated }

// Headers implements kithttp.Headerer.
func (a bookedAnswer) Headers() http.Header { return replayHeader(a.replayed) }

func replayHeader(replayed bool) http.Header {
	if !replayed {
		return nil
	}
	return http.Header{idempotency.HeaderReplayed: {"true"}}
}

type appointmentsAnswer struct {
	Appointments []bookingBody `json:"appointments"`
	Pagination   pagination    `json:"pagination"`
}

type pagination struct {
	Page  int `json:"page"`
	Limit int `json:"limit"`
	Total int `json:"total"`
	Pages int `json:"pages"`
}

type slotBody struct {
	Time  string       `json:"time"`
	State places.State `json:"state"`
}

type slotsOfDay struct {
	Date  string     `json:"date"`
	Open  bool       `json:"open"`
	Name  string     `json:"name"`
	Slots []slotBody `json:"slots"`
}

type slotsAnswer struct {
	Days     []slotsOfDay `json:"days"`
	NextFree *freeSlot    `json:"nextFree"`
}

type freeSlot struct {
	Date string `json:"date"`
	Time string `json:"time"`
}

func slotsAnswerOf(days []DaySlots, next *slot) slotsAnswer {
	answer := slotsAnswer{Days: make([]slotsOfDay, len(days))}
	for i, day := range days {
		answer.Days[i] = slotsOfDay{day.Date, day.Open, day.Name, make([]slotBody, len(day.Slots))}
		for j, one := range day.Slots {
			answer.Days[i].Slots[j] = slotBody{one.Time, one.State}
		}
	}
	if next != nil {
		answer.NextFree = &freeSlot{next.Date, next.Time}
	}
	return answer
}

type spanBody struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type daySlotBody struct {
	Time     string       `json:"time"`
	Capacity int          `json:"capacity"`
	Taken    int          `json:"taken"`
	State    places.State `json:"state"`
}

type dayBody struct {
	Date         string        `json:"date"`
	Open         bool          `json:"open"`
	Name         string        `json:"name"`
	Spans        []spanBody    `json:"spans"`
	Slots        []daySlotBody `json:"slots"`
	Appointments []bookingBody `json:"appointments"`
}

type dayAnswer struct {
	Day dayBody `json:"day"`
}

func dayOf(day DaySlots, bookings []bookingBody) dayBody {
	body := dayBody{
		Date: day.Date, Open: day.Open, Name: day.Name, Spans: spansOf(day.Spans),
		Slots: make([]daySlotBody, len(day.Slots)), Appointments: bookings,
	}
	for i, one := range day.Slots {
		body.Slots[i] = daySlotBody(one)
	}
	return body
}

func spansOf(spans []office.Span) []spanBody {
	bodies := make([]spanBody, len(spans))
	for i, span := range spans {
		bodies[i] = spanBody(span)
	}
	return bodies
}
