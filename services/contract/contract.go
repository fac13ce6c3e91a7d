// Package contract defines what services share: roles, statuses, the kinds of events and their payloads. It has no
// behaviour. Fields can be added, but a field never changes its meaning; a new meaning needs a new kind of event.
package contract

import (
	"time"

	"baari.dev/services/platform/wire"
)

// Sources of events: the names of the services.
const (
	SourceAuth      = "auth"
	SourceVisits    = "visits"
	SourceDirectory = "directory"
	SourceAudit     = "audit"
	SourceRealtime  = "realtime"
	SourceLobby     = "lobby"
)

// CallerOperator is the caller in baarictl's tokens. Its changes have an actor with this name and without an id.
const CallerOperator = "operator"

// Roles of staff.
const (
	RoleReception  = "reception"
	RolePA         = "pa"
	RoleConsultant = "consultant"
	RoleAdmin      = "admin"
)

// RoleDisplay is the role of a paired screen, which is a device and never a person. Routes for staff reject the role.
const RoleDisplay = "display"

// FreshSession is the age up to which a session counts as fresh. With an older session, users must enter the password
// again for calls that give access or export data: invitations, roles, devices, exports, the data of a person.
const FreshSession = 10 * time.Minute

// Statuses of a visit.
const (
	StatusNew       = "new"
	StatusApproved  = "approved"
	StatusInSession = "in-session"
	StatusCompleted = "completed"
	StatusDenied    = "denied"
)

// Stages of a visit. The status is a function of the stage: waiting, called, held and missed visits are approved; left,
// no-show and cancelled visits are denied.
const (
	StageNew       = "new"
	StageWaiting   = "waiting"
	StageCalled    = "called"
	StageHeld      = "held"
	StageMissed    = "missed"
	StageInSession = "in-session"
	StageCompleted = "completed"
	StageDenied    = "denied"
	StageLeft      = "left"
	StageNoShow    = "no-show"
	StageCancelled = "cancelled"
)

// Entities: the subjects of events and audit records.
const (
	EntityVisit        = "visit"
	EntityUser         = "user"
	EntitySession      = "session"
	EntityService      = "service"
	EntityConsultant   = "consultant"
	EntityAppointment  = "appointment"
	EntityNotification = "notification"
	EntityOffice       = "office"
	EntityAccess       = "access"
	EntityAudit        = "audit"
	EntityExport       = "export"
	EntityDesk         = "desk"
	EntityDueDate      = "due_date"
	EntityVoicePack    = "voice_pack"
	EntityLink         = "link"
	EntityDevice       = "device"
	EntityArrival      = "arrival"
	EntityMessage      = "message"

	EntityVisitDocuments = "visit_documents"
	EntityConsent        = "consent"
	EntityPrivacy        = "privacy"
)

// OfficeID is the id of the office, the subject of its events. Before and After are whole office documents, and Version
// is the number of the document in After.
const OfficeID = "office"

