package contract

import (
	"time"

	"baari.dev/services/platform/wire"
)

// The types below are bodies of internal calls. No event carries them, so the audit trail does not show their fields.

// Line is what the service visits returns to the service lobby: the visitors with a place in the line or a forecast,
// and the last calls, newest first. It contains neither names nor phone numbers.
type Line struct {
	Places []LinePlace `json:"places"`
	Now    []LineCall  `json:"now"`
}

// LinePlace is a visitor's place in the line. Ahead is the number of earlier visitors who can be called by one of the
// same consultants; it is null while the visitor is not in the line.
type LinePlace struct {
	VisitID  string     `json:"visit_id"`
	Ahead    *int       `json:"ahead"`
	Forecast *LineRange `json:"forecast"`
}

// LineRange is the range of times in which the visitor is expected to be called. It does not have the time of the
// computation, so that the response changes only if a visitor's page changes.
type LineRange struct {
	From  *wire.Time `json:"from"`
	To    *wire.Time `json:"to"`
	Early bool       `json:"early"`
	Note  *string    `json:"note"`
}

// LineCall is a visitor who was called: in session, or expected at the desk.
type LineCall struct {
	Token   string    `json:"token"`
	Counter string    `json:"counter"`
	At      wire.Time `json:"at"`
}

// PastVisit is a visit of the past with the times of its changes, in the form in which the service visits imports it.
// If a time is nil, the change was not made.
type PastVisit struct {
	Name            string     `json:"name"`
	Phone           string     `json:"phone"`
	ServiceID       string     `json:"service_id"`
	Notes           string     `json:"notes"`
	CreatedAt       time.Time  `json:"created_at"`
	DecidedAt       *time.Time `json:"decided_at,omitempty"`
	Denied          bool       `json:"denied,omitempty"`
	ConsultantID    string     `json:"consultant_id,omitempty"`
	PANotes         string     `json:"pa_notes,omitempty"`
	StartedAt       *time.Time `json:"started_at,omitempty"`
	CompletedAt     *time.Time `json:"completed_at,omitempty"`
	SessionNotes    string     `json:"session_notes,omitempty"`
	ReceptionUserID string     `json:"reception_user_id"`
	PAUserID        string     `json:"pa_user_id,omitempty"`
	// The range that the visitor was shown after the decision; nil: none.
	Promise *PastPromise `json:"promise,omitempty"`
}

// PastPromise has a range shown to a visitor and the quantiles that it came from, in minutes after the decision.
type PastPromise struct {
	Q10   float64   `json:"q10"`
	Q50   float64   `json:"q50"`
	Q90   float64   `json:"q90"`
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Place float64   `json:"place"` // simple forecast by the place in the line, in minutes
}
