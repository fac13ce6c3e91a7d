package lobby

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/mails"
	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/page"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// visitorMoves is how often clients can move an appointment themselves.
const visitorMoves = 3

// keptAppointment is how long an appointment is kept after its slot: its link shows for a week that it has ended.
const keptAppointment = 8 * 24 * time.Hour

// applyAppointment applies an event of an appointment, and queues the message about it.
func (s *Service) applyAppointment(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	var a contract.Appointment
	if err := json.Unmarshal(event.After, &a); err != nil {
		return err
	}
	slot, err := time.ParseInLocation(time.DateOnly+" 15:04", a.PreferredDate+" "+a.PreferredTime, s.options.Zone)
	if err != nil {
		return nil //nolint:nilerr // an appointment of an old release without a time of the day has no message
	}
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return err
	}
	if now.Sub(slot) > keptAppointment {
		return s.store.forgetAppointment(ctx, tx, event.Subject.ID)
	}
	one := s.storedOf(a, event, slot, now)
	if err := s.store.keepAppointment(ctx, tx, one); err != nil || one.Erased {
		return err
	}
	return s.queueChange(ctx, tx, event, a, one)
}

// storedOf returns the values of an appointment that lobby stores. E-mail and phone are stored only while messages may
// be sent.
func (s *Service) storedOf(a contract.Appointment, event outbox.Event, slot, now time.Time) appointment {
	one := appointment{
		ID: event.Subject.ID, Version: a.Version, Status: a.Status, SlotDate: a.PreferredDate, SlotTime: a.PreferredTime,
		SlotAt: slot, ServiceID: a.ServiceID, ServiceName: a.Service, ConsultantID: a.ConsultantID, Language: a.Language,
		Sequence: a.Sequence, Moves: a.Moves, Messages: a.Messages, VisitID: a.VisitID, ChangedAt: time.Time(event.Time),
		EndedAt: (*time.Time)(a.EndedAt), Erased: event.Type == contract.AppointmentErased,
	}
	if event.Type == contract.AppointmentBooked || event.Type == contract.AppointmentConfirmed {
		one.ConfirmedAt = &one.ChangedAt
	}
	ends := slot
	if one.ended() {
		ends = one.ChangedAt
		if one.EndedAt != nil {
			ends = *one.EndedAt
		}
	}
	if one.Erased || now.Sub(ends) > messageLate {
		return one
	}
	if a.Email != "" {
		one.Email = s.store.box.Seal(one.ID, []byte(a.Email))
	}
	if a.Phone != "" && a.Messages {
		one.Phone = s.store.box.Seal(one.ID, []byte(a.Phone))
	}
	return one
}

// ended reports whether the appointment was cancelled or declined.
func (a appointment) ended() bool {
	return a.Status == contract.AppointmentStatusCancelled || a.Status == contract.AppointmentStatusDeclined
}

func (a appointment) open() bool {
	return a.Status == contract.AppointmentStatusPending || a.Status == contract.AppointmentStatusConfirmed
}

// state returns the state of the link at the time of the read. A link that was replaced has ended, and one of an erased
// appointment is unknown.
func (b booked) state() link.State {
	state := link.At(b.now, link.AppointmentEnds(b.SlotAt))
	if b.Erased {
		return link.Unknown
	}
	if state == link.Open && b.replaced {
		return link.Gone
	}
	return state
}