// Kinds of events. An event's audit action is its kind without the entity; for visit_in_session it is "started".
const (
	VisitCreated   = "visit_created"
	VisitApproved  = "visit_approved"
	VisitDenied    = "visit_denied"
	VisitInSession = "visit_in_session"
	VisitCompleted = "visit_completed"
	VisitErased    = "visit_erased"

	VisitCalled      = "visit_called"
	VisitRecalled    = "visit_recalled"
	VisitReleased    = "visit_released"
	VisitMissed      = "visit_missed"
	VisitReturned    = "visit_returned"
	VisitHeld        = "visit_held"
	VisitResumed     = "visit_resumed"
	VisitTransferred = "visit_transferred"
	VisitPinned      = "visit_pinned"
	VisitMoved       = "visit_moved"
	VisitPrioritised = "visit_prioritised"
	VisitLeft        = "visit_left"
	VisitCancelled   = "visit_cancelled"
	VisitReopened    = "visit_reopened"
	VisitNoShow      = "visit_no_show"
	VisitCorrected   = "visit_corrected"
	VisitUndone      = "visit_undone"
	VisitMerged      = "visit_merged"

	VisitDocumentsChanged = "visit_documents_changed"
	VisitDocumentsErased  = "visit_documents_erased"

	VisitDocumentsAcknowledged = "visit_documents_acknowledged"

	ConsentGiven     = "consent_given"
	ConsentWithdrawn = "consent_withdrawn"

	PrivacyRequestReceived = "privacy_request_received"
	PrivacyRequestAnswered = "privacy_request_answered"
	PrivacyRequestRefused  = "privacy_request_refused"
	PrivacyRequestReopened = "privacy_request_reopened"
	PrivacyFound           = "privacy_found"
	PrivacyExported        = "privacy_exported"
	PrivacyErasureStarted  = "privacy_erasure_started"
	PrivacyErasureFinished = "privacy_erasure_finished"
	PrivacyErasureFailed   = "privacy_erasure_failed"
	PrivacyBreachReported  = "privacy_breach_reported"

	DeskChanged = "desk_changed"

	UserRegistered           = "user_registered"
	UserRoleSet              = "user_role_set"
	UserRoleChanged          = "user_role_changed"
	UserActivated            = "user_activated"
	UserDeactivated          = "user_deactivated"
	UserUpdated              = "user_updated"
	UserEmailChanged         = "user_email_changed"
	UserEmailChangeRequested = "user_email_change_requested"
	UserEmailChangeStopped   = "user_email_change_stopped"
	UserPasswordChanged      = "user_password_changed"
	UserInvited              = "user_invited"
	UserDeleted              = "user_deleted"

	SessionSignedIn     = "session_signed_in"
	SessionSignInFailed = "session_sign_in_failed"
	SessionSignedOut    = "session_signed_out"
	SessionRevoked      = "session_revoked"

	DeviceCreated = "device_created"
	DevicePaired  = "device_paired"
	DeviceRenamed = "device_renamed"
	DeviceChanged = "device_changed"
	DeviceRevoked = "device_revoked"

	ServiceCreated       = "service_created"
	ServiceUpdated       = "service_updated"
	ConsultantCreated    = "consultant_created"
	ConsultantUpdated    = "consultant_updated"
	AppointmentRequested = "appointment_requested"
	AppointmentBooked    = "appointment_booked"
	AppointmentConfirmed = "appointment_confirmed"
	AppointmentDeclined  = "appointment_declined"
	AppointmentUpdated   = "appointment_updated"
	AppointmentMoved     = "appointment_moved"
	AppointmentCancelled = "appointment_cancelled"
	AppointmentArrived   = "appointment_arrived"
	AppointmentReturned  = "appointment_returned"
	AppointmentNoShow    = "appointment_no_show"
	AppointmentDone      = "appointment_done"
	AppointmentUndone    = "appointment_undone"
	AppointmentErased    = "appointment_erased"
	OfficeLoaded         = "office_loaded"
	OfficeChanged        = "office_changed"
	OfficeRestored       = "office_restored"
	DueDateCreated       = "due_date_created"
	DueDateUpdated       = "due_date_updated"
	VoicePackChanged     = "voice_pack_changed"
	VoicePackDeleted     = "voice_pack_deleted"

	NotificationSent   = "notification_sent"
	NotificationErased = "notification_erased"
	AccessDenied       = "access_denied"
	AuditRead          = "audit_read"
	ExportExported     = "export_exported"

	LinkOpened   = "link_opened"
	LinkReplaced = "link_replaced"
	LinkShown    = "link_shown"

	LinkBackRequested = "link_back_requested"

	ArrivalRequested = "arrival_requested"
	ArrivalAnswered  = "arrival_answered"

	MessageSent    = "message_sent"
	MessageFailed  = "message_failed"
	MessageUnknown = "message_unknown"
)

// Desk is a consultant's desk. A call or a session opens it. In the state last, Next calls only pinned visitors to it.
type Desk struct {
	ConsultantID   string     `json:"consultantId"`
	ConsultantName string     `json:"consultantName"`
	State          string     `json:"state"` // open, break, last, off
	Counter        string     `json:"counter"`
	Since          wire.Time  `json:"since"`
	Until          *wire.Time `json:"until"`  // end of the shift
	BackAt         *wire.Time `json:"backAt"` // end of the break
	Version        int64      `json:"version"`
}

// User is the payload of an account's events, without credentials. PendingEmail is the requested address; only the
// events of a requested or stopped change have it.
type User struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Email         string    `json:"email"`
	PendingEmail  string    `json:"pendingEmail,omitempty"`
	EmailVerified bool      `json:"emailVerified"`
	Role          string    `json:"role"`
	IsActive      bool      `json:"isActive"`
	CreatedAt     wire.Time `json:"createdAt"`
	UpdatedAt     wire.Time `json:"updatedAt"`
}

// Device is the payload of the events of a paired device, without its code and its token.
type Device struct {
	ID         string `json:"id"`
	Kind       string `json:"kind"` // display, desk
	Name       string `json:"name"`
	Series     string `json:"series"` // series of the visitor tokens that a desk issues; "" for a display
	Volume     int    `json:"volume"` // volume of the voice, 0 to 100
	QuietFrom  string `json:"quietFrom"`
	QuietUntil string `json:"quietUntil"`
	Paired     bool   `json:"paired"`
	Revoked    bool   `json:"revoked"`
}

// Session is the payload of session events, whose subject is the user. SessionIDs are the sessions that ended.
type Session struct {
	UserID     string   `json:"userId"`
	SessionIDs []string `json:"sessionIds"`
	UserAgent  string   `json:"userAgent"`
}

