package realtime

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// rule is one row of the audience table.
type rule struct {
	kind     string  // the event's kind
	alert    []topic // topics that receive the alert, a frame of the type liveType()
	update   []topic // topics that receive a status_update, after which clients refetch
	assigned bool    // the consultants concerned also receive the status_update, unless they get the alert
	read     func(outbox.Event) (payload, error)
}

// frontOffice are the topics of the roles that see all visits.
var frontOffice = to(reception, pa, admin)

// everyScreen are the topics of all roles, and of the paired screens.
var everyScreen = append(to(board), staff...)

// audience lists the events that are published. Events of other kinds, such as sign-ins, are not published.
var audience = []rule{
	{contract.VisitCreated, to(pa, admin), to(reception), true, readVisit(visitNamed)},
	{contract.VisitApproved, to(reception, consultant), to(pa, admin), true, readVisit(visitApproved)},
	{contract.VisitDenied, to(reception), to(pa, admin), true, readVisit(visitNamed)},
	{contract.VisitInSession, to(reception, pa, admin), nil, true, readVisit(visitStarted)},
	{contract.VisitCompleted, to(reception, pa, admin), nil, true, readVisit(visitEnded)},
	{contract.VisitErased, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitCalled, frontOffice, nil, true, readCall},
	{contract.VisitRecalled, frontOffice, nil, true, readCall},
	{contract.VisitReleased, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitMissed, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitReturned, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitHeld, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitResumed, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitTransferred, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitPinned, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitMoved, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitPrioritised, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitLeft, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitCancelled, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitReopened, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitNoShow, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitCorrected, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitUndone, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitMerged, nil, frontOffice, true, readVisit(nil)},
	{contract.VisitDocumentsChanged, nil, frontOffice, true, readDocuments},
	{contract.VisitDocumentsAcknowledged, nil, frontOffice, true, readDocuments},
	{contract.VisitDocumentsErased, nil, frontOffice, true, readDocuments},
	{contract.ConsentGiven, nil, frontOffice, false, readRecord},
	{contract.ConsentWithdrawn, nil, frontOffice, false, readRecord},
	{contract.PrivacyRequestReceived, nil, to(admin), false, readRecord},
	{contract.PrivacyRequestAnswered, nil, to(admin), false, readRecord},
	{contract.PrivacyRequestRefused, nil, to(admin), false, readRecord},
	{contract.PrivacyRequestReopened, nil, to(admin), false, readRecord},
	{contract.DeskChanged, nil, staff, false, readRecord},

	{contract.ServiceCreated, nil, staff, false, readRecord},
	{contract.ServiceUpdated, nil, staff, false, readRecord},
	{contract.DueDateCreated, nil, frontOffice, false, readRecord},
	{contract.DueDateUpdated, nil, frontOffice, false, readRecord},
	{contract.ConsultantCreated, nil, to(pa, consultant, admin), false, readRecord},
	{contract.ConsultantUpdated, nil, to(pa, consultant, admin), false, readRecord},
	{contract.AppointmentRequested, nil, frontOffice, true, readAppointment},
	{contract.AppointmentBooked, nil, frontOffice, true, readAppointment},
	{contract.AppointmentConfirmed, nil, frontOffice, true, readAppointment},
	{contract.AppointmentDeclined, nil, frontOffice, true, readAppointment},
	{contract.AppointmentUpdated, nil, frontOffice, true, readAppointment},
	{contract.AppointmentMoved, nil, frontOffice, true, readAppointment},
	{contract.AppointmentCancelled, nil, frontOffice, true, readAppointment},
	{contract.AppointmentArrived, nil, frontOffice, true, readAppointment},
	{contract.AppointmentReturned, nil, frontOffice, true, readAppointment},
	{contract.AppointmentNoShow, nil, frontOffice, true, readAppointment},
	{contract.AppointmentDone, nil, frontOffice, true, readAppointment},
	{contract.AppointmentUndone, nil, frontOffice, true, readAppointment},
	{contract.AppointmentErased, nil, frontOffice, true, readAppointment},
	{contract.OfficeLoaded, nil, everyScreen, false, readRecord},
	{contract.OfficeChanged, nil, everyScreen, false, readRecord},
	{contract.OfficeRestored, nil, everyScreen, false, readRecord},
	{contract.UserRegistered, nil, to(admin), false, readRecord},
	{contract.UserRoleSet, nil, to(admin), false, readRecord},
	{contract.UserRoleChanged, nil, to(admin), false, readRecord},
	{contract.UserActivated, nil, to(admin), false, readRecord},
	{contract.UserDeactivated, nil, to(admin), false, readRecord},
	{contract.UserUpdated, nil, to(admin), false, readRecord},
	{contract.UserEmailChangeRequested, nil, to(admin), false, readRecord},
	{contract.UserEmailChangeStopped, nil, to(admin), false, readRecord},
	{contract.UserEmailChanged, nil, to(admin), false, readRecord},
	{contract.UserPasswordChanged, nil, to(admin), false, readRecord},
	{contract.UserInvited, nil, to(admin), false, readRecord},
	{contract.UserDeleted, nil, to(admin), false, readRecord},

	{contract.ArrivalRequested, nil, to(reception, admin), false, readRecord},
	{contract.ArrivalAnswered, nil, to(reception, admin), false, readRecord},
	{contract.LinkBackRequested, nil, to(reception, admin), false, readRecord},

	{contract.NotificationSent, staff, nil, false, readNotification},
}

