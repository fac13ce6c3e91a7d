package visit

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A second table of the state machine, written by hand. A line has an action, STAGE>NEXT for each stage that accepts
// the action, and the roles that have a grant. ROLE:own limits a role to the actor's own visits, ROLE:registered to
// visits that the actor registered. Stages after a second colon limit the role to these stages.
const secondTable = `
approve    | new>waiting                                                              | pa admin
deny       | new>denied                                                               | pa admin
next       | waiting>called                                                           | consultant admin
call       | waiting>called held>called missed>called                                 | pa admin consultant:own
recall     | called>called | reception pa admin consultant:own system
release    | called>waiting | reception pa admin consultant:own
start      | waiting>in-session called>in-session held>in-session missed>in-session   | admin consultant:own
take       | waiting>in-session                                                       | admin consultant:own
miss       | called>missed | reception pa admin consultant:own system
back       | missed>waiting | reception pa admin consultant:own visitor
hold       | waiting>held called>held in-session>held ` +
	`| reception pa admin consultant:own:called,in-session visitor::waiting
resume     | held>waiting                                       | reception pa admin consultant:own system visitor
transfer   | waiting>waiting called>waiting held>waiting missed>waiting in-session>waiting | pa admin consultant:own
pin        | waiting>waiting                                                          | pa admin
move       | waiting>waiting                                                          | pa admin
prioritise | new>new waiting>waiting                                                  | reception pa admin
leave      | new>left waiting>left called>left held>left missed>left  ` +
	`| reception pa admin consultant:own visitor::new,waiting,held,missed
cancel     | new>cancelled waiting>cancelled held>cancelled missed>cancelled          | reception:registered pa admin
complete   | in-session>completed                                                     | admin consultant:own
reopen     | completed>waiting left>waiting no-show>waiting cancelled>waiting denied>new ` +
	`| pa admin reception::left,no-show,cancelled consultant:own:completed visitor::left
correct    | new>new waiting>waiting called>called held>held missed>missed in-session>in-session ` +
	`| pa admin reception:registered
sweep      | called>no-show missed>no-show                                            | system`

var everyStage = []Stage{
	StageNew, StageWaiting, StageCalled, StageHeld, StageMissed, StageInSession, StageCompleted, StageDenied, StageLeft,
	StageNoShow, StageCancelled,
}

// cell has the values of the second table for an action, a stage and a role.
type cell struct {
	to                Stage
	role, own, mine   bool   // role: has a grant; own: only own visits; mine: only visits that the actor registered
	only              string // stages of the grant, "": all
	known             bool   // whether the action is accepted in the stage
	stage             Stage
	ownVisit, created bool
}

func tableCell(line string, stage Stage, role string) (c cell) {
	parts := strings.Split(line, "|")
	c.stage = stage
	for _, edge := range strings.Fields(parts[1]) {
		from, to, _ := strings.Cut(edge, ">")
		if Stage(from) == stage {
			c.to, c.known = Stage(to), true
		}
	}
	for _, grant := range strings.Fields(parts[2]) {
		fields := append(strings.Split(grant, ":"), "", "")
		if fields[0] == role {
			c.role, c.own, c.mine, c.only = true, fields[1] == "own", fields[1] == "registered", fields[2]
		}
	}
	return c
}

func (c cell) accepts() bool {
	inStages := c.only == "" || strings.Contains(","+c.only+",", ","+string(c.stage)+",")
	return c.role && c.known && inStages && (!c.own || c.ownVisit) && (!c.mine || c.created)
}

func TestTheActionsAreThoseOfTheSecondTable(t *testing.T) {
	now := time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC)
	facts := Facts{At: now, Today: "2026-11-24", DayStart: now.Add(-6 * time.Hour), MissAfter: time.Minute}
	lines := strings.Split(strings.TrimSpace(secondTable), "\n")
	if len(lines) != len(Actions)-1 {
		t.Errorf("the second table has %d actions, the first %d besides undo", len(lines), len(Actions)-1)
	}
	for _, text := range lines {
		action := Action(strings.TrimSpace(strings.Split(text, "|")[0]))
		for _, stage := range everyStage {
			for _, role := range []string{reception, pa, consultant, admin, System, Visitor, "stranger"} {
				for _, own := range []bool{true, false} {
					checkCell(t, text, action, stage, role, own, facts)
				}
			}
		}
	}
}

func checkCell(t *testing.T, text string, action Action, stage Stage, role string, own bool, facts Facts) {
	t.Helper()
	c := tableCell(text, stage, role)
	c.ownVisit, c.created = own, own
	v := visitIn(stage, own, facts.At)
	want := Request{
		Action: action, Consultant: &Consultant{ID: theirConsultant}, Class: "priority", RankAt: &facts.At,
		Reason: "late",
	}
	by := Actor{ID: theirConsultant, Role: role}
	if action == Take && stage == StageWaiting { // own is then whether the visit is in the actor's line
		v, facts.Eligible = v.assigned(nil), own
	}
	after, outcome, err := v.Change(by, want, facts)
	if got := outcome == Apply; got != c.accepts() {
		t.Errorf("%s from %s by %s (own %v): accepted %v, want %v (%v)", action, stage, role, own, got, c.accepts(), err)
	}
	if outcome == Apply && (after.Stage != c.to || after.Status != after.Stage.Status()) {
		t.Errorf("%s from %s leads to %s as %s, want %s", action, stage, after.Stage, after.Status, c.to)
	}
	if !c.role && !errors.Is(err, ErrForbidden) {
		t.Errorf("%s by %s: %v", action, role, err)
	}
}

// visitIn returns a visit of today that is in a stage and was called two minutes ago.
func visitIn(stage Stage, own bool, now time.Time) Visit {
	called, decided, consultantID := now.Add(-2*time.Minute), now.Add(-time.Hour), "consultant-2"
	if own {
		consultantID = theirConsultant
	}
	v := Visit{
		ID: "v", Day: "2026-11-24", Stage: stage, Status: stage.Status(), Version: 3, Class: "normal",
		CreatedAt: decided, RankAt: decided, DecidedAt: &decided, CreatedBy: consultantID,
		ConsultantID: &consultantID, ConsultantName: &consultantID, Pinned: true,
		CalledAt: &called, CallCount: 1,
	}
	switch stage {
	case StageHeld:
		v.HeldReason = "late"
	case StageLeft:
		leaver := Visitor
		v.EndedAt, v.EndedBy = &called, &leaver
	case StageInSession:
		v.SatSince, v.StartedAt, v.Sittings = &called, &called, 1
	}
	return v
}
