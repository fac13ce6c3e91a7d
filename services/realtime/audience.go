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

// roles is a set of roles.
type roles uint8

const (
	reception roles = 1 << iota
	pa
	consultant
	admin

	nobody    roles = 0
	everybody       = reception | pa | consultant | admin
)

// roleNames are the roles in the order of their bits.
var roleNames = [...]string{contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin}

// rolesOf is the set of the named roles; unknown names are left out.
func rolesOf(names ...string) roles {
	set := nobody
	for _, name := range names {
		for bit, known := range roleNames {
			if name == known {
				set |= 1 << bit
			}
		}
	}
	return set
}

// rule is one row of the table of who hears what of a change.
type rule struct {
	kind  string // of the event
	alert roles  // hear the event itself
	quiet roles  // hear only that something changed, and refetch
	own   bool   // so does the consultant whom the change is about, unless alerted
	tell  func(outbox.Event) (story, error)
}

// audience is the table. Kinds that it does not name reach nobody: sign-ins, reads of the audit trail.
var audience = []rule{
	{contract.VisitCreated, pa | admin, reception, true, tellVisit(visitNamed)},
	{contract.VisitApproved, reception | consultant, pa | admin, true, tellVisit(visitAssigned)},
	{contract.VisitDenied, reception, pa | admin, true, tellVisit(visitNamed)},
	{contract.VisitInSession, reception | pa | admin, nobody, true, tellVisit(visitStarted)},
	{contract.VisitCompleted, reception | pa | admin, nobody, true, tellVisit(visitEnded)},
	{contract.VisitErased, nobody, reception | pa | admin, true, tellVisit(nil)},

	{contract.ServiceCreated, nobody, everybody, false, tellRecord},
	{contract.ServiceUpdated, nobody, everybody, false, tellRecord},
	{contract.ConsultantCreated, nobody, pa | admin, true, tellRecord},
	{contract.ConsultantUpdated, nobody, pa | admin, true, tellRecord},
	{contract.AppointmentRequested, nobody, reception | admin, false, tellRecord},
	{contract.AppointmentConfirmed, nobody, reception | admin, false, tellRecord},
	{contract.AppointmentDeclined, nobody, reception | admin, false, tellRecord},
	{contract.AppointmentDone, nobody, reception | admin, false, tellRecord},
	{contract.AppointmentErased, nobody, reception | admin, false, tellRecord},
	{contract.UserRegistered, nobody, admin, false, tellRecord},
	{contract.UserRoleSet, nobody, admin, false, tellRecord},
	{contract.UserRoleChanged, nobody, admin, false, tellRecord},
	{contract.UserActivated, nobody, admin, false, tellRecord},
	{contract.UserDeactivated, nobody, admin, false, tellRecord},
	{contract.UserUpdated, nobody, admin, false, tellRecord},
	{contract.UserEmailChanged, nobody, admin, false, tellRecord},
	{contract.UserPasswordChanged, nobody, admin, false, tellRecord},
	{contract.UserInvited, nobody, admin, false, tellRecord},
	{contract.UserDeleted, nobody, admin, false, tellRecord},

	{contract.NotificationSent, everybody, nobody, false, tellNotification},
}

var ruleOf = func() map[string]rule {
	byKind := make(map[string]rule, len(audience))
	for _, row := range audience {
		byKind[row.kind] = row
	}
	return byKind
}()

// story is what there is to say about a change.
type story struct {
	alert      any    // nil when the change has no alert
	quiet      any    // nil when nobody hears it quietly
	consultant string // user id of the consultant whom it is about
	only       roles  // narrows the alert; nobody: not narrowed
}

// frame is one thing to say and to whom: to roles, and to one consultant. Everybody hears the same bytes.
type frame struct {
	roles      roles
	consultant string
	data       []byte
	trace      string // traceparent of its handing out, "" when its trace is not sampled
}

