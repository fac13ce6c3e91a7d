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
	kind     string  // of the event
	alert    []topic // receive the event itself
	update   []topic // receive a status_update, and refetch
	assigned bool    // the consultant concerned receives the status_update, too, unless all consultants are alerted
	read     func(outbox.Event) (payload, error)
}

// audience is the table. Events of other kinds, such as sign-ins, are not published.
var audience = []rule{
	{contract.VisitCreated, to(pa, admin), to(reception), true, readVisit(visitNamed)},
	{contract.VisitApproved, to(reception, consultant), to(pa, admin), true, readVisit(visitAssigned)},
	{contract.VisitDenied, to(reception), to(pa, admin), true, readVisit(visitNamed)},
	{contract.VisitInSession, to(reception, pa, admin), nil, true, readVisit(visitStarted)},
	{contract.VisitCompleted, to(reception, pa, admin), nil, true, readVisit(visitEnded)},
	{contract.VisitErased, nil, to(reception, pa, admin), true, readVisit(nil)},

	{contract.ServiceCreated, nil, staff, false, readRecord},
	{contract.ServiceUpdated, nil, staff, false, readRecord},
	{contract.ConsultantCreated, nil, to(pa, admin), true, readRecord},
	{contract.ConsultantUpdated, nil, to(pa, admin), true, readRecord},
	{contract.AppointmentRequested, nil, to(reception, admin), false, readRecord},
	{contract.AppointmentConfirmed, nil, to(reception, admin), false, readRecord},
	{contract.AppointmentDeclined, nil, to(reception, admin), false, readRecord},
	{contract.AppointmentDone, nil, to(reception, admin), false, readRecord},
	{contract.AppointmentErased, nil, to(reception, admin), false, readRecord},
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

// payload is the content of an event's frames.
type payload struct {
	alert      any     // nil when the event has no alert
	update     any     // nil when the event has no status_update
	consultant string  // user id of the consultant concerned
	only       []topic // if not empty, the alert is published only to those of its topics that are listed here
}

// live is the JSON of one data line.
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

// framesOf translates an event to frames; none when the audience table does not list its kind. It returns an error
// when the event lacks what the frames need: their recipients must then refetch.
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
	if recipients := row.alerted(content.only); len(recipients) > 0 {
		frames = append(frames, frame{topics: recipients, data: encode(row.liveType(), content.alert)})
	}
	recipients := row.update
	if row.assigned && content.consultant != "" && !slices.Contains(row.alert, consultant) {
		recipients = append(slices.Clip(recipients), userTopic(content.consultant))
	}
	if len(recipients) > 0 {
		frames = append(frames, frame{topics: recipients, data: encode(typeStatusUpdate, content.update)})
	}
	return frames, nil
}

// alerted returns the topics of the alert, limited to only unless that is empty.
func (row rule) alerted(only []topic) []topic {
	if len(only) == 0 {
		return row.alert
	}
	return slices.DeleteFunc(slices.Clone(row.alert), func(t topic) bool { return !slices.Contains(only, t) })
}

// liveType returns the type of the alert: the kind of the event, except for notifications.
func (row rule) liveType() string {
	if row.kind == contract.NotificationSent {
		return typeNotification
	}
	return row.kind
}

func encode(kind string, data any) []byte {
	text, err := json.Marshal(live{Type: kind, Data: data})
	if err != nil {
		panic(err) // only structs of texts and numbers are encoded
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
	Duration   *int    `json:"duration,omitzero"`
}

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

// errIncomplete is returned for an event that lacks a field of its frames, or has one in a form that the API document
// does not allow.
var errIncomplete = errors.New("the event lacks a field of its frames")

var (
	idForm    = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	tokenForm = regexp.MustCompile(`^T-[0-9]{3,}$`)
	records   = []string{
		contract.EntityService, contract.EntityConsultant, contract.EntityAppointment, contract.EntityUser,
	}
)

// readVisit returns a reader of visit events. alert returns the content of the alert, and false if the visit lacks a
// field of it; nil: the event has no alert.
func readVisit(alert func(contract.Visit) (visitNews, bool)) func(outbox.Event) (payload, error) {
	return func(event outbox.Event) (payload, error) {
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return payload{}, err
		}
		if !idForm.MatchString(visit.ID) || !tokenForm.MatchString(visit.Token) || visit.Version < 1 {
			return payload{}, errIncomplete
		}
		content := payload{update: visitChanged{VisitID: visit.ID, Version: visit.Version, Token: visit.Token}}
		if visit.ConsultantID != nil {
			content.consultant = *visit.ConsultantID
		}
		if alert == nil {
			return content, nil
		}
		news, complete := alert(visit)
		if !complete {
			return payload{}, errIncomplete
		}
		content.alert = news
		return content, nil
	}
}

func newsOf(visit contract.Visit) visitNews {
	return visitNews{VisitID: visit.ID, Version: visit.Version, Token: visit.Token, Service: visit.ServiceName}
}

func visitNamed(visit contract.Visit) (visitNews, bool) {
	news := newsOf(visit)
	news.Name = &visit.Name
	return news, true
}

// visitAssigned does not name the visitor: every consultant receives it.
func visitAssigned(visit contract.Visit) (visitNews, bool) {
	news := newsOf(visit)
	news.Consultant = visit.ConsultantName
	return news, visit.ConsultantName != nil
}

func visitStarted(visit contract.Visit) (visitNews, bool) {
	news, complete := visitAssigned(visit)
	news.Name = &visit.Name
	return news, complete
}

func visitEnded(visit contract.Visit) (visitNews, bool) {
	news, complete := visitStarted(visit)
	news.Duration = visit.DurationMinutes
	return news, complete && visit.DurationMinutes != nil && *visit.DurationMinutes >= 1
}

// readRecord returns which record changed. The id of a consultant is the id of the user.
func readRecord(event outbox.Event) (payload, error) {
	if !slices.Contains(records, event.Subject.Entity) || event.Subject.ID == "" {
		return payload{}, errIncomplete
	}
	return payload{update: recordChanged{event.Subject.Entity, event.Subject.ID}, consultant: event.Subject.ID}, nil
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
