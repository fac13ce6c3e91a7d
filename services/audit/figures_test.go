package audit

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/wire"
)

const someService = "01890000-0000-7000-8000-000000000001"

// completedVisit returns the event of a completed visit. waited and session are the durations of its wait and its
// session, in minutes. If session is 0, the visit is denied instead.
func completedVisit(at time.Time, service, consultant string, waited, session int) outbox.Change {
	visit := contract.Visit{ID: uuid.NewString(), TokenNo: 1, Token: "T-001", Day: at.In(officeZone).Format(time.DateOnly),
		Name: "Asha", Phone: "9876543210",
		ServiceID: service, ServiceName: "Service " + service[35:], Status: contract.StatusDenied, CreatedAt: wire.Time(at),
		UpdatedAt: wire.Time(at), Version: 4}
	if session > 0 {
		started := wire.Time(at.Add(time.Duration(waited) * time.Minute))
		completed := wire.Time(at.Add(time.Duration(waited+session) * time.Minute))
		name := "CA " + consultant
		visit.Status, visit.ConsultantID, visit.ConsultantName, visit.StartedAt, visit.CompletedAt = contract.StatusCompleted,
			&consultant, &name, &started, &completed
	}
	return outbox.Change{Type: contract.VisitCompleted, Entity: contract.EntityVisit, EntityID: visit.ID, Version: 4,
		After: visit}
}

var officeZone = mustZone()

func mustZone() *time.Location {
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return location
}

func (o *office) figuresOf(t *testing.T, target string) figuresAnswer {
	t.Helper()
	w := o.call(t, "admin", "/api/analytics/"+target)
	if w.Code != http.StatusOK {
		t.Fatalf("%s answered %d %s", target, w.Code, w.Body)
	}
	return decode[figuresAnswer](t, w.Body.Bytes())
}

func TestFiguresOfAConsultantAndOfAService(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	const other = "01890000-0000-7000-8000-000000000002"
	on := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, officeZone) }
	visits.Publish(t,
		completedVisit(on(9, 10), someService, "rao", 90, 90), // one day before the period
		completedVisit(on(10, 10), someService, "rao", 10, 20), completedVisit(on(10, 11), someService, "rao", 25, 41),
		completedVisit(on(12, 10), other, "rao", 4, 30), completedVisit(on(12, 11), someService, "iyer", 6, 10),
		completedVisit(on(12, 12), someService, "", 0, 0),
	)
	o.caughtUp(t, visits)

	rao := o.figuresOf(t, "consultants/rao?start_date=2026-11-10&end_date=2026-11-16")
	if rao.Period != (periodBody{"2026-11-10", "2026-11-16"}) || rao.Totals.Total != 3 || rao.Totals.Completed != 3 {
		t.Errorf("the period is %+v, totals %+v", rao.Period, rao.Totals)
	}
	if m := minutesOf(rao.Totals); m != [4]float64{13, 25, 30.3, 41} { // (10 + 25 + 4) / 3, (20 + 41 + 30) / 3
		t.Errorf("waits and sessions are %v", m)
	}
	if len(rao.Days) != 2 || rao.Days[0].Day != "2026-11-10" ||
		minutesOf(rao.Days[0].tallyBody) != [4]float64{17.5, 25, 30.5, 41} || rao.Days[1].Total != 1 {
		t.Errorf("days are %+v", rao.Days)
	}
	if len(rao.Partners) != 2 || rao.Partners[0].ID != someService || rao.Partners[0].Name != "Service 1" ||
		rao.Partners[0].Total != 2 {
		t.Errorf("services are %+v", rao.Partners)
	}

	service := o.figuresOf(t, "services/"+someService+"?start_date=2026-11-10&end_date=2026-11-12")
	if s := service.Totals; s.Total != 4 || s.Denied != 1 || minutesOf(s) != [4]float64{13.7, 25, 23.7, 41} {
		t.Errorf("totals are %+v, %v", s, minutesOf(s))
	}
	if p := service.Partners; len(p) != 2 || p[0].Name != "CA rao" || p[1].ID != "iyer" || p[1].Total != 1 {
		t.Errorf("consultants are %+v", p)
	}
}

