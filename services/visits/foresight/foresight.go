// Package foresight forecasts when the visitors of the line are called. It does no I/O: it computes ranges of times
// from the state of an office and the history of visits. The service and the simulator use the same functions.
//
// Learn fits the distributions of session and other times, called laws (learn.go), Model.Forecast simulates the line
// forward with the rule of package line (simulate.go), and Record turns the simulated quantiles into the range that is
// shown, calibrated so that the ranges of earlier visitors contain 80 % of their calls (record.go). Equal arguments
// give equal results: the random numbers are seeded by the state.
package foresight

import (
	"time"

	"baari.dev/services/visits/line"
)

// Setup has the rules of the line, the services, the consultants and the time zone of an office.
type Setup struct {
	Policy      line.Policy
	Services    []Service
	Consultants []Consultant
	Zone        *time.Location // zone of days, weekdays and half hours; nil means UTC
}

func (s Setup) local(t time.Time) time.Time {
	if s.Zone == nil {
		return t.UTC()
	}
	return t.In(s.Zone)
}

// day returns the day of a time in the office's zone, as midnight in UTC, so that all days have 24 hours.
func (s Setup) day(t time.Time) time.Time {
	year, month, day := s.local(t).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// minute returns the minutes since midnight on the office's clock.
func (s Setup) minute(t time.Time) float64 {
	t = s.local(t)
	return float64(t.Hour()*60+t.Minute()) + float64(t.Second())/60
}

// slot returns the number of the half hour of the day on the office's clock, from 0.
func (s Setup) slot(t time.Time) int { return int(s.minute(t)) / slotMinutes }

// Service is a service of the office, with its duration as the office estimates it.
type Service struct {
	ID         string
	EstMinutes float64
}

// Consultant is a consultant. Serves has the ids of the services that the consultant serves; empty means all.
type Consultant struct {
	ID     string
	Serves []string
}

// Outcome is how a sitting ended.
type Outcome string

// The outcomes. Missed means that the visitor did not answer the call.
const (
	Completed   Outcome = "completed"
	Held        Outcome = "held"
	Transferred Outcome = "transferred"
	Missed      Outcome = "missed"
)

// Sitting is a call together with the session that followed, if the visitor came.
type Sitting struct {
	VisitID                 string
	ServiceID, ConsultantID string
	Class                   line.Class
	Registered              time.Time
	Joined                  time.Time // time when the visitor first entered the line
	Called                  time.Time
	Started                 time.Time // zero if the visitor did not come
	Ended                   time.Time
	EndedAs                 Outcome
}

// History has the sittings of earlier visitors, in the order of their ends, and the visitors who left before a call.
type History struct {
	Sittings []Sitting
	Left     []Departure
	Booked   Attendance
}

// Attendance counts the past appointments by whether the visitor came.
type Attendance struct{ Arrived, NoShow int }

// State is the state of an office at one moment.
type State struct {
	At    time.Time
	Line  []Place // waiting visitors, then registered ones without a decision
	Desks []Desk  // desks of consultants who are not off
	// Expected has the confirmed appointments of the day without a visit. If there are any, they replace the learned
	// arrivals of the class appointment.
	Expected []Expected
}

// Expected is a confirmed appointment whose visitor has not come yet.
type Expected struct {
	ServiceID    string
	At           time.Time // the slot
	ConsultantID string    // "": the visitor has asked for no consultant
}

// Place is a visitor whose call is forecast.
type Place struct {
	line.Waiting
	New        bool // registered, not decided yet
	Registered time.Time
	Joined     time.Time // zero while New
}

// DeskState is the state of a desk between visitors.
type DeskState string

// The states of a desk. A desk in the state Last calls only visitors who are pinned to its consultant.
const (
	Open  DeskState = "open"
	Break DeskState = "break"
	Last  DeskState = "last"
	Off   DeskState = "off"
)

// Desk is the state of a consultant's desk at one moment.
type Desk struct {
	ConsultantID string
	State        DeskState
	Since        time.Time // time at which the desk opened, became free, called, or began a session or a break
	Until        time.Time // closing time; if zero, the desk does not close
	BackAt       time.Time // end of a break; zero if unknown
	Visit        *DeskVisit
}

// DeskVisit is the visitor whom a desk has called or serves.
type DeskVisit struct {
	ServiceID string
	InSession bool      // false while the visitor is only called
	Since     time.Time // time of the call, or of the session's start
}

// Note is a remark that is shown with the range of a forecast, or in its place.
type Note string

// The notes.
const (
	NobodyAtDesk  Note = "nobody_at_desk"   // no desk could call the visitor, so there is no range
	MayNotBeToday Note = "may_not_be_today" // more than 20 % of the simulated days end without a call of the visitor
)

// Estimate has quantiles of a visitor's simulated wait until the first call, in minutes from the time of the state.
type Estimate struct {
	VisitID       string
	Kind          Kind
	ServiceID     string
	Note          Note // "": none
	Q10, Q50, Q90 float64
}