func to(topics ...topic) []topic { return topics }

var ruleOf = func() map[string]rule {
	byKind := make(map[string]rule, len(audience))
	for _, row := range audience {
		byKind[row.kind] = row
	}
	return byKind
}()

// payload has the content of an event's frames, and the topics that depend on the event.
type payload struct {
	alert       any     // nil when the event has no alert
	update      any     // nil when the event has no status_update
	consultants []topic // the consultants concerned, each once
	caller      []topic // the visit's consultant, who also receives the alert of a call
	only        []topic // those topics of rule.alert that receive the alert; nil: all of them
	line        string  // the day whose line changed for all consultants; "" if it did not
	call        any     // the call as boards receive it; nil if the event is no call
	shown       string  // the day for which boards must refetch; "" if they need not
}

// live is the JSON of one data line of an event stream.
type live struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

const (
	typeConnection   = "connection"
	typeHeartbeat    = "heartbeat"
	typeStatusUpdate = "status_update"
	typeNotification = "notification"
)

// framesOf translates an event to frames. There are none if the audience table does not list its kind. An error means
// that the event lacks data for its frames; all clients must then refetch.
func framesOf(event outbox.Event) ([]frame, error) {
	row, listed := ruleOf[event.Type]
	if !listed {
		return nil, nil
	}
	content, err := row.read(event)
	if err != nil {
		return nil, fmt.Errorf("%s %d: %w", event.Type, event.Seq, err)
	}
	var frames []frame
	alerted := slices.Concat(row.alerted(content.only), content.caller)
	if len(alerted) > 0 {
		frames = append(frames, frame{topics: alerted, data: encode(row.liveType(), content.alert)})
	}
	alertsConsultants := slices.Contains(row.alert, consultant)
	updated := row.update
	if row.assigned && !alertsConsultants {
		concerned := slices.DeleteFunc(slices.Clone(content.consultants), func(t topic) bool {
			return slices.Contains(alerted, t)
		})
		updated = slices.Concat(updated, concerned)
	}
	if len(updated) > 0 {
		frames = append(frames, frame{topics: updated, data: encode(typeStatusUpdate, content.update)})
	}
	if content.line != "" && !alertsConsultants {
		frames = append(frames, frame{
			topics: to(consultant), except: content.consultants,
			data: encode(typeStatusUpdate, recordChanged{entityLine, content.line}),
		})
	}
	return append(frames, boardFrames(row, content)...), nil
}

// boardFrames returns the frame for boards, if any: a call, or a status_update after which they refetch.
func boardFrames(row rule, content payload) []frame {
	switch {
	case content.call != nil:
		return []frame{{topics: to(board), data: encode(row.liveType(), content.call)}}
	case content.shown != "":
		changed := recordChanged{entityLine, content.shown}
		return []frame{{topics: to(board), data: encode(typeStatusUpdate, changed)}}
	}
	return nil
}

// alerted returns the topics of the alert. If the given list is not empty, topics outside the list are left out.
func (row rule) alerted(only []topic) []topic {
	if len(only) == 0 {
		return row.alert
	}
	return slices.DeleteFunc(slices.Clone(row.alert), func(t topic) bool { return !slices.Contains(only, t) })
}

// liveType returns the type of the alert: the kind of the event, except for notifications and repeated calls.
func (row rule) liveType() string {
	switch row.kind {
	case contract.NotificationSent:
		return typeNotification
	case contract.VisitRecalled:
		return contract.VisitCalled
	}
	return row.kind
}

