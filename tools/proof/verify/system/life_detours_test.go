package system

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

// 5. A visitor who comes back after a miss is third in the line. A hold during a session frees the consultant and keeps
// the seconds of the session. A transfer keeps the rank. A reopened visit is counted once.
func (o *lineOffice) detours(t *testing.T) {
	o.clear(t)
	missed := o.arrive(t, "normal")
	for range 3 {
		o.arrive(t, "normal")
	}
	o.next(t, o.at[0], nil)
	o.behind(t, "visits", `UPDATE visits SET called_at = called_at - interval '61 s' WHERE id = $1`, missed.ID)
	o.act(t, o.at[0], missed.ID, "miss", object{}, "missed")
	o.act(t, o.reception, missed.ID, "back", object{}, "waiting")
	line := o.line(t)
	if len(line.Line) != 4 || line.Line[2].VisitID != missed.ID {
		t.Errorf("after two others the line is %v", line.Line)
	}
	first := o.next(t, o.at[0], nil).Visit
	o.status(t, o.at[0], first.ID, object{"status": "in-session"})
	o.behind(t, "visits", `UPDATE visits SET sat_since = sat_since - interval '90 s' WHERE id = $1`, first.ID)
	held := o.act(t, o.at[0], first.ID, "hold", object{"reason": "papers"}, "held")
	if s := held.Queue.SessionSeconds; s < 90 || s > 120 {
		t.Errorf("the held session has %d seconds", s)
	}
	second := o.next(t, o.at[0], nil).Visit // succeeds because the hold has freed the consultant
	o.act(t, o.at[0], second.ID, "leave", object{}, "left")
	o.act(t, o.at[0], first.ID, "resume", object{}, "waiting")
	o.status(t, o.at[0], first.ID, object{"status": "in-session"})
	if again := o.status(t, o.at[0], first.ID, object{"status": "completed"}); again.Queue.SessionSeconds < 90 {
		t.Errorf("the whole session has %d seconds", again.Queue.SessionSeconds)
	}
	o.recorded(t, first.ID, "completed")
	before := o.total(t)
	o.act(t, o.pa, first.ID, "reopen", object{}, "waiting")
	o.act(t, o.pa, first.ID, "leave", object{}, "left")
	o.recorded(t, first.ID, "left")
	if after := o.total(t); after != before {
		t.Errorf("a reopened visit makes %d of %d visits", after, before)
	}
	moved := o.line(t).Line[0]
	to := o.act(t, o.pa, moved.VisitID, "transfer", object{"consultant_id": o.at[1].id}, "waiting")
	if !to.Queue.RankAt.Equal(moved.RankAt) || *to.AssignedConsultantID != o.at[1].id {
		t.Errorf("the transfer has rank %v, before %v", to.Queue.RankAt, moved.RankAt)
	}
}

func (o *lineOffice) total(t *testing.T) int {
	t.Helper()
	var counts struct {
		Today struct {
			Total int `json:"total_visits"`
		}
	}
	o.way.must(t, o.admin, http.MethodGet, "/api/analytics/dashboard", nil, &counts)
	return counts.Today.Total
}

// 6. A change can be undone within 30 seconds, not after another user's change, and not twice. The test undoes one that
// is 15 seconds old, because a request can be slow. The record of the undo in the trail has the stages before and after
// it.
func (o *lineOffice) undo(t *testing.T) {
	o.clear(t)
	age := func(id string, seconds int) {
		o.actions(t, id, 3) // waits until the trail has the records, with their true times
		interval := strconv.Itoa(seconds) + " s"
		o.behind(t, "visits", `UPDATE outbox SET created_at = created_at - $2::interval WHERE entity_id = $1`, id, interval)
	}
	path := func(v visit) string { return "/api/visits/" + v.ID + "/undo" }
	v := o.arrive(t, "normal")
	o.act(t, o.pa, v.ID, "hold", object{"reason": "papers"}, "held")
	age(v.ID, 15)
	undone := o.act(t, o.pa, v.ID, "undo", object{}, "waiting")
	if undone.Queue.Stage != "waiting" {
		t.Errorf("the undo leads to %s", undone.Queue.Stage)
	}
	o.rejected(t, o.pa, path(v), object{}, http.StatusConflict, "undo_gone")
	late := o.arrive(t, "normal")
	o.act(t, o.pa, late.ID, "hold", object{"reason": "papers"}, "held")
	age(late.ID, 31)
	o.rejected(t, o.pa, path(late), object{}, http.StatusConflict, "undo_gone")
	other := o.arrive(t, "normal")
	o.act(t, o.pa, other.ID, "class", object{"class": "priority"}, "waiting")
	changed := o.act(t, o.reception, other.ID, "hold", object{"reason": "payment"}, "held")
	o.rejected(t, o.pa, path(other), object{"version": changed.Version - 1}, http.StatusConflict, "undo_gone")
	o.rejected(t, o.pa, path(other), object{}, http.StatusForbidden, "forbidden")
	if got := o.actions(t, v.ID, 4); got != "created approved held undone" {
		t.Errorf("the trail has %s", got)
	}
	o.records(t, v.ID, func(r record) {
		if r.Action == "undone" && (r.OldValues["stage"] != "held" || r.NewValues["stage"] != "waiting") {
			t.Errorf("the undo has %v and %v", r.OldValues, r.NewValues)
		}
	})
}

// 7. The tokens of the day are 1 to n, including those of cancelled and undone registrations. A consultant's queue
// does not count visitors who are on hold, missed or in session, or who wait for any consultant.
func (o *lineOffice) tokens(t *testing.T) {
	o.clear(t)
	mine := o.at[3]
	var cancelled, undone struct{ Visit visit }
	o.way.must(t, o.reception, http.MethodPost, "/api/visits", o.visitor(), &cancelled)
	o.act(t, o.reception, cancelled.Visit.ID, "cancel", object{}, "cancelled")
	o.way.must(t, o.reception, http.MethodPost, "/api/visits", o.visitor(), &undone)
	o.act(t, o.reception, undone.Visit.ID, "undo", object{}, "cancelled")
	o.reach(t, "missed", mine)
	o.reach(t, "held", mine)
	o.reach(t, "line", mine)
	o.status(t, o.admin, o.reach(t, "waiting", mine).ID, object{"status": "in-session"})
	pinned := o.arrive(t, "normal")
	o.act(t, o.pa, pinned.ID, "pin", object{"consultant_id": mine.id}, "waiting")
	var list struct{ Visits []visit }
	o.way.must(t, o.admin, http.MethodGet, "/api/visits/today", nil, &list)
	var numbers []int
	for _, v := range list.Visits {
		n, err := strconv.Atoi(strings.TrimPrefix(v.Token, "T-"))
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			t.Fatalf("token %d is missing or doubled: %v", i+1, numbers)
		}
	}
	// Before directory has applied the last events, the queue may be 1 too: the visitor who is now in session.
	testkit.Eventually(t, "the queue has the pinned visitor alone", func() bool {
		alone := o.queue(t, mine) == 1
		time.Sleep(200 * time.Millisecond)
		return alone && o.queue(t, mine) == 1
	})
}

func (o *lineOffice) queue(t *testing.T, consultant *person) int {
	t.Helper()
	var answer struct {
		Consultants []struct {
			ID           string
			CurrentQueue int
		}
	}
	o.way.must(t, o.admin, http.MethodGet, "/api/users/consultants", nil, &answer)
	for _, c := range answer.Consultants {
		if c.ID == consultant.id {
			return c.CurrentQueue
		}
	}
	t.Fatalf("%s is not listed", consultant.name)
	return 0
}
