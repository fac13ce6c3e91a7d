package lobby

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/push"
	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/testkit"
)

// A push counts as sent if it was accepted for one browser. A subscription that the browser has ended, or has made with
// an earlier key, is deleted. A browser that fails does not cause another push.
func TestOneOfTheBrowsersIsEnough(t *testing.T) {
	p := newPorch(t)
	private, public := seal.PushKeys(key)
	every := func(string) bool { return true }
	anywhere := push.NewSenderTo(private, public, "desk@lekha.example", every, p.phone.Client())
	p.Service.options.Push, p.deliverer.push = anywhere, anywhere
	for status, browsers := range map[int]int{
		http.StatusGone: 1, http.StatusUnauthorized: 1, http.StatusForbidden: 1, http.StatusInternalServerError: 2,
	} {
		id, before := p.arrive(), p.phone.Count()
		other := testkit.NewPhone(t)
		other.Answer(status)
		endpoint, of, secret := other.Subscription()
		if browsers == 1 {
			p.subscribesTo(id, endpoint, of, secret)
			p.subscribes(id)
		} else {
			p.subscribes(id)
			p.subscribesTo(id, endpoint, of, secret)
		}
		p.calls(id, "3")
		p.sends()
		p.sends()
		if got := p.outcomes(id); got != "push called sent" || p.phone.Count() != before+1 {
			t.Errorf("with %d it is recorded as %s, %d pushes", status, got, p.phone.Count()-before)
		}
		if all, err := p.store.subscriptionsOf(t.Context(), id); err != nil || len(all) != browsers {
			t.Errorf("with %d, %d browsers are kept: %v", status, len(all), err)
		}
	}
}

// A channel pauses after consecutive failures. A success resets the count. An ended subscription is no failure.
func TestOnlyFailuresInARowPauseAChannel(t *testing.T) {
	p := newPorch(t)
	now := time.Now()
	for try, failed := range []bool{true, true, true, true, false, true, true, true, true} {
		p.deliverer.noteResult("sms", strconv.Itoa(try), failed, now)
	}
	p.phone.Answer(http.StatusGone)
	for range failuresToPause {
		id := p.arrive()
		p.subscribes(id)
		p.calls(id, "3")
		p.sends()
	}
	if paused := p.deliverer.pausedAt(now); len(paused) != 0 {
		t.Errorf("paused are %v", paused)
	}
}

// A browser that fails several times counts once. Failures of five browsers of a push service pause this service for a
// minute, but no other. A visitor whose push service was paused is notified afterwards.
func TestDeadBrowsersPauseOnlyTheirPushService(t *testing.T) {
	p := newPorch(t)
	private, public := seal.PushKeys(key)
	every := func(string) bool { return true }
	p.deliverer.push = push.NewSenderTo(private, public, "desk@lekha.example", every, p.phone.Client())
	p.Service.options.Push = p.deliverer.push
	dead := testkit.NewPhone(t)
	dead.Answer(http.StatusTooManyRequests)
	endpoint, of, secret := dead.Subscription()
	now := time.Now()
	try := func(at time.Time) {
		testkit.Exec(t, p.db.Owner(t), `UPDATE deliveries SET next_at = '2000-01-01' WHERE state = 'queued'`)
		if err := p.deliverer.run(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	called := func(endpoint string) string {
		id := p.arrive()
		p.subscribesTo(id, endpoint, of, secret)
		p.calls(id, "3")
		return id
	}
	for range 2 {
		called(endpoint)
	}
	for range mostTries {
		try(now)
	}
	if paused := p.deliverer.pausedAt(now); len(paused) != 0 || dead.Count() != 2*mostTries {
		t.Errorf("two browsers, asked %d times, pause %v", dead.Count(), paused)
	}
	for range failuresToPause - 2 {
		called(endpoint)
	}
	try(now)
	waits, asked := called(endpoint), dead.Count()
	other := p.arrive()
	p.subscribes(other)
	p.calls(other, "3")
	for range mostTries + 1 {
		try(now)
	}
	if got := p.outcomes(other); got != "push called sent" {
		t.Errorf("a browser of another push service: %s", got)
	}
	if got := p.outcomes(waits); got != "push called queued" || dead.Count() != asked {
		t.Errorf("during the pause it is recorded as %s, asked %d times", got, dead.Count()-asked)
	}
	dead.Answer(http.StatusCreated)
	try(now.Add(pauseFor))
	if got := p.outcomes(waits); got != "push called sent" {
		t.Errorf("after the pause it is recorded as %s", got)
	}
}

func TestARefusedMessageWaits(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	p.aggregator.answer(http.StatusTooManyRequests)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	for range 2 {
		p.sends()
	}
	if got := p.outcomes(id); got != "sms called queued" || len(p.aggregator.got()) != 1 {
		t.Errorf("it is recorded as %s, asked %d times", got, len(p.aggregator.got()))
	}
	if err := p.deliverer.run(t.Context(), time.Now().Add(6*time.Second)); err != nil || len(p.aggregator.got()) != 2 {
		t.Errorf("six seconds later it was asked %d times: %v", len(p.aggregator.got()), err)
	}
}

// A delivery for a channel that is no longer configured is dropped without an event. A failed delivery has an event.
func TestAChannelThatIsGoneDropsItsMessages(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	senders := p.deliverer.senders
	p.deliverer.senders = map[string]message.Sender{}
	p.sends()
	if got := p.outcomes(id); got != "sms called dropped template" || p.events("message") != "" {
		t.Errorf("it is recorded as %s, the events are %q", got, p.events("message"))
	}
	p.deliverer.senders = senders
	p.aggregator.Close() // certainly not sent
	p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount = 2 })
	for later := range mostTries {
		if err := p.deliverer.run(t.Context(), time.Now().Add(time.Duration(later)*20*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.events("message"); !strings.HasPrefix(got, "message_failed") || strings.Contains(got, "message_sent") {
		t.Errorf("the events are %q; it is recorded as %s", got, p.outcomes(id))
	}
}

// A call that is undone and made again before its message is sent causes one message.
func TestACallThatIsMadeAgainIsOneMessage(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	p.change(contract.VisitUndone, id, func(v *contract.Visit) { v.Stage = contract.StageWaiting })
	p.calls(id, "4")
	p.sends()
	if n := len(p.aggregator.got()); n != 1 {
		t.Errorf("%d messages were sent", n)
	}
	if got := p.outcomes(id); got != "sms called dropped over, sms called sent" {
		t.Errorf("they are recorded as %s", got)
	}
}

// A call that was sent, taken back, and made again to the same desk within a minute is sent once and counts as one of
// the visit's three messages. A call to another desk is sent, and so is a call that a person repeats.
func TestACallThatIsTakenBackAndMadeAgainIsNotSentTwice(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	release := func(v *contract.Visit) { v.Stage, v.Counter, v.CallCount = contract.StageWaiting, "", 0 }
	for range 4 {
		p.calls(id, "3")
		p.sends()
		p.change(contract.VisitReleased, id, release)
	}
	if n := len(p.aggregator.got()); n != 1 {
		t.Errorf("%d messages were sent about one desk", n)
	}
	p.calls(id, "4")
	p.sends()
	p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount = 2 })
	p.sends()
	if got := p.outcomes(id); got != "sms called sent, sms called sent, sms called sent" {
		t.Errorf("they are recorded as %s", got)
	}
}
