package system

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/stack"
)

// This file has the acceptance tests of a visit's stages over HTTP, through each gateway, on a system of their own.

// lineOffice is an office with its own staff, in whose line no other visitors wait at the start.
type lineOffice struct {
	*office
	reception *person
	pa        *person
	at        []*person // the consultants who call visitors
}

func TestALifeThroughEachGateway(t *testing.T) {
	system := startWith(t, "life", nil)
	for _, w := range gateways(t, system, "life") {
		t.Run(w.name, func(t *testing.T) {
			o := &lineOffice{office: newOffice(t, w)}
			o.reception, o.pa = o.hire(t, "reception"), o.hire(t, "pa")
			for range 4 {
				o.at = append(o.at, o.hire(t, "consultant"))
			}
			t.Run("the day without the line", o.dayWithoutTheLine)
			t.Run("four consultants call twenty visitors", o.twentyVisitors)
			t.Run("the cap", o.cap)
			t.Run("next again", o.nextAgain)
			t.Run("back, hold, transfer, reopen", o.detours)
			t.Run("undo", o.undo)
			t.Run("tokens and queues", o.tokens)
			if !testing.Short() { // The test stops a service, so each service must be a process of its own.
				t.Run("a restart", func(t *testing.T) { o.restart(t, system) })
			}
		})
	}
}

type called struct {
	Visit *visit
	Again bool
	Code  string
}

type lineAnswer struct {
	Line []lineRow
}

type lineRow struct {
	VisitID, Token, Class string
	RankAt, DueAt         time.Time
	Bypassed              int
}

// clear ends every open visit, so that the line is empty.
func (o *lineOffice) clear(t *testing.T) {
	t.Helper()
	for _, consultant := range append(slices.Clone(o.at), o.consultant) {
		o.endSessions(t, consultant)
	}
	var list struct{ Visits []visit }
	o.way.must(t, o.admin, http.MethodGet, "/api/visits/today", nil, &list)
	for _, v := range list.Visits {
		if slices.Contains([]string{"new", "waiting", "called", "held", "missed"}, v.Queue.Stage) {
			o.change(t, v, "leave", object{})
		}
	}
}

// arrive registers a visitor of a class and approves the visit for the line.
func (o *lineOffice) arrive(t *testing.T, class string) visit {
	t.Helper()
	var answer struct{ Visit visit }
	body := o.visitor()
	body["class"] = class
	o.way.must(t, o.reception, http.MethodPost, "/api/visits", body, &answer)
	o.status(t, o.pa, answer.Visit.ID, object{"status": "approved", "line": true})
	return answer.Visit
}

func (o *lineOffice) status(t *testing.T, by *person, id string, body object) visit {
	t.Helper()
	var answer struct{ Visit visit }
	o.way.must(t, by, http.MethodPut, "/api/visits/"+id+"/status", body, &answer)
	return answer.Visit
}

// act makes a change that must be accepted and lead to a stage.
func (o *lineOffice) act(t *testing.T, by *person, id, action string, body object, stage string) visit {
	t.Helper()
	var answer struct{ Visit visit }
	o.way.must(t, by, http.MethodPost, "/api/visits/"+id+"/"+action, body, &answer)
	if answer.Visit.Queue.Stage != stage {
		t.Fatalf("%s leads to %s, want %s", action, answer.Visit.Queue.Stage, stage)
	}
	return answer.Visit
}

// rejected makes a change that must be rejected with a status and a code.
func (o *lineOffice) rejected(t *testing.T, by *person, path string, body object, status int, code string) {
	t.Helper()
	got := o.way.send(t, by, ask{method: http.MethodPost, path: path, body: body})
	var answer struct{ Code string }
	got.json(t, &answer)
	if got.status != status || answer.Code != code {
		t.Errorf("POST %s answered %d %s, want %d %s", path, got.status, got.body, status, code)
	}
}

func (o *lineOffice) next(t *testing.T, by *person, header http.Header) called {
	t.Helper()
	got := o.way.send(t, by, ask{method: http.MethodPost, path: "/api/visits/next", body: object{}, header: header})
	var answer called
	got.json(t, &answer)
	if got.status != http.StatusOK && got.status != http.StatusConflict {
		t.Fatalf("next answered %d %s", got.status, got.body)
	}
	return answer
}

