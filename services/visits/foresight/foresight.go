// Package foresight forecasts when the visitors of the line are called. It does no I/O: it computes ranges of times
// from the state of an office and the history of visits. The service and the simulator use the same functions.
//
// Learn fits service times and the other laws (learn.go), Model.Forecast simulates the line forward with the rule of
// package line (simulate.go), and Record turns the simulated quantiles into the range that is shown, calibrated to
// contain the call of 80 % of earlier visitors (record.go). Equal arguments give equal results: the random numbers are
// seeded by the state.
package foresight

import (
	"time"

	"baari.dev/services/visits/line"
)

// Setup has what does not change during a day of an office.
type Setup struct {
	Policy      line.Policy
	Services    []Service
	Consultants []Consultant
	Zone        *time.Location // zone whose days, weekdays and half hours count; nil: UTC
}

// local returns a time by the office's clock.
func (s Setup) local(t time.Time) time.Time {
	if s.Zone == nil {
		return t.UTC()
	}
	return t.In(s.Zone)
}

// day returns the office's day of a time. Days are midnights in UTC, so that each has 24 hours.
func (s Setup) day(t time.Time) time.Time {
	year, month, day := s.local(t).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// minute returns the minute of the office's day, by its clock.
func (s Setup) minute(t time.Time) float64 {
	t = s.local(t)
	return float64(t.Hour()*60+t.Minute()) + float64(t.Second())/60
}

// slot returns the half hour of the office's day.
func (s Setup) slot(t time.Time) int { return int(s.minute(t)) / slotMinutes }

// Service is a service of the office with the duration that the office entered.
type Service struct {
	ID         string
	EstMinutes float64
}

// Consultant is a consultant and the services that they serve; empty: all.
type Consultant struct {
	ID     string
	Serves []string
}

// Outcome is how a sitting ended.
type Outcome string

// The outcomes. Missed is a call without a response of the visitor.
const (
	Completed   Outcome = "completed"
	Held        Outcome = "held"
	Transferred Outcome = "transferred"
	Missed      Outcome = "missed"
)

// Sitting is a call and its result.
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

// History has the earlier visitors: the calls in the order of their ends, and visitors who left before a call.
type History struct {
	Sittings []Sitting
	Left     []Departure
}

// State is an office at a moment.
type State struct {
	At    time.Time
	Line  []Place // waiting visitors, then registered ones without a decision
	Desks []Desk  // desks of consultants who are not off
}

// Place is a visitor whose call is forecast.
type Place struct {
	line.Waiting
	New        bool // registered, not decided yet
	Registered time.Time
	Joined     time.Time // zero while New
}

// DeskState is what a consultant does between visitors.
type DeskState string

// The states of a desk. Last calls only visitors who are pinned to it.
const (
	Open  DeskState = "open"
	Break DeskState = "break"
	Last  DeskState = "last"
	Off   DeskState = "off"
)

// Desk is a consultant at a moment.
type Desk struct {
	ConsultantID string
	State        DeskState
	Since        time.Time // time at which it opened, became free, called, started or began a break
	Until        time.Time // closing time; zero: when the line is empty
	BackAt       time.Time // end of a break; zero: unknown
	Visit        *DeskVisit
}

// DeskVisit is the visitor whom a desk has called or serves.
type DeskVisit struct {
	ServiceID string
	InSession bool      // called otherwise
	Since     time.Time // time of the call or of the start
}

// Note is a remark of a forecast beside, or in place of, its range.
type Note string

// The notes.
const (
	NobodyAtDesk  Note = "nobody_at_desk"   // no desk could call the visitor, so there is no range
	MayNotBeToday Note = "may_not_be_today" // not called before the desks close in more than 20 % of the simulated days
)

// Estimate is the simulated wait of a visitor until the first call, in minutes from the moment.
type Estimate struct {
	VisitID       string
	Kind          Kind
	ServiceID     string
	Note          Note // "": none
	Q10, Q50, Q90 float64
}
