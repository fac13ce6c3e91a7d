package visits_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

type shownDesk struct {
	ConsultantID            string
	Counter, DefaultCounter *string
	CounterRequired         bool
}

func (d *desk) deskOf(consultant string) shownDesk {
	d.t.Helper()
	var answer struct{ Desks []shownDesk }
	got := d.as("pa", http.MethodGet, "/api/visits/desks", "")
	if err := json.Unmarshal([]byte(got.text), &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		d.t.Fatal(err)
	}
	for _, one := range answer.Desks {
		if one.ConsultantID == testkit.ID(consultant) {
			return one
		}
	}
	d.t.Fatalf("no desk of %s in %s", consultant, got.text)
	return shownDesk{}
}

// If the office requires desk numbers, a desk without a number can neither be opened nor call visitors.
func TestAnOfficeMayRequireDeskNumbers(t *testing.T) {
	d := newDesk(t)
	v := d.lined("Asha")
	d.officeWith(`{"requireCounter":true}`)
	desk := func(body string) answer {
		return d.as("consultant", http.MethodPut, "/api/visits/desks/"+testkit.ID("consultant"), body)
	}
	named := fmt.Sprintf(`{"consultant_id":%q}`, testkit.ID("consultant"))
	for what, got := range map[string]answer{
		"next": d.next("consultant"), "a call by a consultant": d.act("consultant", v.ID, "call", `{}`),
		"a call by a PA": d.act("pa", v.ID, "call", named), "an open desk": desk(`{"state":"open"}`),
		"the last visitors": desk(`{"state":"last"}`), "an empty number": desk(`{"state":"open","counter":""}`),
	} {
		d.rejects(what, got, http.StatusUnprocessableEntity, "counter_required")
		if got.Error != "Set the desk number first." {
			t.Errorf("%s: %s", what, got.text)
		}
	}
	if got := d.stage(v.ID); got != "waiting" {
		t.Errorf("the visitor is %s", got)
	}
	d.setDesk("consultant", `{"state":"off"}`)
	d.setDesk("consultant", `{"state":"open","counter":"3"}`)
	if got := d.must("next", d.next("consultant"), "called"); *got.Visit.Queue.Counter != "3" {
		t.Errorf("called to %s", *got.Visit.Queue.Counter)
	}
	d.must("call", d.as("consultant", http.MethodPost, "/api/visits/next", `{}`), "called")
	d.must("with a number of its own", d.act("consultant2", d.lined("Ravi").ID, "call", `{"counter":"4"}`), "called")
	exec(t, d.owner, `UPDATE desks SET counter = ''`)
	if again := d.next("consultant"); again.status != http.StatusOK || !again.Again {
		t.Errorf("an open call answered %s", again.text)
	}
}

// A desk needs a number if there are several desks, or if the office requires numbers.
func TestADeskSaysWhetherItNeedsANumber(t *testing.T) {
	d := newDesk(t)
	if !d.deskOf("consultant").CounterRequired {
		t.Error("of two desks")
	}
	exec(t, d.owner, `UPDATE consultants SET is_active = false WHERE id = $1`, testkit.ID("consultant2"))
	if d.deskOf("consultant").CounterRequired {
		t.Error("of one desk")
	}
	d.officeWith(`{"requireCounter":true}`)
	if !d.deskOf("consultant").CounterRequired {
		t.Error("of one desk, in an office that requires numbers")
	}
}

// The suggested number comes from directory. An event of directory's previous release has none and does not remove the
// stored number.
func TestTheSuggestedNumberStaysThroughAnUpgrade(t *testing.T) {
	d, redis := newDesk(t), testkit.NewRedis(t)
	directory, follower := d.follow(t, redis)
	if got := d.deskOf("consultant").DefaultCounter; got != nil {
		t.Errorf("before any event: %s", *got)
	}
	name, three, none := "The consultant", "3", ""
	publish := func(counter *string) {
		directory.Publish(t, outbox.Change{
			Type: contract.ConsultantUpdated, Entity: contract.EntityConsultant, EntityID: testkit.ID("consultant"),
			After: contract.Consultant{ID: testkit.ID("consultant"), Name: name, IsActive: true, Counter: counter},
		})
	}
	publish(&three)
	name = "CA Rao"
	publish(nil)
	testkit.Eventually(t, "the events have arrived", func() bool { return follower.Position().Seq == 2 })
	if got := d.deskOf("consultant"); got.DefaultCounter == nil || *got.DefaultCounter != "3" || got.Counter != nil {
		t.Errorf("after an event without a number: %+v", got)
	}
	publish(&none)
	testkit.Eventually(t, "the events have arrived", func() bool { return follower.Position().Seq == 3 })
	if got := d.deskOf("consultant").DefaultCounter; got != nil {
		t.Errorf("after it was removed: %s", *got)
	}
}
