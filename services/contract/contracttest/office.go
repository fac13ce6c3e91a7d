// Package contracttest generates plausible events of visits, for tests of the services that project these events.
package contracttest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

// Office simulates a queue: each Next returns the next change of one of its visits, as the service visits publishes it.
type Office struct {
	Consultants []string // ids; each consultant has at most one session at a time
	Clock       time.Time
	Zone        *time.Location
	// Lives adds calls, holds, transfers, undos etc. If false, the events are like those of releases without stages.
	Lives bool

	random *rand.Rand
	open   []*contract.Visit
	over   []*contract.Visit // visits that have ended; only if Lives is true
	last   map[string]lastChange
	tokens map[string]int
}

// NewOffice opens an office at the given time. Offices with the same seed make the same changes, except for the ids.
func NewOffice(seed uint64, at time.Time, zone *time.Location, consultants ...string) *Office {
	return &Office{
		Consultants: consultants,
		Clock:       at,
		Zone:        zone,
		random:      rand.New(rand.NewPCG(seed, 1)),
		last:        map[string]lastChange{},
		tokens:      map[string]int{},
	}
}

// Events makes as many changes as count and returns them.
func (o *Office) Events(count int) []outbox.Change {
	changes := make([]outbox.Change, count)
	for i := range changes {
		changes[i] = o.Next()
	}
	return changes
}

// Next advances the clock. Then a visitor arrives or a visit changes: an open one or, if Lives is true, an ended one.
func (o *Office) Next() outbox.Change {
	o.Clock = o.Clock.Add(time.Duration(1+o.random.IntN(90)) * time.Second)
	if o.Lives && o.random.IntN(15) == 0 {
		if change, ok := o.Reopen(); ok {
			return change
		}
	}
	for range 5 {
		if len(o.open) == 0 || o.random.IntN(10) < 3 {
			break
		}
		if change, ok := o.advance(o.random.IntN(len(o.open))); ok {
			return change
		}
	}
	return o.Arrive()
}

// Arrive registers a new visitor.
func (o *Office) Arrive() outbox.Change {
	day := o.Clock.In(o.Zone).Format(time.DateOnly)
	o.tokens[day]++
	at := wire.Time(o.Clock)
	visit := &contract.Visit{
		ID: uuid.Must(uuid.NewV7()).String(), TokenNo: o.tokens[day], Token: fmt.Sprintf("T-%03d", o.tokens[day]), Day: day,
		Name: fmt.Sprintf("Visitor %d of %s", o.tokens[day], day), Phone: fmt.Sprintf("9%09d", o.random.IntN(1_000_000_000)),
		ServiceID: "0198f3a0-0000-7000-8000-000000000001", ServiceName: "ITR Filing", Status: contract.StatusNew,
		ReceptionNotes: "walked in", CreatedAt: at, UpdatedAt: at, CreatedByName: "Asha",
		NoticeVersion: "2026-11", Version: 1,
	}
	if o.Lives {
		o.stageOfStatus(visit)
	}
	o.open = append(o.open, visit)
	return changeOf(contract.VisitCreated, contract.RoleReception, nil, *visit)
}

// advance makes the next change of the open visit at index i. It returns false if the consultant is busy or missing.
func (o *Office) advance(i int) (outbox.Change, bool) {
	if o.Lives {
		return o.live(i)
	}
	visit := o.open[i]
	before := *visit
	now := wire.Time(o.Clock)
	visit.Version++
	visit.UpdatedAt = now
	switch {
	case visit.Status == contract.StatusNew && o.random.IntN(8) == 0:
		o.decide(visit, contract.StatusDenied)
		o.waited(visit)
		o.leave(i)
		return changeOf(contract.VisitDenied, contract.RolePA, &before, *visit), true
	case visit.Status == contract.StatusNew:
		consultant := o.Consultants[o.random.IntN(len(o.Consultants))]
		name := "CA " + consultant
		visit.ConsultantID, visit.ConsultantName = &consultant, &name
		o.decide(visit, contract.StatusApproved)
		return changeOf(contract.VisitApproved, contract.RolePA, &before, *visit), true
	case visit.Status == contract.StatusApproved && !o.isBusy(*visit):
		visit.Status, visit.StartedAt = contract.StatusInSession, &now
		o.waited(visit)
		return changeOf(contract.VisitInSession, contract.RoleConsultant, &before, *visit), true
	case visit.Status == contract.StatusInSession:
		minutes := max(1, int(o.Clock.Sub(time.Time(*visit.StartedAt)).Round(time.Minute).Minutes()))
		visit.Status, visit.CompletedAt = contract.StatusCompleted, &now
		visit.DurationMinutes, visit.SessionNotes = &minutes, "filed"
		o.leave(i)
		return changeOf(contract.VisitCompleted, contract.RoleConsultant, &before, *visit), true
	}
	*visit = before
	return outbox.Change{}, false
}

func (o *Office) decide(visit *contract.Visit, status string) {
	at, by := wire.Time(o.Clock), "Meena"
	visit.Status, visit.DecidedAt, visit.DecidedByName = status, &at, &by
}

func (o *Office) waited(visit *contract.Visit) {
	minutes := int(o.Clock.Sub(time.Time(visit.CreatedAt)).Minutes())
	visit.WaitMinutes = &minutes
}

func (o *Office) leave(i int) {
	o.open[i] = o.open[len(o.open)-1]
	o.open = o.open[:len(o.open)-1]
}

func changeOf(kind, role string, before *contract.Visit, after contract.Visit) outbox.Change {
	change := outbox.Change{
		Type: kind, Entity: contract.EntityVisit, EntityID: after.ID, Version: after.Version, After: after,
		Actor: &outbox.Actor{ID: role, Name: "The " + role, Email: role + "@example.com", Role: role, IP: "192.0.2.7"}}
	if before != nil {
		change.Before = *before
	}
	return change
}