// reaches reports whether a stream of the role and user hears the frame.
func (f frame) reaches(role roles, user string) bool {
	return f.roles&role != 0 || role == consultant && f.consultant != "" && f.consultant == user
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

// framesOf translates an event; none when it is nobody's business. An error means that the event cannot be
// understood: those who would hear it must refetch instead.
func framesOf(event outbox.Event) ([]frame, error) {
	row, known := ruleOf[event.Type]
	if !known {
		return nil, nil
	}
	told, err := row.tell(event)
	if err != nil {
		return nil, fmt.Errorf("%s %d: %w", event.Type, event.Seq, err)
	}
	var frames []frame
	if to := row.alertRoles(told); to != nobody {
		frames = append(frames, frame{roles: to, data: encode(row.liveType(), told.alert)})
	}
	quiet := frame{roles: row.quiet}
	if row.own && row.alert&consultant == 0 {
		quiet.consultant = told.consultant
	}
	if quiet.roles != nobody || quiet.consultant != "" {
		quiet.data = encode(typeStatusUpdate, told.quiet)
		frames = append(frames, quiet)
	}
	return frames, nil
}

func (row rule) alertRoles(told story) roles {
	if told.only != nobody {
		return row.alert & told.only
	}
	return row.alert
}

// liveType is the event's own kind, but for notifications.
func (row rule) liveType() string {
	if row.kind == contract.NotificationSent {
		return typeNotification
	}
	return row.kind
}

func encode(kind string, data any) []byte {
	text, err := json.Marshal(live{Type: kind, Data: data})
	if err != nil {
		panic(err) // texts and numbers of our own structs
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
	CreatedAt      wire.Time `json:"createdAt"`
}

type reset struct {
	Reset bool `json:"reset"`
}

// errIncomplete is answered for an event that lacks what its listeners are told, or tells it in another form
// than the API has.
var errIncomplete = errors.New("the event lacks what its listeners are told")

var (
	idForm    = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	tokenForm = regexp.MustCompile(`^T-[0-9]{3,}$`)
	records   = []string{contract.EntityService, contract.EntityConsultant, contract.EntityAppointment, contract.EntityUser}
)

// tellVisit reads a visit and tells what alert takes from it; a nil alert tells nothing but the change.
func tellVisit(alert func(contract.Visit) (visitNews, bool)) func(outbox.Event) (story, error) {
	return func(event outbox.Event) (story, error) {
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return story{}, err
		}
		if !idForm.MatchString(visit.ID) || !tokenForm.MatchString(visit.Token) || visit.Version < 1 {
			return story{}, errIncomplete
		}
		told := story{quiet: visitChanged{VisitID: visit.ID, Version: visit.Version, Token: visit.Token}}
		if visit.ConsultantID != nil {
			told.consultant = *visit.ConsultantID
		}
		if alert == nil {
			return told, nil
		}
		news, complete := alert(visit)
		if !complete {
			return story{}, errIncomplete
		}
		told.alert = news
		return told, nil
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

// visitAssigned goes to every consultant, so it does not name the visitor.
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

// tellRecord tells which record changed. A consultant's id is the user's id.
func tellRecord(event outbox.Event) (story, error) {
	if !slices.Contains(records, event.Subject.Entity) || event.Subject.ID == "" {
		return story{}, errIncomplete
	}
	return story{quiet: recordChanged{event.Subject.Entity, event.Subject.ID}, consultant: event.Subject.ID}, nil
}

func tellNotification(event outbox.Event) (story, error) {
	var sent contract.Notification
	if err := json.Unmarshal(event.After, &sent); err != nil {
		return story{}, err
	}
	told := story{only: rolesOf(sent.TargetRoles...), alert: notified{
		NotificationID: sent.ID, Message: sent.Message, Type: sent.Type, Sender: sent.Sender, CreatedAt: sent.CreatedAt,
	}}
	if told.only == nobody || !idForm.MatchString(sent.ID) || !slices.Contains(notificationTypes, sent.Type) {
		return story{}, errIncomplete
	}
	return told, nil
}
