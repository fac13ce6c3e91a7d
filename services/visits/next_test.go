package visits_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// Concurrent callers call each visitor exactly once, and pass no visitor more often than the cap allows, while other
// users hold and move visitors.
func TestConcurrentCallersCallEachVisitorOnce(t *testing.T) {
	const callers, visitors = 16, 160
	d := newDesk(t)
	d.unchecked = true
	for i := range callers {
		name := fmt.Sprintf("caller%c", 'a'+i)
		d.people.SignIn(name, contract.RoleConsultant)
		exec(t, d.owner, `INSERT INTO consultants (id, name, is_active) VALUES ($1, $1, true)`, testkit.ID(name))
	}
	var line []string
	versions := map[string]int64{} // version of each visit before the concurrent changes
	for i := range visitors {
		v := d.lined("Visitor")
		line, versions[v.ID] = append(line, v.ID), v.Version+1
		if i%7 == 0 {
			versions[v.ID] = d.act("pa", v.ID, "class", `{"class":"priority"}`).Visit.Version
		}
	}
	var calls, edits sync.WaitGroup
	var mu sync.Mutex
	called := map[string]int{}
	add := func(id string) {
		mu.Lock()
		defer mu.Unlock()
		called[id]++
	}
	for i := range callers {
		calls.Go(func() { d.serveAll(fmt.Sprintf("caller%c", 'a'+i), add) })
	}
	edits.Go(func() {
		for _, id := range line[visitors/2 : visitors*3/4] { // some are already called, so their hold is rejected
			hold := fmt.Sprintf(`{"reason":"papers","version":%d}`, versions[id])
			if retried(func() answer { return d.act("pa", id, "hold", hold) }).status == http.StatusOK {
				retried(func() answer { return d.act("pa", id, "resume", `{}`) })
			}
		}
	})
	edits.Go(func() {
		for i, id := range line[visitors*3/4 : visitors-1] {
			d.act("pa2", id, "move", fmt.Sprintf(`{"before":%q,"reason":"papers are ready"}`, line[visitors*3/4+i+1]))
		}
	})
	calls.Wait()
	edits.Wait()
	d.serveAll("callera", add) // calls visitors who were on hold until now
	for _, id := range line {
		if called[id] != 1 {
			t.Errorf("%s was called %d times", id, called[id])
		}
	}
	if n := count(t, d, `SELECT max(bypassed) FROM visits`); n > 3 {
		t.Errorf("a visitor was passed %d times", n)
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_called'`); n != visitors {
		t.Errorf("%d calls were published", n)
	}
}

// serveAll calls the visitors of a consultant's line and completes their sessions until the line is empty. It calls
// report with the id of every visit.
func (d *desk) serveAll(consultant string, report func(id string)) {
	for {
		got := retried(func() answer { return d.next(consultant) })
		if got.status != http.StatusOK {
			d.t.Errorf("next answered %d %s", got.status, got.text)
			return
		}
		if got.Visit == nil {
			return
		}
		report(got.Visit.ID)
		for _, status := range []string{"in-session", "completed"} {
			set := retried(func() answer { return d.set(consultant, got.Visit.ID, status) })
			if set.status != http.StatusOK {
				d.t.Errorf("%s answered %d %s", status, set.status, set.text)
			}
		}
	}
}

func TestOneUndoWins(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	for range 5 {
		v := d.lined("Asha")
		answers := make(chan answer, 64)
		for range cap(answers) {
			go func() {
				answers <- retried(func() answer { return d.act("pa", v.ID, "undo", `{}`) })
			}()
		}
		won := 0
		for range cap(answers) {
			if a := <-answers; a.status == http.StatusOK {
				won++
			} else if a.Code != "undo_gone" {
				t.Errorf("undo answered %d %s", a.status, a.text)
			}
		}
		if won != 1 {
			t.Errorf("%d undos won", won)
		}
	}
}

// If the picked visitor leaves while calls wait for the lock on the visit, the calls get the next visitors. No visitor
// counts as passed.
func TestCallsThatPickedAVisitorWhoLeavesCallTheNext(t *testing.T) {
	d := newDesk(t)
	d.unchecked = true
	first, second, third := d.lined("First"), d.lined("Second"), d.lined("Third")
	exec(t, d.owner, `BEGIN`)
	exec(t, d.owner, `UPDATE visits SET stage = 'left', status = 'denied', ended_at = now() WHERE id = $1`, first.ID)
	var leaving sync.WaitGroup
	leaving.Go(func() {
		for count(t, d, blocked) == 0 {
			time.Sleep(time.Millisecond)
		}
		exec(t, d.owner, `COMMIT`)
	})
	answers := together(2, func(i int) answer { return d.next([]string{"consultant", "consultant2"}[i]) })
	leaving.Wait()
	got := map[string]bool{}
	for _, a := range answers {
		if a.status != http.StatusOK || a.Visit == nil {
			t.Fatalf("next answered %d %s", a.status, a.text)
		}
		got[a.Visit.ID] = true
	}
	if !got[second.ID] || !got[third.ID] {
		t.Errorf("the calls got %v, want %s and %s", got, second.ID, third.ID)
	}
	if sum := answers[0].Waiting + answers[1].Waiting; sum != 1 { // the third waited during the first call
		t.Errorf("%d and %d visitors still wait", answers[0].Waiting, answers[1].Waiting)
	}
	if n := count(t, d, `SELECT sum(bypassed) FROM visits`); n != 0 {
		t.Errorf("%d visitors were passed", n)
	}
}
