// Package contract holds the words that services share: roles, statuses, the kinds of events and what stands
// in them. It has no behaviour. Fields are added, never changed in meaning; a new meaning is a new kind.
package contract

import "baari.dev/services/platform/wire"

// Sources of events: the services that own something.
const (
	SourceAuth      = "auth"
	SourceVisits    = "visits"
	SourceDirectory = "directory"
	SourceAudit     = "audit"
	SourceRealtime  = "realtime"
)

// Roles of staff.
const (
	RoleReception  = "reception"
	RolePA         = "pa"
	RoleConsultant = "consultant"
	RoleAdmin      = "admin"
)

// Statuses of a visit.
const (
	StatusNew       = "new"
	StatusApproved  = "approved"
	StatusInSession = "in-session"
	StatusCompleted = "completed"
	StatusDenied    = "denied"
)

// Entities that events and audit records are about.
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
)

// Kinds of events. An event's audit action is its kind without the entity, but for visits: see events.md.
const (
	VisitCreated   = "visit_created"
	VisitApproved  = "visit_approved"
	VisitDenied    = "visit_denied"
	VisitInSession = "visit_in_session"
	VisitCompleted = "visit_completed"
	VisitErased    = "visit_erased"

	UserRegistered      = "user_registered"
	UserRoleSet         = "user_role_set"
	UserRoleChanged     = "user_role_changed"
	UserActivated       = "user_activated"
	UserDeactivated     = "user_deactivated"
	UserUpdated         = "user_updated"
	UserEmailChanged    = "user_email_changed"
	UserPasswordChanged = "user_password_changed"
	UserInvited         = "user_invited"
	UserDeleted         = "user_deleted"

	SessionSignedIn     = "session_signed_in"
	SessionSignInFailed = "session_sign_in_failed"
	SessionSignedOut    = "session_signed_out"
	SessionRevoked      = "session_revoked"

	ServiceCreated       = "service_created"
	ServiceUpdated       = "service_updated"
	ConsultantCreated    = "consultant_created"
	ConsultantUpdated    = "consultant_updated"
	AppointmentRequested = "appointment_requested"
	AppointmentConfirmed = "appointment_confirmed"
	AppointmentDeclined  = "appointment_declined"
	AppointmentDone      = "appointment_done"
	AppointmentErased    = "appointment_erased"
	OfficeLoaded         = "office_loaded"

	NotificationSent   = "notification_sent"
	NotificationErased = "notification_erased"
	AccessDenied       = "access_denied"
	AuditRead          = "audit_read"
	ExportExported     = "export_exported"
)

// Visit is a whole visit as its events tell it, nothing that depends on the time of telling: what one event
// says after, the next says before. The phone is whole: audit masks it when it copies. An admin acted for the
// consultant when the actor of a start or completion is an admin other than consultantId.
type Visit struct {
	ID              string     `json:"id"`
	TokenNo         int        `json:"tokenNo"`
	Token           string     `json:"token"`
	Day             string     `json:"day"`
	Name            string     `json:"name"`
	Phone           string     `json:"phone"`
	ServiceID       string     `json:"serviceId"`
	ServiceName     string     `json:"serviceName"`
	Status          string     `json:"status"`
	ConsultantID    *string    `json:"consultantId"`
	ConsultantName  *string    `json:"consultantName"`
	ReceptionNotes  string     `json:"receptionNotes"`
	PANotes         string     `json:"paNotes"`
	SessionNotes    string     `json:"sessionNotes"`
	CreatedAt       wire.Time  `json:"createdAt"`
	UpdatedAt       wire.Time  `json:"updatedAt"`
	DecidedAt       *wire.Time `json:"decidedAt"`
	StartedAt       *wire.Time `json:"startedAt"`
	CompletedAt     *wire.Time `json:"completedAt"`
	WaitMinutes     *int       `json:"waitMinutes"` // once the session started or the visit was denied
	DurationMinutes *int       `json:"durationMinutes"`
	CreatedByName   string     `json:"createdByName"`
	DecidedByName   *string    `json:"decidedByName"`
	NoticeVersion   string     `json:"noticeVersion"`
	Version         int64      `json:"version"`
}

// User is an account as its events tell it. Credentials are never in it.
type User struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Email         string    `json:"email"`
	EmailVerified bool      `json:"emailVerified"`
	Role          string    `json:"role"`
	IsActive      bool      `json:"isActive"`
	CreatedAt     wire.Time `json:"createdAt"`
	UpdatedAt     wire.Time `json:"updatedAt"`
}

// Session is what an event tells of a session; the subject is its user. SessionIDs are those that ended.
type Session struct {
	UserID     string   `json:"userId"`
	SessionIDs []string `json:"sessionIds"`
	UserAgent  string   `json:"userAgent"`
}

// Service is something the office offers.
type Service struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	EstMinutes  int    `json:"est_minutes"`
	IsActive    bool   `json:"is_active"`
}

// Consultant is a person whom visitors can be assigned to. Its id is the user's id.
type Consultant struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Specialization []string `json:"specialization"`
	IsActive       bool     `json:"isActive"`
}

// Appointment is a request from the public page.
type Appointment struct {
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

// Notification is a message of staff to staff.
type Notification struct {
	ID          string    `json:"id"`
	Message     string    `json:"message"`
	Type        string    `json:"type"`
	TargetRoles []string  `json:"target_roles"`
	Sender      string    `json:"sender"`
	CreatedAt   wire.Time `json:"createdAt"`
}

// AuditAnchor is a head of the audit trail, as audit has another service keep it.
type AuditAnchor struct {
	N      int64  `json:"n"`
	Digest string `json:"digest"` // hexadecimal
}