func (o *lineOffice) line(t *testing.T) lineAnswer {
	t.Helper()
	var answer lineAnswer
	o.way.must(t, o.pa, http.MethodGet, "/api/visits/line", nil, &answer)
	return answer
}

// 1. If consultants are assigned at the approval, a visit has the same statuses and records as before the line existed.
func (o *lineOffice) dayWithoutTheLine(t *testing.T) {
	o.clear(t)
	var made struct{ Visit visit }
	o.way.must(t, o.reception, http.MethodPost, "/api/visits", o.visitor(), &made)
	id, mine := made.Visit.ID, o.at[0]
	statuses := []string{made.Visit.Status}
	for _, step := range []struct {
		by   *person
		body object
	}{
		{o.pa, object{"status": "approved", "assigned_consultant_id": mine.id}},
		{mine, object{"status": "in-session"}}, {mine, object{"status": "completed", "notes": "Filed"}},
	} {
		statuses = append(statuses, o.status(t, step.by, id, step.body).Status)
	}
	if got := strings.Join(statuses, " "); got != "new approved in-session completed" {
		t.Errorf("the statuses are %s", got)
	}
	if got := o.actions(t, id, 4); got != "created approved started completed" {
		t.Errorf("the trail has %s", got)
	}
}

// actions returns the actions in the audit trail of a visit, oldest first, once there are n of them.
func (o *lineOffice) actions(t *testing.T, id string, n int) string {
	t.Helper()
	var actions []string
	testkit.Eventually(t, fmt.Sprintf("%d records of %s", n, id), func() bool {
		actions = nil
		o.records(t, id, func(r record) { actions = append(actions, r.Action) })
		return len(actions) >= n
	})
	slices.Reverse(actions)
	return strings.Join(actions, " ")
}

// recorded waits until the newest record of a visit in the audit trail has this action. The dashboard's figures then
// include all earlier changes, too, because audit reads the events in order.
func (o *lineOffice) recorded(t *testing.T, id, action string) {
	t.Helper()
	testkit.Eventually(t, "the record "+action+" of "+id, func() bool {
		var actions []string
		o.records(t, id, func(r record) { actions = append(actions, r.Action) })
		return len(actions) > 0 && actions[0] == action
	})
}

type record struct {
	Action               string
	OldValues, NewValues map[string]any
}

// records calls f with each audit record of a visit, the newest first.
func (o *lineOffice) records(t *testing.T, id string, f func(record)) {
	t.Helper()
	var trail struct {
		Records []record `json:"audit_records"`
	}
	path := "/api/analytics/audit" + query("entity_id", id, "limit", "100")
	o.way.must(t, o.admin, http.MethodGet, path, nil, &trail)
	for _, r := range trail.Records {
		f(r)
	}
}

// 2. The line is ordered by due time. Four consultants call Next at once and get twenty different visitors.
func (o *lineOffice) twentyVisitors(t *testing.T) {
	o.clear(t)
	for i := range 20 {
		o.arrive(t, []string{"normal", "priority", "deadline", "normal"}[i%4])
	}
	before := o.line(t)
	due := slices.Clone(before.Line)
	slices.SortStableFunc(due, func(a, b lineRow) int {
		return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.Token, b.Token))
	})
	if len(due) != 20 || fmt.Sprint(due) != fmt.Sprint(before.Line) {
		t.Errorf("the line is not ordered by due time: %v", before.Line)
	}
	var mu sync.Mutex
	times := map[string]int{}
	var all sync.WaitGroup
	for _, consultant := range o.at {
		all.Go(func() {
			for range 5 {
				got := o.next(t, consultant, nil)
				if got.Visit == nil {
					t.Error("next called no visitor")
					return
				}
				mu.Lock()
				times[got.Visit.ID]++
				mu.Unlock()
				o.act(t, consultant, got.Visit.ID, "leave", object{}, "left")
			}
		})
	}
	all.Wait()
	for _, place := range before.Line {
		if times[place.VisitID] != 1 {
			t.Errorf("%s was called %d times", place.Token, times[place.VisitID])
		}
	}
	if got := o.next(t, o.at[0], nil); got.Visit != nil {
		t.Errorf("an empty line has %s", got.Visit.Token)
	}
}