func encode(kind string, data any) []byte {
	text, err := json.Marshal(live{Type: kind, Data: data})
	if err != nil {
		panic(err) // these structs always marshal
	}
	return text
}

type visitChanged struct {
	VisitID string `json:"visitId"`
	Version int64  `json:"version"`
	Token   string `json:"token"`
}

type visitNews struct {
	VisitID    string  `json:"visitId"`
	Version    int64   `json:"version"`
	Token      string  `json:"token"`
	Name       *string `json:"name,omitzero"`
	Service    string  `json:"service"`
	Consultant *string `json:"assignedConsultant,omitzero"`
	Line       bool    `json:"line,omitzero"` // approved for the line, not for one consultant
	Duration   *int    `json:"duration,omitzero"`
	Counter    string  `json:"counter,omitzero"`
	CallCount  int     `json:"callCount,omitzero"`
}

// boardCall is a call as boards receive it: no name, no service, no consultant.
type boardCall struct {
	CallID    string    `json:"callId"` // the same call id as in GET /visits/board
	VisitID   string    `json:"visitId"`
	Token     string    `json:"token"`
	TokenAlso string    `json:"tokenAlso,omitzero"` // second token, which an offline paired desk gave the visitor
	Counter   string    `json:"counter,omitzero"`
	At        wire.Time `json:"at"`
	CallCount int       `json:"callCount"`
	Language  string    `json:"language,omitzero"` // the visitor's language
	Day       string    `json:"day"`
}

// entityLine is the entity of the status_update about the line; its id is the day.
const entityLine = "line"

type recordChanged struct {
	Entity   string `json:"entity"`
	EntityID string `json:"entityId"`
}

type notified struct {
	NotificationID string    `json:"notificationId"`
	Message        string    `json:"message"`
	Type           string    `json:"type"`
	Sender         string    `json:"sender"`
	SenderRole     string    `json:"senderRole,omitzero"`
	CreatedAt      wire.Time `json:"createdAt"`
}

type reset struct {
	Reset bool `json:"reset"`
}

// errIncomplete is returned for an event in which a field of the frames is missing or has a form that the API document
// does not allow.
var errIncomplete = errors.New("the event lacks a field of its frames")

var (
	idForm    = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	tokenForm = regexp.MustCompile(`^[A-Z]-[0-9]{3,}$`)
	records   = []string{
		contract.EntityService, contract.EntityConsultant, contract.EntityAppointment, contract.EntityUser,
		contract.EntityDesk, contract.EntityDueDate, contract.EntityArrival, contract.EntityLink, contract.EntityConsent,
		contract.EntityPrivacy, contract.EntityOffice,
	}
)

func readRecord(event outbox.Event) (payload, error) {
	if !slices.Contains(records, event.Subject.Entity) || event.Subject.ID == "" {
		return payload{}, errIncomplete
	}
	return payload{update: recordChanged{event.Subject.Entity, event.Subject.ID}}, nil
}

// readAppointment reads a change of an appointment. It concerns the consultants before and after.
func readAppointment(event outbox.Event) (payload, error) {
	content, err := readRecord(event)
	if err != nil {
		return content, err
	}
	for _, state := range [][]byte{event.Before, event.After} {
		var of contract.Appointment
		if len(state) == 0 {
			continue
		}
		if err := json.Unmarshal(state, &of); err != nil {
			return payload{}, err
		}
		if of.ConsultantID != "" {
			content.consultants = append(content.consultants, concerned(place{ConsultantID: &of.ConsultantID})...)
		}
	}
	content.consultants = slices.Compact(content.consultants)
	return content, nil
}

func readNotification(event outbox.Event) (payload, error) {
	var sent contract.Notification
	if err := json.Unmarshal(event.After, &sent); err != nil {
		return payload{}, err
	}
	content := payload{only: topicsOfRoles(sent.TargetRoles...), alert: notified{
		NotificationID: sent.ID, Message: sent.Message, Type: sent.Type, Sender: sent.Sender,
		SenderRole: sent.SenderRole, CreatedAt: sent.CreatedAt,
	}}
	if len(content.only) == 0 || !idForm.MatchString(sent.ID) || !slices.Contains(notificationTypes, sent.Type) {
		return payload{}, errIncomplete
	}
	return content, nil
}
