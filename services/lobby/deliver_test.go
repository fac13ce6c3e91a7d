package lobby

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/message"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// aggregator is a provider of messages. It records the messages that it receives.
type aggregator struct {
	*httptest.Server
	mu     sync.Mutex
	texts  []string
	status int
	after  func() // called when a message has arrived, before it is answered
}

func newAggregator(t *testing.T) *aggregator {
	t.Helper()
	a := &aggregator{status: http.StatusOK, after: func() {}}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		a.mu.Lock()
		a.texts = append(a.texts, string(data))
		status, after := a.status, a.after
		a.mu.Unlock()
		after()
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"ref":"m-1"}`)
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *aggregator) got() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.texts)
}

func (a *aggregator) then(after func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.after = after
}

func (a *aggregator) answer(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status = status
}

func (p *porch) channels() message.Channels {
	p.t.Helper()
	file := fmt.Sprintf(`{"sms":{"adapter":"http","paise":18.5,"url":%q,"type":"application/json","success":"ref",
"idAfter":"\"ref\":\"","body":"{to} {text}","templates":{"near":{"en":{"id":"1","text":"{#var#} near {#var#} {#url#}"}},
"called":{"en":{"id":"2","text":"{#var#} to {#var#}"},"kn":{"id":"3","text":"{#var#} ಕೌಂಟರ್ {#var#}"}},
"appointment_confirmed":{"en":{"id":"4","text":"Confirmed: {#var#}, {#var#}"}},
"appointment_reminder":{"en":{"id":"5","text":"Reminder: {#var#}, {#var#}"}}}}}`,
		p.aggregator.URL)
	channels, err := message.Read([]byte(file), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return channels
}

// atNoon sets the office's time zone so that it is noon there, because messages are sent by day only.
func atNoon(p *porch) {
	now := time.Now().UTC()
	offset := 12 - now.Hour()
	p.Service.options.Zone = time.FixedZone("noon", offset*3600)
}

func (p *porch) agrees(id string, kind string) {
	p.t.Helper()
	p.visits.Publish(p.t, consentOf(id, kind))
	p.caughtUp()
}

func (p *porch) subscribes(id string) *httptest.ResponseRecorder {
	p.t.Helper()
	endpoint, public, secret := p.phone.Subscription()
	return p.subscribesTo(id, endpoint, public, secret)
}

func (p *porch) subscribesTo(id, endpoint, public, secret string) *httptest.ResponseRecorder {
	p.t.Helper()
	body, err := json.Marshal(map[string]any{
		"endpoint": endpoint, "expirationTime": nil, "keys": map[string]string{"p256dh": public, "auth": secret},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.contract.Call(p.t, p.table, "", http.MethodPost, "/q/"+codeOf(id)+"/push", string(body),
		"Content-Type", "application/json", "Origin", base)
}

func (p *porch) calls(id string, counter string) {
	p.t.Helper()
	now := wire.Time(time.Now())
	p.change(contract.VisitCalled, id, func(v *contract.Visit) {
		v.Stage, v.Counter, v.CalledAt = contract.StageCalled, counter, &now
	})
}

func (p *porch) sends() {
	p.t.Helper()
	if err := p.deliverer.run(p.t.Context(), time.Now()); err != nil {
		p.t.Fatal(err)
	}
}

func (p *porch) outcomes(id string) string {
	p.t.Helper()
	told, err := p.store.told(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	words := make([]string, len(told))
	for i, one := range told {
		words[i] = strings.TrimSpace(one.Channel + " " + one.Kind + " " + one.State + " " + one.Why)
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// A call causes one push and one message, in the visitor's language. A second call causes both again.
func TestACallIsToldOnce(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive(func(v *contract.Visit) { v.Language = "kn" })
	p.agrees(id, contract.ConsentGiven)
	if w := p.subscribes(id); w.Code != http.StatusNoContent {
		t.Fatalf("it answered %d %s", w.Code, w.Body)
	}
	p.subscribes(id)
	p.calls(id, "3")
	for range 3 {
		p.sends()
	}
	if got := p.aggregator.got(); !slices.Equal(got, []string{"9876543210 T-014 ಕೌಂಟರ್ 3"}) {
		t.Errorf("the aggregator got %q", got)
	}
	want := fmt.Sprintf(`{"k":"called","l":"kn","t":"T-014","c":"3","q":%q}`, codeOf(id))
	if body, _ := p.phone.Got(0); p.phone.Count() != 1 || body != want {
		t.Errorf("the phone got %d, first %s", p.phone.Count(), body)
	}
	if found := p.db.Find(t, append(personal, p.phone.URL)...); len(found) > 0 {
		t.Errorf("the database has what it must encrypt: %v", found)
	}
	p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount = 2 })
	p.sends()
	if p.phone.Count() != 2 || len(p.aggregator.got()) != 2 {
		t.Errorf("a second call: %d pushes, %q", p.phone.Count(), p.aggregator.got())
	}
	if got := p.outcomes(id); got != "push called sent, push called sent, sms called sent, sms called sent" {
		t.Errorf("it is recorded as %s", got)
	}
	if got := p.events("message"); strings.Count(got, "message_sent") != 4 {
		t.Errorf("the events are %s", got)
	}
}

// A call that the service visits repeats by itself is only for the board: the visitor already has the message of the
// first call.
func TestACallThatTheServiceRepeatsSendsNothing(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.subscribes(id)
	p.calls(id, "3")
	p.sends()
	p.mu.Lock()
	v := p.known[id]
	p.mu.Unlock()
	v.CallCount = 2
	p.publish(contract.VisitRecalled, v, &outbox.Actor{Name: "System", Role: "system"})
	p.sends()
	if got := p.outcomes(id); got != "push called sent, sms called sent" {
		t.Errorf("it is recorded as %s", got)
	}
}

func TestAMessageIsNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(p *porch, id string)
		want string
	}{
		"no consent": {func(p *porch, id string) { p.calls(id, "3") }, ""},
		"withdrawn before the call": {func(p *porch, id string) {
			p.agrees(id, contract.ConsentGiven)
			p.agrees(id, contract.ConsentWithdrawn)
			p.calls(id, "3")
		}, ""},
		"withdrawn while it waits": {func(p *porch, id string) {
			p.agrees(id, contract.ConsentGiven)
			p.calls(id, "3")
			p.agrees(id, contract.ConsentWithdrawn)
		}, "sms called dropped withdrawn"},
		"by night": {func(p *porch, id string) {
			p.Service.options.Zone = time.FixedZone("night", (21-time.Now().UTC().Hour())*3600)
			p.agrees(id, contract.ConsentGiven)
			p.calls(id, "3")
		}, ""},
		"the visitor sits": {func(p *porch, id string) {
			p.agrees(id, contract.ConsentGiven)
			p.calls(id, "3")
			p.change(contract.VisitInSession, id, func(v *contract.Visit) { v.Stage = contract.StageInSession })
		}, "sms called dropped over"},
		"too late": {func(p *porch, id string) {
			p.agrees(id, contract.ConsentGiven)
			p.calls(id, "3")
			testkit.Exec(p.t, p.db.Owner(p.t), `UPDATE deliveries SET created_at = now() - interval '181 seconds'`)
		}, "sms called dropped late"},
		"erased": {func(p *porch, id string) {
			p.agrees(id, contract.ConsentGiven)
			p.calls(id, "3")
			p.change(contract.VisitErased, id, func(v *contract.Visit) { v.Name, v.Phone = "Erased", "" })
		}, "sms called dropped over"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPorch(t)
			atNoon(p)
			id := p.arrive()
			c.do(p, id)
			p.sends()
			if got := p.outcomes(id); got != c.want || len(p.aggregator.got()) > 0 {
				t.Errorf("it is recorded as %q, want %q; the aggregator got %q", got, c.want, p.aggregator.got())
			}
		})
	}
}

func TestAVisitHasThreeMessages(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id := p.arrive()
	p.agrees(id, contract.ConsentGiven)
	p.calls(id, "3")
	for range 4 {
		p.sends()
		p.change(contract.VisitRecalled, id, func(v *contract.Visit) { v.CallCount++ })
	}
	p.sends()
	if got := p.aggregator.got(); len(got) != 3 {
		t.Errorf("the aggregator got %q", got)
	}
}

func TestWhoIsNearIsToldOnce(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	id, far := p.arrive(), p.arrive()
	for _, one := range []string{id, far} {
		p.agrees(one, contract.ConsentGiven)
	}
	p.subscribes(id)
	p.mu.Lock()
	p.places = fmt.Sprintf(`{"places":[{"visit_id":%q,"ahead":2},{"visit_id":%q,"ahead":9}],"now":[]}`, id, far)
	p.mu.Unlock()
	for range 2 {
		p.Service.places.forget()
		if err := p.queueNear(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		p.sends()
	}
	got := p.aggregator.got()
	if len(got) != 1 || got[0] != "9876543210 T-014 near Lekha Tax "+base+"/q/"+codeOf(id) || p.phone.Count() != 1 {
		t.Errorf("the aggregator got %q, the phone %d", got, p.phone.Count())
	}
}

// A busy provider is called three times. After five consecutive failures the channel pauses for a minute.
func TestABusyProviderIsAskedAgainAndTheChannelPauses(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	p.aggregator.answer(http.StatusTooManyRequests)
	ids := []string{p.arrive(), p.arrive()}
	for _, id := range ids {
		p.agrees(id, contract.ConsentGiven)
		p.calls(id, "3")
	}
	now := time.Now()
	for _, later := range []time.Duration{0, 6 * time.Second, 20 * time.Second} {
		testkit.Exec(t, p.db.Owner(t), `UPDATE deliveries SET next_at = now() - interval '1 second' WHERE state = 'queued'`)
		if err := p.deliverer.run(t.Context(), now.Add(later)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.aggregator.got()); n != 6 {
		t.Errorf("the aggregator was asked %d times", n)
	}
	if got := p.outcomes(ids[0]); got != "sms called failed refused" {
		t.Errorf("it is recorded as %s", got)
	}
	w := p.contract.Call(t, p.table, "token-admin", http.MethodGet, "/api/lobby/messages", "")
	var answer messagesAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || !answer.On || len(answer.Channels) != 2 ||
		answer.Channels[1].Channel != "sms" || answer.Channels[1].Failed != 2 || !answer.Channels[1].Paused {
		t.Errorf("the state is %s: %v", w.Body, err)
	}
	p.aggregator.answer(http.StatusOK)
	third := p.arrive()
	p.agrees(third, contract.ConsentGiven)
	p.calls(third, "3")
	p.sends()
	if got := p.outcomes(third); got != "sms called queued" {
		t.Errorf("a paused channel is used: %s", got)
	}
	if err := p.deliverer.run(t.Context(), now.Add(90*time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := p.outcomes(third); got != "sms called sent" {
		t.Errorf("after the pause: %s", got)
	}
}

func TestOnlyPushServicesAreSubscribedTo(t *testing.T) {
	p := newPorch(t)
	p.limiter = nil
	id := p.arrive()
	_, public, secret := p.phone.Subscription()
	for _, endpoint := range []string{
		"https://127.0.0.1/a", "https://fcm.googleapis.com.evil.example/a", "http://fcm.googleapis.com/a", "",
	} {
		if w := p.subscribesTo(id, endpoint, public, secret); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d", endpoint, w.Code)
		}
	}
	for i := range 5 {
		if w := p.subscribesTo(id, fmt.Sprintf("%s/%d", p.phone.URL, i), public, secret); w.Code != http.StatusNoContent {
			t.Errorf("%d: %d", i, w.Code)
		}
	}
	all, err := p.store.subscriptionsOf(t.Context(), id)
	if err != nil || len(all) != mostSubscriptions {
		t.Errorf("%d browsers take push: %v", len(all), err)
	}
	p.phone.Answer(http.StatusGone)
	p.calls(id, "3")
	p.sends()
	if got := p.outcomes(id); got != "push called dropped withdrawn" {
		t.Errorf("it is recorded as %s", got)
	}
	if all, _ = p.store.subscriptionsOf(t.Context(), id); len(all) != 0 {
		t.Errorf("%d ended subscriptions are kept", len(all))
	}
	p.subscribes(id)
	p.contract.Call(t, p.table, "", http.MethodDelete, "/q/"+codeOf(id)+"/push", "", "Origin", base)
	if all, _ = p.store.subscriptionsOf(t.Context(), id); len(all) != 0 {
		t.Errorf("%d subscriptions are kept", len(all))
	}
	foreign := p.contract.Call(t, p.table, "", http.MethodPost, "/q/"+codeOf(id)+"/push", "{}",
		"Origin", "https://evil.example")
	if foreign.Code != http.StatusForbidden {
		t.Errorf("another site subscribes: %d", foreign.Code)
	}
	if key := p.get("/q/key").Body.String(); len(key) != 87 {
		t.Errorf("the key is %q", key)
	}
	worker := p.get("/q/push-worker.js")
	if !strings.Contains(worker.Body.String(), "ಕೌಂಟರ್") ||
		!strings.HasPrefix(worker.Header().Get("Content-Type"), "text/javascript") {
		t.Errorf("the worker is %v %.200s", worker.Header(), worker.Body)
	}
}
