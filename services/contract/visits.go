package contract

import "baari.dev/services/platform/wire"

// Visit is the payload of a visit's events. No field depends on the time of publication, so the value after one event
// equals the value before the next event, except for Offline, ByHand, Undone and SentBy. Only the audit trail masks the
// phone. If the actor of a start or completion is an admin other than consultantId, the admin acted for the consultant.
// Events of releases without stages lack stage and the fields after it; the stage then follows from the status.
type Visit struct {
	ID              string     `json:"id"`
	Series          string     `json:"series,omitzero"` // T, or A to H of a desk; "" from releases without series
	TokenNo         int        `json:"tokenNo"`
	Token           string     `json:"token"`
	Day             string     `json:"day"`
	Name            string     `json:"name"`
	Phone           string     `json:"phone"`
	ServiceID       string     `json:"serviceId"`
	ServiceName     string     `json:"serviceName"`
	Language        string     `json:"language"` // BCP 47 tag; "" from releases without languages
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
	WaitMinutes     *int       `json:"waitMinutes"` // set when the session starts or the visit ends without one
	DurationMinutes *int       `json:"durationMinutes"`
	CreatedByName   string     `json:"createdByName"`
	DecidedByName   *string    `json:"decidedByName"`
	NoticeVersion   string     `json:"noticeVersion"`
	Version         int64      `json:"version"`

	Stage          string     `json:"stage,omitzero"`
	Class          string     `json:"class,omitzero"`
	Pinned         bool       `json:"pinned"` // waits only for consultantId
	Counter        string     `json:"counter"`
	RankAt         *wire.Time `json:"rankAt"` // nil until the visit enters the line
	DueAt          *wire.Time `json:"dueAt"`
	MovedDue       *wire.Time `json:"movedDue"` // replaces dueAt in the order of the line
	MovedBy        string     `json:"movedBy"`
	MovedReason    string     `json:"movedReason"`
	MovedForced    bool       `json:"movedForced"` // whether the visit goes even before visits that must be next
	CalledAt       *wire.Time `json:"calledAt"`    // the last call
	CalledByID     *string    `json:"calledById"`
	CallCount      int        `json:"callCount"`
	MissedCount    int        `json:"missedCount"`
	HeldAt         *wire.Time `json:"heldAt"`
	HeldReason     string     `json:"heldReason"`
	HeldNote       string     `json:"heldNote"`
	HeldUntil      *wire.Time `json:"heldUntil"`
	SatSince       *wire.Time `json:"satSince"`       // start of the running part of the session
	SessionSeconds int        `json:"sessionSeconds"` // total of the parts that have ended
	Sittings       int        `json:"sittings"`
	EndedAt        *wire.Time `json:"endedAt"` // the time at which the stage became left, no-show or cancelled
	Transfers      int        `json:"transfers"`
	AppointmentID  *string    `json:"appointmentId"`
	AppointmentAt  *wire.Time `json:"appointmentAt"`
	CorrectedAt    *wire.Time `json:"correctedAt"`

	TokenAlso   string     `json:"tokenAlso,omitzero"`   // a second token, given while a paired desk was offline
	Offline     bool       `json:"offline,omitzero"`     // registered by an offline paired desk; also set by a merge
	ArrivedAt   *wire.Time `json:"arrivedAt,omitzero"`   // the time when the visitor arrived at the paired desk
	AfterNo     *int       `json:"afterNo,omitzero"`     // the last number of the series T at that time
	ServiceGone bool       `json:"serviceGone,omitzero"` // the service had been withdrawn when the desk sent the visit

	// The fields below are set only in the event of the change itself, and there only in the value after the change.
	ByHand bool   `json:"byHand,omitzero"` // whether a user has chosen the visitor or the place in the line
	Undone string `json:"undone,omitzero"` // kind of the event that was undone
	SentBy string `json:"sentBy,omitzero"` // user who sent what a paired desk had noted offline
}

