package lobby

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// A real browser runs the page's script and the service worker. Lobby sends the encrypted message over HTTPS to a push
// service, which decrypts it. A headless browser has no push service and shows no notification, so three steps are
// simulated: PushManager.subscribe returns the subscription of the test's push service, the decrypted message is
// delivered to the worker over the DevTools protocol, and showNotification records its arguments.
func TestACallIsANotificationOfThePhone(t *testing.T) {
	p := newPorch(t)
	site := httptest.NewServer(p.table)
	t.Cleanup(site.Close)
	browser := openChromium(t)
	p.simulatesPush(browser)
	for language, want := range map[string]notification{
		"en": {Title: "Token T-014", Body: "Please go to counter 7 now."},
		"kn": {Title: "ಟೋಕನ್ T-014", Body: "ದಯವಿಟ್ಟು ಈಗ ಕೌಂಟರ್ 7 ಗೆ ಹೋಗಿ."},
	} {
		id := p.arrive(func(v *contract.Visit) { v.Language = language })
		before := p.phone.Count()
		// This is the address in the slip's QR code.
		browser.do("Page.navigate", map[string]any{"url": site.URL + "/Q/" + codeOf(id)})
		browser.press("#push button")
		testkit.Eventually(t, "the browser has subscribed", func() bool {
			_, pushed, err := p.store.tellableBy(t.Context(), id)
			return err == nil && pushed
		})
		if got := browser.evaluate(`window.asked.applicationServerKey + ' ' + window.asked.userVisibleOnly`); got !=
			p.Service.options.Push.PublicKey()+" true" {
			t.Errorf("the page has asked with %s", got)
		}
		p.calls(id, "7")
		p.sends()
		if p.phone.Count() != before+1 {
			t.Fatalf("the push service got %d messages", p.phone.Count()-before)
		}
		body, _ := p.phone.Got(before)
		worker := browser.worker()
		worker.evaluate(`self.shown = null
ServiceWorkerRegistration.prototype.showNotification = async function (title, { body, lang, tag, data }) {
  self.shown = { title, body, lang, tag, data }
}`)
		browser.do("ServiceWorker.deliverPushMessage", map[string]any{
			"origin": site.URL + "/", "registrationId": browser.registration(), "data": body,
		})
		want.Lang, want.Tag, want.Data = language, "turn", codeOf(id)
		if got := worker.notified(); got != want {
			t.Errorf("the notification is %+v, want %+v", got, want)
		}
	}
}

func (p *porch) simulatesPush(browser *chromium) {
	browser.do("ServiceWorker.enable", map[string]any{})
	browser.do("Page.enable", map[string]any{})
	endpoint, key, secret := p.phone.Subscription()
	browser.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(`
PushManager.prototype.subscribe = async function (options) {
  window.asked = options
  const key = localStorage.subscribed
  if (key && key !== options.applicationServerKey) throw new DOMException('another key', 'InvalidStateError')
  localStorage.subscribed = options.applicationServerKey
  return subscription
}
PushManager.prototype.getSubscription = async () => localStorage.subscribed ? subscription : null
const subscription = {
  endpoint: %q, keys: { p256dh: %q, auth: %q },
  unsubscribe: async () => delete localStorage.subscribed,
}
Object.defineProperty(Notification, 'permission', { value: 'granted' })`, endpoint, key, secret)})
}

// A page that is loaded again, for example from the slip's code, shows that push is on, and can end it.
func TestAPageThatIsLoadedAgainKnowsThatPushIsOn(t *testing.T) {
	p := newPorch(t)
	site := httptest.NewServer(p.table)
	t.Cleanup(site.Close)
	browser := openChromium(t)
	p.simulatesPush(browser)
	id := p.arrive()
	pushed := func() bool {
		_, pushed, err := p.store.tellableBy(t.Context(), id)
		return err == nil && pushed
	}
	open := func() { browser.do("Page.navigate", map[string]any{"url": site.URL + "/Q/" + codeOf(id)}) }
	says := func(words string) {
		t.Helper()
		testkit.Eventually(t, "the button says "+words, func() bool {
			return browser.evaluate(`document.querySelector('#push button')?.textContent`) == words
		})
	}
	open()
	browser.press("#push button")
	says("Do not tell me any more")
	open()
	says("Do not tell me any more")

	// If the office has a new key pair, the browser replaces the subscription for the old key.
	if err := p.store.unsubscribeAll(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	browser.evaluate(`localStorage.subscribed = 'of the office before'`)
	browser.evaluate(`localStorage.push = localStorage.push.replace(/ .*/, ' before')`)
	open()
	testkit.Eventually(t, "the page has subscribed anew", pushed)
	if got := browser.evaluate(`localStorage.subscribed`); got != p.Service.options.Push.PublicKey() {
		t.Errorf("the subscription is for the key %s", got)
	}
	says("Do not tell me any more")
	browser.press("#push button")
	says("Tell me here when it is my turn")
	if pushed() {
		t.Error("push goes on")
	}
	open()
	says("Tell me here when it is my turn")
}

func TestPushThatCannotBeSwitchedOnSaysSo(t *testing.T) {
	p := newPorch(t)
	site := httptest.NewServer(p.table)
	t.Cleanup(site.Close)
	browser := openChromium(t)
	p.simulatesPush(browser)
	browser.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": `PushManager.prototype.subscribe = () => Promise.reject(new Error('no push service'))`,
	})
	id := p.arrive()
	browser.do("Page.navigate", map[string]any{"url": site.URL + "/Q/" + codeOf(id)})
	browser.press("#push button")
	testkit.Eventually(t, "the page says it", func() bool {
		return browser.evaluate(`document.getElementById('pushed').textContent`) ==
			"This did not work. Please look at this page again from time to time."
	})
}

type notification struct{ Title, Body, Lang, Tag, Data string }

// press clicks on an element of the page once it is visible.
func (c *chromium) press(selector string) {
	c.t.Helper()
	testkit.Eventually(c.t, selector+" is shown", func() bool {
		return c.evaluate(fmt.Sprintf(`(() => {
  const button = document.querySelector(%q)
  if (!button || !button.checkVisibility()) return 'no'
  button.click()
  return 'yes'
})()`, selector)) == "yes"
	})
}

func (c *chromium) registration() string {
	c.t.Helper()
	var got struct {
		Registrations []struct{ RegistrationID string }
	}
	text := c.event("ServiceWorker.workerRegistrationUpdated")
	if err := json.Unmarshal([]byte(text), &got, json.MatchCaseInsensitiveNames(true)); err != nil ||
		len(got.Registrations) != 1 {
		c.t.Fatalf("the workers are %s: %v", text, err)
	}
	return got.Registrations[0].RegistrationID
}

func (c *chromium) worker() *chromium {
	c.t.Helper()
	var got struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	c.into(&got, "Target.getTargets", map[string]any{})
	for _, one := range got.TargetInfos {
		if one.Type == "service_worker" {
			return c.attach(one.TargetID)
		}
	}
	c.t.Fatalf("no service worker runs: %+v", got)
	return nil
}

func (c *chromium) notified() (found notification) {
	c.t.Helper()
	testkit.Eventually(c.t, "the worker shows a notification", func() bool {
		text := c.evaluate("JSON.stringify(self.shown)")
		if text == "null" {
			return false
		}
		if err := json.Unmarshal([]byte(text), &found, json.MatchCaseInsensitiveNames(true)); err != nil {
			c.t.Fatal(err)
		}
		return true
	})
	return found
}