func minutesOf(t tallyBody) (minutes [4]float64) {
	for i, m := range []*float64{t.WaitMinutes, t.LongestWait, t.SessionMinutes, t.LongestSession} {
		if m != nil {
			minutes[i] = *m
		}
	}
	return minutes
}

// Without visits the figures are zeros and nulls. A missing date means today.
func TestFiguresWithoutVisitsAreZero(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	got := o.figuresOf(t, "consultants/unknown")
	if got.Period != (periodBody{"2026-11-20", "2026-11-20"}) || got.Totals != (tallyBody{}) || len(got.Days) != 0 ||
		len(got.Partners) != 0 {
		t.Errorf("%+v", got)
	}
	for target, status := range map[string]int{
		"consultants/x?start_date=2026-11-02&end_date=2026-11-01": 400,
		"consultants/x?start_date=2025-11-01&end_date=2026-11-02": 400,
		"services/x": 404, "services/" + someService + "?start_date=tomorrow": 400, "consultants/%01": 404,
	} {
		if w := o.call(t, "admin", "/api/analytics/"+target); w.Code != status {
			t.Errorf("%s answered %d %s, want %d", target, w.Code, w.Body, status)
		}
	}
}

// FuzzFiguresID checks that an id is accepted or rejected with fault.ErrNotFound.
func FuzzFiguresID(f *testing.F) {
	for _, id := range []string{"", someService, "K3XqKkzJ0n9VQf5l2m1p8s7t6u4w3y2z",
		"{01890000-0000-7000-8000-000000000001}", "a\x00b", "\xff", "' OR 1=1"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func(string) (string, error){readUserID, readRecordID} {
			if _, err := read(text); err != nil && !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("%q is rejected with %v", text, err)
			}
		}
	})
}

// If a visit moves to another service and consultant, its figures move, too. Register and export show its second token.
func TestFiguresFollowAVisitThatMoves(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	const other = "01890000-0000-7000-8000-000000000002"
	first := completedVisit(noon, someService, "rao", 10, 20)
	moved := first.After.(contract.Visit)
	iyer, name := "iyer", "CA iyer"
	moved.ServiceID, moved.ServiceName, moved.ConsultantID, moved.ConsultantName = other, "Service 2", &iyer, &name
	moved.TokenAlso, moved.Version = "A-003", 5
	o.publish(t, visits, first, outbox.Change{Type: contract.VisitMerged, Entity: contract.EntityVisit,
		EntityID: moved.ID, Version: 5, Before: first.After, After: moved})
	const days = "?start_date=2026-11-20&end_date=2026-11-20"
	for target, total := range map[string]int{
		"consultants/rao": 0, "consultants/iyer": 1, "services/" + someService: 0, "services/" + other: 1,
	} {
		if got := o.figuresOf(t, target+days).Totals.Total; got != total {
			t.Errorf("%s has %d visits, want %d", target, got, total)
		}
	}
	p := o.periodOf(t, days).Period
	if len(p.Services) != 1 || p.Services[0].ID != other || len(p.Consultants) != 1 || p.Consultants[0].ID != iyer ||
		len(p.Hours) != 1 || p.Hours[0].Waits.Visits != 1 {
		t.Errorf("the period is %+v", p)
	}
	w := o.call(t, "admin", "/api/analytics/register?day=2026-11-20")
	if got := decode[registerAnswer](t, w.Body.Bytes()); len(got.Entries) != 1 || got.Entries[0].TokenAlso != "A-003" {
		t.Errorf("the register is %s", w.Body)
	}
	lines := sheetLines(o.call(t, "admin", "/api/analytics/export"+days+"&detail=1"))
	if !strings.HasSuffix(lines[1], `"A-003",""`) {
		t.Errorf("the export has %s", lines[1])
	}
}