// VisitDocuments is the payload of the events of a visit's papers: all papers after the change, and the visit's stage.
type VisitDocuments struct {
	VisitID      string          `json:"visitId"`
	Token        string          `json:"token"`
	Day          string          `json:"day"`
	Stage        string          `json:"stage"`
	Pinned       bool            `json:"pinned"`
	ConsultantID *string         `json:"consultantId"`
	Documents    []VisitDocument `json:"documents"`
	Version      int64           `json:"version"` // version of the papers, not of the visit
}

// VisitDocument is a paper of a visit.
type VisitDocument struct {
	No       int     `json:"no"`  // counts from 1 within the visit
	Key      *string `json:"key"` // key in the service's checklist; nil: not in it
	Label    string  `json:"label"`
	Required bool    `json:"required"`
	State    string  `json:"state"` // missing, brought, left, returned
	Form     *string `json:"form"`  // original, copy; nil: unknown
	Pages    *int    `json:"pages"` // nil: not counted
	// Number of the receipt, such as ACK-2026-000001; nil without a receipt.
	Acknowledgement *string `json:"acknowledgement"`
}

// Purposes of a consent.
const (
	PurposeServe    = "serve"    // the visit itself; recorded with the notice, no consent is needed
	PurposeMessages = "messages" // messages to the visitor's phone about this visit
	PurposeLater    = "later"    // contact after the visit
)

// Consent is the payload of the events of a consent record of a visit: the whole record. It has no personal data.
type Consent struct {
	ID            string     `json:"id"`
	VisitID       string     `json:"visitId"`
	Token         string     `json:"token"`
	Day           string     `json:"day"`
	Purpose       string     `json:"purpose"`
	Means         string     `json:"means"` // read, aloud, slip, page
	NoticeVersion string     `json:"noticeVersion"`
	GivenAt       wire.Time  `json:"givenAt"`
	WithdrawnAt   *wire.Time `json:"withdrawnAt"`
}

// PrivacyRequest is the payload of the events of a privacy request, without phone and text.
type PrivacyRequest struct {
	ID         string     `json:"id"`
	Kind       string     `json:"kind"`  // access, correction, erasure, grievance, nomination
	State      string     `json:"state"` // open, answered, refused
	ReceivedAt wire.Time  `json:"receivedAt"`
	DueAt      wire.Time  `json:"dueAt"`
	AnsweredAt *wire.Time `json:"answeredAt"`
	Version    int64      `json:"version"`
}

// PrivacyUse is the payload of the events of an admin's work with the data of one or more persons. It contains none of
// the data, but the numbers of rows that were found or erased.
type PrivacyUse struct {
	ID            string  `json:"id"`
	Reason        string  `json:"reason,omitzero"`
	RequestID     *string `json:"requestId,omitzero"`
	Visits        int     `json:"visits"`
	Appointments  int     `json:"appointments"`
	Arrivals      int     `json:"arrivals"` // requests for a token, sent from a visitor's phone
	Notifications int     `json:"notifications"`
	Persons       int     `json:"persons,omitzero"` // number of persons in a breach
	From          string  `json:"from,omitzero"`    // days of the breach
	To            string  `json:"to,omitzero"`
}

// Link is the payload of the events of the link to a visitor's page, without the link's code.
type Link struct {
	VisitID string `json:"visitId"`
	Token   string `json:"token"`
}

// Arrival is the payload of events of a request for a token from a visitor's phone. It has no name and no phone number.
type Arrival struct {
	ID            string  `json:"id"`
	State         string  `json:"state"` // waiting, accepted, refused, gone
	ServiceID     string  `json:"serviceId"`
	Language      string  `json:"language"`
	NoticeVersion string  `json:"noticeVersion"`
	Messages      bool    `json:"messages"` // the visitor agrees to messages
	VisitID       *string `json:"visitId"`  // once accepted
}

// Message is the payload of the events of a message to a visitor, without the phone number and the text.
type Message struct {
	VisitID string `json:"visitId"`
	Token   string `json:"token"`
	Channel string `json:"channel"` // push, sms, whatsapp, mail
	Kind    string `json:"kind"`    // near, called
}
