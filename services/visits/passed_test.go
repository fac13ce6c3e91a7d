package visits_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

func (d *desk) passed(v *visitBody, rule, hand int) {
	d.t.Helper()
	if n := count(d.t, d, `SELECT count(*) FROM visits WHERE id = $1 AND bypassed = $2 AND passed_by_hand = $3`,
		v.ID, rule, hand); n != 1 {
		d.t.Errorf("%s was not passed %d times by the rule and %d times by hand", v.Name, rule, hand)
	}
}

func inFrontOf(v *visitBody, more string) string {
	return fmt.Sprintf(`{"before":%q,"reason":"flight"%s}`, v.ID, more)
}

func TestACallByHandIsCountedApart(t *testing.T) {
	d := newDesk(t)
	first, second, chosen, behind := d.lined("First"), d.lined("Second"), d.lined("Chosen"), d.lined("Behind")
	d.must("call by hand", d.act("pa", chosen.ID, "call", named("consultant")), "called")
	d.passed(first, 0, 1)
	d.passed(second, 0, 1)
	d.passed(behind, 0, 0)
	d.passed(chosen, 0, 0)
	d.wait(chosen.ID, 61)
	d.must("miss", d.act("consultant", chosen.ID, "miss", `{}`), "missed")
	d.must("who was missed is called again", d.act("pa", chosen.ID, "call", named("consultant")), "called")
	d.must("next", d.next("consultant2"), "called")
	d.passed(second, 0, 1)
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE type = 'visit_called' AND after->>'byHand' = 'true'
		AND entity_id = $1 AND version = 3`, chosen.ID); n != 1 {
		t.Error("the call by hand is not recorded as one")
	}
	if n := count(t, d, `SELECT count(*) FROM outbox WHERE after->>'byHand' = 'true'`); n != 1 {
		t.Errorf("%d events are of a call by hand", n)
	}
}

// When a moved visitor is called, earlier visitors count as passed by hand, even if Next makes the call.
func TestAMovedVisitorPassesByHand(t *testing.T) {
	d := newDesk(t)
	first, second, moved := d.lined("First"), d.lined("Second"), d.lined("Moved")
	d.must("move", d.act("pa", moved.ID, "move", inFrontOf(first, "")), "waiting")
	if got := d.must("next", d.next("consultant"), "called"); got.Visit.ID != moved.ID {
		t.Fatalf("next called %s", got.Visit.Token)
	}
	d.passed(first, 0, 1)
	d.passed(second, 0, 1)
	d.must("leave", d.act("reception", moved.ID, "leave", `{}`), "left")
	d.act("pa", second.ID, "class", `{"class":"priority"}`)
	d.must("next", d.next("consultant"), "called")
	d.passed(first, 1, 1)
}

func (d *desk) lineOf(person string) (ids []string) {
	d.t.Helper()
	for _, place := range d.as(person, http.MethodGet, "/api/visits/line", "").Line {
		ids = append(ids, place.VisitID)
	}
	return ids
}

// A move before a visitor who must be next needs force. A repetition changes nothing, and the move can be taken back.
func TestAMoveByForceIsMadeOnceAndTakenBack(t *testing.T) {
	d := newDesk(t)
	must, second, third := d.lined("Must be next"), d.lined("Second"), d.lined("Third")
	exec(t, d.owner, `UPDATE visits SET bypassed = 3 WHERE id = $1`, must.ID)
	d.rejects("without force", d.act("pa", third.ID, "move", inFrontOf(must, "")), http.StatusConflict, "would_bypass")
	moved := d.must("by force", d.act("pa", third.ID, "move", inFrontOf(must, `,"force":true`)), "waiting")
	if got, want := d.lineOf("pa"), []string{third.ID, must.ID, second.ID}; !slices.Equal(got, want) {
		t.Errorf("the line is %v, want %v", got, want)
	}
	again := d.must("again", d.act("pa", third.ID, "move", inFrontOf(must, `,"force":true`)), "waiting")
	if again.Visit.Version != moved.Visit.Version {
		t.Error("the same move again is another change")
	}
	d.must("taken back", d.act("pa", third.ID, "move", `{"before":null}`), "waiting")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND moved_due IS NULL AND moved_by = ''
		AND moved_reason = '' AND NOT moved_forced`, third.ID); n != 1 {
		t.Error("the move is still there")
	}
	if got, want := d.lineOf("pa"), []string{must.ID, second.ID, third.ID}; !slices.Equal(got, want) {
		t.Errorf("the line is %v, want %v", got, want)
	}
	for what, id := range map[string]string{"oneself": third.ID, "who is not in the line": lateService} {
		d.rejects("before "+what, d.act("pa", third.ID, "move", fmt.Sprintf(`{"before":%q,"reason":"flight"}`, id)),
			http.StatusBadRequest, "validation")
	}
}

// If a move does not need force, it is not recorded as forced.
func TestForceThatIsNotNeededIsNoForce(t *testing.T) {
	d := newDesk(t)
	first, second := d.lined("First"), d.lined("Second")
	d.must("move", d.act("pa", second.ID, "move", inFrontOf(first, `,"force":true`)), "waiting")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE id = $1 AND moved_due IS NOT NULL AND NOT moved_forced`,
		second.ID); n != 1 {
		t.Error("the move is marked as forced")
	}
}