// Service is a service that the office offers.
type Service struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	EstMinutes  int    `json:"est_minutes"`
	IsActive    bool   `json:"is_active"`
	// Translations, keyed by language; nil: none.
	Texts map[string]ServiceText `json:"texts,omitempty"`
	Group string                 `json:"group,omitzero"` // group of due dates; "" from releases without groups

	Documents []ServiceDocument `json:"documents"` // the checklist of papers; nil from releases without papers
}

// ServiceText is a service in another language. The service's own text is shown for an empty field.
type ServiceText struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// DueDate is an entry of the calendar of due dates. It is due on Date, or on Day of each of Months in every year. Date,
// MovedFrom, MovedTo and CheckedOn are days such as 2026-07-31.
type DueDate struct {
	ID        string `json:"id"`
	Group     string `json:"group"`
	Title     string `json:"title"`
	Date      string `json:"date"`
	Months    []int  `json:"months"`
	Day       int    `json:"day"`
	MovedFrom string `json:"movedFrom"` // day by the rule; the government moved it to MovedTo
	MovedTo   string `json:"movedTo"`
	Source    string `json:"source"`
	CheckedOn string `json:"checkedOn"`
	Confirmed bool   `json:"confirmed"` // whether an admin of the office has saved it
	IsActive  bool   `json:"isActive"`
	Version   int64  `json:"version"`
}

// VoicePack is a voice pack that the office has recorded, without its clips and its speaker.
type VoicePack struct {
	Language string `json:"language"`
	Version  int64  `json:"version"`
	Clips    int    `json:"clips"`
	Bytes    int    `json:"bytes"`
}

// ServiceDocument is a paper that visitors of a service bring.
type ServiceDocument struct {
	Key      string            `json:"key"` // does not change with the label
	Label    string            `json:"label"`
	Required bool              `json:"required"`
	Labels   map[string]string `json:"labels"` // labels in other languages; the label is shown if one is missing
}

// Consultant is a user to whom visits can be assigned. Its id is the user's id.
type Consultant struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Specialization []string `json:"specialization"`
	Serves         []string `json:"serves"` // ids of services; empty: all
	IsActive       bool     `json:"isActive"`
	Counter        *string  `json:"counter"` // suggested number of the desk, "" for none; nil from older releases
}

// Statuses of an appointment. Pending, confirmed and arrived appointments hold a place in their slot.
const (
	AppointmentStatusPending   = "pending"
	AppointmentStatusConfirmed = "confirmed"
	AppointmentStatusArrived   = "arrived"
	AppointmentStatusNoShow    = "no-show"
	AppointmentStatusCancelled = "cancelled"
	AppointmentStatusDeclined  = "declined"
	AppointmentStatusDone      = "done"
)

// Sources of an appointment: the form of the public page, or a desk of the office.
const (
	AppointmentSourcePage = "page"
	AppointmentSourceDesk = "desk"
)

// Appointment is an appointment, from the public page or booked by staff. Events of releases without slots have the
// fields until CreatedAt only.
type Appointment struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Phone         string    `json:"phone"`
	Email         string    `json:"email"`
	Service       string    `json:"service"`
	PreferredDate string    `json:"preferredDate"` // the slot's day
	PreferredTime string    `json:"preferredTime"` // the slot's time
	Message       string    `json:"message"`
	Status        string    `json:"status"`
	CreatedAt     wire.Time `json:"createdAt"`

	ServiceID      string     `json:"serviceId,omitzero"` // "" from older releases
	ConsultantID   string     `json:"consultantId,omitzero"`
	ConsultantName string     `json:"consultantName,omitzero"`
	Language       string     `json:"language,omitzero"` // the client's; "": the office's first language
	Messages       bool       `json:"messages,omitzero"` // the client agrees to text messages
	Source         string     `json:"source,omitzero"`
	Place          int        `json:"place,omitzero"`    // number in the slot, from 1; 0: none
	Sequence       int        `json:"sequence,omitzero"` // SEQUENCE of the calendar entry
	Moves          int        `json:"moves,omitzero"`    // moves by the client
	Version        int64      `json:"version,omitzero"`  // 0 from older releases
	VisitID        *string    `json:"visitId,omitzero"`  // the visit that the client came for
	EndedAt        *wire.Time `json:"endedAt,omitzero"`
	Tell           bool       `json:"tell,omitzero"` // the client is sent a message about this change
}

// Notification is a message from staff to the staff of some roles.
type Notification struct {
	ID          string    `json:"id"`
	Message     string    `json:"message"`
	Type        string    `json:"type"`
	TargetRoles []string  `json:"target_roles"`
	Sender      string    `json:"sender"`
	SenderRole  string    `json:"senderRole,omitzero"` // "" from releases without this field
	CreatedAt   wire.Time `json:"createdAt"`
}

// AuditAnchor is a head of the audit trail that another service stores: the number and the digest of the last record.
type AuditAnchor struct {
	N      int64  `json:"n"`
	Digest string `json:"digest"` // hexadecimal
}
