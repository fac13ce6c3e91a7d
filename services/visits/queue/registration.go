package queue

import (
	"time"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Registration is a request to register a visitor.
type Registration struct {
	Origin
	Visit visit.Visit // without token and times, which the database assigns
	// The papers of the visitor; nil: none were noted.
	Documents []visit.Document
	Notice    papers.Notice
	AskedAt   time.Time // when the visitor asked for this registration, which is written alone; zero: now
	Noted     *Noted    // of a visit that a desk has noted without network; nil: of any other
}

func (r *Registration) names() (serviceID, consultantID string) { return r.Visit.ServiceID, "" }

func (*Registration) visitID() string { return "" }

func (r *Registration) need(n *needs) {
	n.services = append(n.services, r.Visit.ServiceID)
	if r.Visit.AppointmentID != nil {
		n.appointments = append(n.appointments, *r.Visit.AppointmentID)
		n.policy = true
	}
}

// plan implements planner. A noted visit whose service is not offered any more keeps the name that was printed. Errors:
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
			return nil, row.ErrAppointmentUnknown
		}
		p.after.AppointmentAt = &found.slot
		if !found.now.After(found.slot.Add(have.policy.LateAppointment)) {
			p.after.Class = string(line.Appointment)
		}
	}
	return p, nil
}

// author returns who has noted what is written with a registration: of a noted visit the person at the desk, who may be
// another than the sender.
func (r *Registration) author() visit.Actor {
	if r.Noted != nil {
		return visit.Actor{ID: r.Visit.CreatedBy, Name: r.Visit.CreatedByName}
	}
	return r.By
}

// Noted is what a desk without network has noted of a visit beside the visitor.
type Noted struct {
	Device, Series string // of the desk
	Day            string // of the token, YYYY-MM-DD
	Number         int
	Key            string     // of the registration
	ServiceName    string     // as it was printed
	NoticeVersion  string     // that the desk had
	ArrivedAt      time.Time  // as the desk says
	Earliest       *time.Time // the arrival was not before
}
