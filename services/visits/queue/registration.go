package queue

import (
	"time"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/visit"
)

// Registration is a request to register a visitor.
type Registration struct {
	Origin
	Visit visit.Visit // has no token or times, which the database assigns
	// The visitor's papers; nil: none were noted.
	Documents []visit.Document
	Notice    papers.Notice
	AskedAt   time.Time // time of the visitor's request for a token; zero: now. If set, the write is not batched
	Noted     *Noted    // set for a visit that a paired desk has noted without network
}

func (r *Registration) names() catalog.Names {
	names := catalog.Names{Service: r.Visit.ServiceID}
	if r.Visit.AppointmentID != nil {
		names.Appointment = *r.Visit.AppointmentID
	}
	return names
}

func (*Registration) visitID() string { return "" }

func (r *Registration) need(n *needs) {
	n.services = append(n.services, r.Visit.ServiceID)
	if r.Visit.AppointmentID != nil {
		n.appointments = append(n.appointments, *r.Visit.AppointmentID)
		n.policy = true
	}
}

// plan implements planner. A noted visit keeps the printed service name if the service is no longer offered. Errors:
// service_unknown, appointment_unknown.
func (r *Registration) plan(have *locked) (*planned, error) {
	p := &planned{Origin: &r.Origin, registration: r, after: r.Visit, event: visit.Created}
	name, offered := have.services[r.Visit.ServiceID]
	switch p.after.ServiceName = name; {
	case offered:
	case r.Noted == nil:
		return nil, catalog.ErrServiceUnknown
	default:
		p.after.ServiceName, p.after.ServiceGone = r.Noted.ServiceName, true
	}
	if r.Visit.AppointmentID != nil {
		found := have.appointments[*r.Visit.AppointmentID]
		if !found.usable {
			return nil, found.rejection()
		}
		p.after.AppointmentAt = &found.slot
		if !found.now.After(found.slot.Add(have.policy.LateAppointment)) {
			p.after.Class = string(line.Appointment)
		}
	}
	return p, nil
}

// author returns the user who has noted the values of a registration. For a noted visit it is the user at the paired
// desk, who may differ from the sender.
func (r *Registration) author() visit.Actor {
	if r.Noted != nil {
		return visit.Actor{ID: r.Visit.CreatedBy, Name: r.Visit.CreatedByName}
	}
	return r.By
}

// Noted has the values that a paired desk without network has noted about a visit, in addition to the visitor's data.
type Noted struct {
	Device, Series string // the paired desk's
	Day            string // day of the token, YYYY-MM-DD
	Number         int
	Key            string     // the registration's
	ServiceName    string     // printed name
	NoticeVersion  string     // version that the paired desk had
	ArrivedAt      time.Time  // time of the arrival as the paired desk has noted it
	Earliest       *time.Time // earliest possible arrival
}