// 3. One visitor of class normal waits together with others of class priority. The normal one is called after three
// calls. A move past the visitor who must be next is rejected.
func (o *lineOffice) cap(t *testing.T) {
	o.clear(t)
	normal := o.arrive(t, "normal")
	for range 5 {
		o.arrive(t, "priority")
	}
	for i := range 3 {
		got := o.next(t, o.at[0], nil)
		if got.Visit == nil || got.Visit.ID == normal.ID {
			t.Fatalf("call %d is of the normal visitor, or of none", i+1)
		}
		o.act(t, o.at[0], got.Visit.ID, "leave", object{}, "left")
	}
	line := o.line(t)
	if line.Line[0].VisitID != normal.ID || line.Line[0].Bypassed != 3 {
		t.Errorf("after three calls the line is %v", line.Line)
	}
	o.rejected(t, o.pa, "/api/visits/"+line.Line[1].VisitID+"/move",
		object{"before": normal.ID, "reason": "in a hurry"}, http.StatusConflict, "would_bypass")
	if got := o.next(t, o.at[0], nil); got.Visit == nil || got.Visit.ID != normal.ID {
		t.Error("the fourth call is not of the normal visitor")
	}
}

// 4. A repeated Next returns the same visitor, with the same key and without a key. During a session it is rejected.
func (o *lineOffice) nextAgain(t *testing.T) {
	o.clear(t)
	first := o.arrive(t, "normal")
	o.arrive(t, "normal")
	key := http.Header{"Idempotency-Key": {"key-of-" + o.way.name + "-next"}}
	one, repeated := o.next(t, o.at[0], key), o.next(t, o.at[0], key)
	again := o.next(t, o.at[0], nil)
	for name, got := range map[string]called{"the first": one, "a repetition": repeated, "another": again} {
		if got.Visit == nil || got.Visit.ID != first.ID || got.Again != (name == "another") {
			t.Errorf("%s answer is of %v, again %v", name, got.Visit, got.Again)
		}
	}
	o.status(t, o.at[0], first.ID, object{"status": "in-session"})
	o.rejected(t, o.at[0], "/api/visits/next", object{}, http.StatusConflict, "session_active")
}

// restart checks item 10: visits keeps the line over a restart. Next, hold and undo need neither Redis nor directory.
func (o *lineOffice) restart(t *testing.T, system *stack.Stack) {
	o.clear(t)
	var waiting []visit
	for range 6 {
		waiting = append(waiting, o.arrive(t, "normal"))
	}
	o.act(t, o.pa, waiting[5].ID, "move", object{"before": waiting[1].ID, "reason": "papers are ready"}, "waiting")
	before := fmt.Sprint(o.line(t))
	system.StopServices("visits")
	if err := system.StartServices(t.Context(), stack.Variant{}, "visits"); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "visits answers again", func() bool {
		got, err := o.way.try(o.pa, ask{method: http.MethodGet, path: "/api/visits/line"})
		return err == nil && got.status == http.StatusOK
	})
	if after := fmt.Sprint(o.line(t)); after != before {
		t.Errorf("after the restart the line is\n%s\nbefore\n%s", after, before)
	}
	system.StopServices("directory")
	if _, err := system.Signal("redis", syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	got := o.next(t, o.at[0], nil)
	if got.Visit == nil || got.Visit.ID != waiting[0].ID {
		t.Error("without directory Next does not call the first of the line")
	}
	o.act(t, o.pa, waiting[2].ID, "hold", object{"reason": "papers"}, "held")
	o.act(t, o.pa, waiting[2].ID, "undo", object{}, "waiting")
	if _, err := system.Signal("redis", syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := system.StartServices(t.Context(), stack.Variant{}, "directory"); err != nil {
		t.Fatal(err)
	}
}
