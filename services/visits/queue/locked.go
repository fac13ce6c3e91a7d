package queue

import (
	"errors"
	"slices"
	"time"

	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/line"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// needs lists what a transaction must lock and read for its commands.
type needs struct {
	line                                visit.LineUse
	visits, sessions                    []string // ids of visits and of consultants
	services, consultants, appointments []string
	before                              string // id of the visit whose last change is undone
	released                            []string
	policy, staff, engaged, waiting     bool
}

// locked has what a transaction has locked and read for its commands.
type locked struct {
	visits       map[string]row.Snapshot // keyed by id
	services     map[string]string       // names of active services, by id
	consultants  map[string]string       // names of active consultants, by id
	appointments map[string]appointment
	policy       line.Policy
	staff        []catalog.Staff
	engaged      []visit.Engagement
	beforeCall   map[string]*visit.Visit // released visits as they were before their calls, by id
	waiting      []line.Waiting          // the line of today
	desks        map[string]desk
	at           row.Point // time and position at which calls of the next visitor read the line
}

// appointment is the state of an appointment when a visit is registered for it.
type appointment struct {
	slot   time.Time
	usable bool // whether it is confirmed or was noted as no-show, is of today, and has no visit
	taken  bool // whether it has a visit that is not cancelled
	now    time.Time
}

// errTaken is the cause of a rejection that directory could not change.
var errTaken = errors.New("the appointment has a visit")

// rejection returns the error for an appointment that is not usable.
func (a appointment) rejection() error {
	if a.taken {
		return catalog.ErrAppointmentUnknown.Because(errTaken)
	}
	return catalog.ErrAppointmentUnknown
}

func newLocked() *locked {
	return &locked{
		visits:       map[string]row.Snapshot{},
		services:     map[string]string{},
		consultants:  map[string]string{},
		appointments: map[string]appointment{},
		policy:       line.DefaultPolicy(),
		desks:        map[string]desk{},
		beforeCall:   map[string]*visit.Visit{},
	}
}

// desk returns the desk of a consultant in the form of package line.
func (l *locked) desk(consultantID string) line.Desk {
	d := line.Desk{Consultant: consultantID, PinsOnly: l.desks[consultantID].State == deskLast}
	if i := slices.IndexFunc(l.staff, func(s catalog.Staff) bool { return s.ID == consultantID }); i >= 0 {
		d.Serves = l.staff[i].Serves
	}
	return d
}

func (l *locked) served(serviceID string) bool {
	return slices.ContainsFunc(l.staff, func(s catalog.Staff) bool {
		return len(s.Serves) == 0 || slices.Contains(s.Serves, serviceID)
	})
}

// facts returns what the rules need to know about an actor's change of a visit.
func (l *locked) facts(s row.Snapshot, by visit.Actor) visit.Facts {
	f := visit.Facts{
		At: s.At.Clock, Today: s.At.Today, DayStart: s.At.Start, Local: s.At.Local,
		Allowances: map[string]time.Duration{}, MissAfter: l.policy.MissAfter,
		Last: s.Last, Engaged: l.engaged, BeforeCall: l.beforeCall[s.Visit.ID],
	}
	for class, allowance := range l.policy.Allowances {
		f.Allowances[string(class)] = allowance
	}
	if l.policy.HandPick && s.Visit.Stage == visit.StageWaiting {
		f.Eligible = !s.Visit.Pinned && line.Desk{Serves: l.desk(by.ID).Serves}.Takes(line.Waiting{
			ServiceID: s.Visit.ServiceID,
		})
	}
	return f
}

// ahead returns the ids of the waiting visitors in a desk's line who rank before a visit.
func (l *locked) ahead(v visit.Visit, of line.Desk) []string {
	var ids []string
	for _, w := range l.waiting {
		if w.ID != v.ID && of.Takes(w) && w.RankAt.Before(v.RankAt.Truncate(time.Millisecond)) {
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// rivals returns the waiting visitors who share a possible consultant with a visit.
func (l *locked) rivals(v visit.Visit) []line.Waiting {
	own := row.LineOf(v)
	var rivals []line.Waiting
	for _, w := range l.waiting {
		shares := slices.ContainsFunc(l.staff, func(s catalog.Staff) bool {
			d := line.Desk{Consultant: s.ID, Serves: s.Serves}
			return d.Takes(own) && d.Takes(w)
		})
		if w.ID != v.ID && shares {
			rivals = append(rivals, w)
		}
	}
	return rivals
}