// papersIn returns the papers of the service in a language, the required first.
func (b booked) papersIn(language string) []mails.Paper {
	papers := make([]mails.Paper, len(b.documents))
	for i, document := range b.documents {
		papers[i] = mails.Paper{
			Label: cmp.Or(document.Labels[language], document.Label), Required: document.Required,
		}
	}
	slices.SortStableFunc(papers, func(a, b mails.Paper) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return papers
}

// appointmentView returns the page of an appointment, without the free times.
func (s *Service) appointmentView(b booked, code, language string) page.Appointment {
	about := s.messageOf(b, language, b.generation)
	late := b.now.After(b.SlotAt.Add(-time.Duration(b.office.rules().ChangeUntilMinutes) * time.Minute))
	view := page.Appointment{
		Code: code, Language: language, Offered: b.office.offered(), Office: about.Office, Phone: about.Phone,
		Address: about.Address, Status: b.Status, Service: about.Service,
		Day: mails.Day(language, about.At), Time: mails.Clock(about.At),
		Late: late && b.open(), Changes: b.open() && !late, MovesUsed: b.Moves >= visitorMoves, Quiet: b.quiet,
		CanBeQuiet: b.Status == contract.AppointmentStatusConfirmed && !late && (b.Email != nil || b.Messages),
		Entry:      b.Status == contract.AppointmentStatusConfirmed,
	}
	if about.MapsQuery != "" {
		view.Map = mails.Map(about.MapsQuery)
	}
	if b.open() {
		for _, paper := range about.Papers {
			view.Papers = append(view.Papers, page.Paper(paper))
		}
	}
	return view
}

const (
	daysAsked   = 62 // days for which directory is asked
	daysOffered = 14
	slotFree    = "free"
)

// freeDays returns the next days with a free time, daysOffered at most.
func (s *Service) freeDays(ctx context.Context, b booked, language string) ([]page.FreeDay, error) {
	var answer struct {
		Days []struct {
			Date  string `json:"date"`
			Slots []struct {
				Time  string `json:"time"`
				State string `json:"state"`
			} `json:"slots"`
		} `json:"days"`
	}
	query := url.Values{"days": {strconv.Itoa(daysAsked)}}
	if b.ConsultantID != "" {
		query.Set("consultant_id", b.ConsultantID)
	}
	status, err := s.options.Directory.Call(ctx, http.MethodGet, "/internal/slots?"+query.Encode(), nil, &answer)
	if err != nil || status != http.StatusOK {
		return nil, fault.ErrUnavailable.Because(err)
	}
	var days []page.FreeDay
	for _, day := range answer.Days {
		at, err := time.Parse(time.DateOnly, day.Date)
		if err != nil {
			return nil, fault.ErrUnavailable.Because(err)
		}
		free := page.FreeDay{Date: day.Date, Name: mails.Day(language, at)}
		for _, slot := range day.Slots {
			if slot.State == slotFree && (day.Date != b.SlotDate || slot.Time != b.SlotTime) {
				free.Times = append(free.Times, slot.Time)
			}
		}
		if len(free.Times) > 0 && len(days) < daysOffered {
			days = append(days, free)
		}
	}
	return days, nil
}

// appointmentChange is the body of a request that sends a client's change to directory.
type appointmentChange struct {
	Action  string `json:"action"` // move, cancel
	Date    string `json:"date,omitzero"`
	Time    string `json:"time,omitzero"`
	Version int64  `json:"version"`
}

// errSlotTaken means that the chosen slot is full.
var errSlotTaken = errors.New("the slot is full")

// change sends a client's change to directory, and waits a second at most until the page shows the result. A change
// that the rules do not allow changes nothing, and the page shows the current state.
func (s *Service) change(ctx context.Context, b booked, req appointmentChange) error {
	req.Version = b.Version
	var answer struct {
		Version     int64 `json:"version"`
		Appointment struct {
			Version int64 `json:"version"`
		} `json:"appointment"`
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	path := "/internal/appointments/" + b.ID + "/visitor"
	status, err := s.options.Directory.Call(ctx, http.MethodPost, path, req, &answer)
	switch {
	case err != nil:
		return fault.ErrUnavailable.Because(err)
	case status == http.StatusConflict && (answer.Error.Code == "slot_full" || answer.Error.Code == "consultant_booked"):
		return errSlotTaken
	case status/100 == 4:
		return nil
	case status/100 != 2:
		return fault.ErrUnavailable
	}
	version := max(answer.Version, answer.Appointment.Version)
	_, err = soon(ctx, func() (bool, error) { return s.store.showsAppointment(ctx, b.ID, version) })
	return postgres.Classify(err)
}

type appointmentLink struct {
	Link appointmentLinkBody `json:"link"`
}

type appointmentLinkBody struct {
	URL     string           `json:"url"`
	Expires wire.Time        `json:"expires"`
	Told    []toldBookedBody `json:"told"` // messages to the client, oldest first
}

// madeAppointmentLink answers 201.
type madeAppointmentLink struct{ appointmentLink }

// StatusCode implements kithttp.StatusCoder.
func (madeAppointmentLink) StatusCode() int { return http.StatusCreated }

// AppointmentLink returns the link of an appointment. If the appointment is unknown or erased, or the link has ended, it
// returns fault.ErrNotFound.
func (s *Service) AppointmentLink(ctx context.Context, id string) (answer appointmentLink, err error) {
	var b booked
	known, err := soon(ctx, func() (bool, error) {
		b, err = s.store.bookedByID(ctx, id)
		if errors.Is(err, fault.ErrNotFound) {
			return false, nil
		}
		return err == nil, err
	})
	switch {
	case err != nil:
		return answer, postgres.Classify(err)
	case !known:
		return answer, fault.ErrNotFound
	case !b.known:
		return answer, errRebuilding
	case b.state() != link.Open:
		return answer, fault.ErrNotFound
	}
	told, err := s.store.toldBooked(ctx, id)
	code := link.AppointmentCode(s.options.Key, id, b.generation)
	return appointmentLink{appointmentLinkBody{
		URL:     strings.ToUpper(strings.TrimSuffix(s.options.Base, "/")) + "/Q/A/" + code,
		Expires: wire.Time(link.AppointmentEnds(b.SlotAt)), Told: told,
	}}, postgres.Classify(err)
}

// ReplaceAppointmentLink ends the link of an appointment and returns a new one. A second call within ten seconds returns
// this new link again. The errors are those of AppointmentLink.
func (s *Service) ReplaceAppointmentLink(ctx context.Context, id string) (madeAppointmentLink, error) {
	if _, err := s.AppointmentLink(ctx, id); err != nil {
		return madeAppointmentLink{}, err
	}
	err := postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) error { return s.store.replaceAppointmentLink(ctx, tx, id) })
	if err != nil {
		return madeAppointmentLink{}, postgres.Classify(err)
	}
	answer, err := s.AppointmentLink(ctx, id)
	return madeAppointmentLink{answer}, err
}

// channelsBody says over which channels messages about appointments are sent.
type channelsBody struct {
	Mail     bool `json:"mail"`
	SMS      bool `json:"sms"`
	WhatsApp bool `json:"whatsapp"`
}

// Channels returns over which channels clients are sent messages about appointments.
func (s *Service) Channels(ctx context.Context, _ struct{}) (channelsBody, error) {
	document, err := s.store.office(ctx)
	if err != nil {
		return channelsBody{}, postgres.Classify(err)
	}
	has := func(name string) bool {
		return document.Messages == office.MessagesOn &&
			s.options.Messages.Has(name, message.AppointmentConfirmed)
	}
	return channelsBody{Mail: s.options.Mailer != nil, SMS: has("sms"), WhatsApp: has("whatsapp")}, nil
}
