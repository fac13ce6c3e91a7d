package lobby

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// After reception has replaced the link, a call is still one push and one message, and the push leads to the current
// link.
func TestACallAfterANewLinkIsToldOnce(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.subscribes(id)
	for range 2 {
		testkit.Exec(t, p.db.Owner(t), `UPDATE links SET created_at = created_at - interval '10 seconds'`)
		w := p.contract.Call(t, p.table, "token-reception", http.MethodPost, "/api/lobby/visits/"+id+"/link", "")
		if w.Code != http.StatusCreated {
			t.Fatalf("another link answered %d %s", w.Code, w.Body)
		}
	}
	p.calls(id, "3")
	p.sends()
	if p.phone.Count() != 1 || len(p.aggregator.got()) != 1 {
		t.Fatalf("%d pushes, %q", p.phone.Count(), p.aggregator.got())
	}
	want := fmt.Sprintf(`{"k":"called","l":"en","t":"T-014","c":"3","q":%q}`, link.Code(key, id, 3))
	if body, _ := p.phone.Got(0); body != want {
		t.Errorf("the phone got %s, want %s", body, want)
	}
	if got := p.outcomes(id); got != "push called sent, sms called sent" {
		t.Errorf("it is recorded as %s", got)
	}
}

func TestAConsentToSomethingElseIsNoneToMessages(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	later := func(kind string) {
		change := consentOf(id, kind)
		consent := change.After.(contract.Consent)
		consent.Purpose = contract.PurposeLater
		change.After = consent
		p.visits.Publish(t, change)
		p.caughtUp()
	}
	later(contract.ConsentGiven)
	p.calls(id, "3")
	p.sends()
	if got := p.outcomes(id); got != "" || len(p.aggregator.got()) != 0 {
		t.Errorf("without a consent to messages it is recorded as %q, sent %q", got, p.aggregator.got())
	}
	p.agrees(id, contract.ConsentGiven)
	later(contract.ConsentWithdrawn)
	p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount = 2 })
	p.sends()
	if len(p.aggregator.got()) != 1 {
		t.Errorf("another consent was withdrawn: %q", p.aggregator.got())
	}
}

func withoutMessages(document map[string]any) { document["messages"] = "off" }

// An office that has switched messages off sends none, stores no phone for them and asks for no consent. Push still
// works.
func TestAnOfficeWithoutMessagesSendsNone(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	waits := p.arrive()
	p.agrees(waits, contract.ConsentGiven)
	p.calls(waits, "3") // queued while messages are on
	p.publishOffice("confirm", withoutMessages)
	p.change(contract.VisitCorrected, waits, func(*contract.Visit) {})
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.subscribes(id)
	p.calls(id, "4")
	p.sends()
	if got := p.outcomes(id); got != "push called sent" {
		t.Errorf("it is recorded as %s", got)
	}
	if got := p.outcomes(waits); got != "sms called dropped withdrawn" || len(p.aggregator.got()) != 0 {
		t.Errorf("the one that waited is recorded as %s, sent %q", got, p.aggregator.got())
	}
	var phones int
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT count(phone) FROM visits`).Scan(&phones); err != nil || phones != 0 {
		t.Errorf("%d phones are kept: %v", phones, err)
	}
	if html := p.get("/q/join?lang=en").Body.String(); strings.Contains(html, `name="messages"`) {
		t.Error("the poster's page asks for a consent")
	}
	p.joins("messages", "true")
	if waiting := p.arrivals("reception").Arrivals; len(waiting) != 1 || waiting[0].Messages {
		t.Errorf("at the door: %+v", waiting)
	}
}

func TestACallWithoutACounterNamesTheOffice(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "")
	p.sends()
	if got := p.aggregator.got(); !slices.Equal(got, []string{"9876543210 T-014 to Lekha Tax"}) {
		t.Errorf("the aggregator got %q", got)
	}
}

// A visitor is also near if the call is expected within ten minutes, however many visitors are ahead.
func TestWhoIsCalledSoonIsToldToo(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id, far := p.arrive(), p.arrive()
	for _, one := range []string{id, far} {
		p.agrees(one, contract.ConsentGiven)
	}
	in := func(minutes int) string {
		return time.Now().Add(time.Duration(minutes) * time.Minute).UTC().Format(time.RFC3339)
	}
	const place = `{"visit_id":%q,"ahead":9,"forecast":{"from":%q,"to":%q,"early":false,"note":null}}`
	p.mu.Lock()
	p.places = fmt.Sprintf(`{"places":[`+place+`,`+place+`],"now":[]}`, id, in(8), in(20), far, in(40), in(60))
	p.mu.Unlock()
	p.Service.places.forget()
	if err := p.queueNear(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if soon, later := p.outcomes(id), p.outcomes(far); soon != "sms near queued" || later != "" {
		t.Errorf("it is recorded as %q and %q", soon, later)
	}
}

// Events that visits publishes again after a restore cause no second message. A call that lobby receives too late
// causes no message.
func TestARebuildSendsNothingAgain(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	p.sends()
	p.visits.BeginEpoch(t)
	p.change(contract.VisitCorrected, id, func(*contract.Visit) {})
	p.sends()
	if got := p.outcomes(id); got != "sms called sent" || len(p.aggregator.got()) != 1 {
		t.Errorf("it is recorded as %s, sent %q", got, p.aggregator.got())
	}
	old, v := time.Now().Add(-4*time.Minute), p.known[id]
	v.Version++
	p.visits.Publish(t, outbox.Change{
		Type: contract.VisitRecalled, Entity: contract.EntityVisit, EntityID: id, Version: v.Version, After: v, At: &old,
	})
	p.caughtUp()
	if got := p.outcomes(id); got != "sms called sent" {
		t.Errorf("a call of four minutes ago: %s", got)
	}
}

func TestADroppedMessageIsNotOneOfTheThree(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	for range mostOfVisit {
		p.calls(id, "3")
		testkit.Exec(t, p.db.Owner(t),
			`UPDATE deliveries SET created_at = now() - interval '181 seconds' WHERE state = 'queued'`)
		p.sends()
	}
	p.calls(id, "3")
	p.sends()
	if got := p.aggregator.got(); len(got) != 1 {
		t.Errorf("the aggregator got %q; it is recorded as %s", got, p.outcomes(id))
	}
}

// Reception sees a message that is being sent as queued. The administrator's counts cover the last 24 hours.
func TestStaffSeeWhatIsSentOfTheLastDay(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	p.aggregator.then(func() {
		if got := p.outcomes(id); got != "sms called queued" {
			t.Errorf("meanwhile it is recorded as %s", got)
		}
	})
	p.sends()
	for age, want := range map[string]int{"23 hours": 1, "25 hours": 0} {
		testkit.Exec(t, p.db.Owner(t), `UPDATE deliveries SET created_at = now() - interval '`+age+`'`)
		counts, err := p.store.counts(t.Context())
		if err != nil || counts["sms"].Sent != want {
			t.Errorf("%s later the counts are %+v: %v", age, counts, err)
		}
	}
}

func TestDeliveriesAreKeptForEightDays(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	p.sends()
	for _, step := range []struct{ age, want string }{{"7 days 23 hours", "sms called sent"}, {"8 days 1 hour", ""}} {
		testkit.Exec(t, p.db.Owner(t), `UPDATE deliveries SET created_at = now() - interval '`+step.age+`'`)
		if err := p.store.forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := p.outcomes(id); got != step.want {
			t.Errorf("after %s it is recorded as %q", step.age, got)
		}
	}
}
