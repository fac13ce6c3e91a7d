package lobby

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// The page's script, the service worker and the words of the notification are those of the product, in a real browser,
// and the encrypted message goes from lobby to a push service over HTTPS, which decrypts it. A headless browser has no
// push service and shows no notification, so three steps are simulated: PushManager.subscribe returns the subscription
// of the test's push service, what that has decrypted is delivered to the worker over the DevTools protocol, and
// showNotification keeps what it is asked to show.
func TestACallIsANotificationOfThePhone(t *testing.T) {
	p := newPorch(t)
	site := httptest.NewServer(p.table)
	t.Cleanup(site.Close)
	browser := openChromium(t)
	browser.do("ServiceWorker.enable", map[string]any{})
	browser.do("Page.enable", map[string]any{})
	endpoint, key, secret := p.phone.Subscription()
	browser.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": fmt.Sprintf(`
PushManager.prototype.subscribe = async function (options) {
  window.asked = options
  return { endpoint: %q, keys: { p256dh: %q, auth: %q } }
}
Object.defineProperty(Notification, 'permission', { value: 'granted' })`, endpoint, key, secret)})
	for language, want := range map[string]notification{
		"en": {Title: "Token T-014", Body: "Please go to counter 7 now."},
		"kn": {Title: "ಟೋಕನ್ T-014", Body: "ದಯವಿಟ್ಟು ಈಗ ಕೌಂಟರ್ 7 ಗೆ ಹೋಗಿ."},
	} {
		id := p.arrive(func(v *contract.Visit) { v.Language = language })
		before := p.phone.Count()
		browser.do("Page.navigate", map[string]any{"url": site.URL + "/q/" + codeOf(id)})
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

type notification struct{ Title, Body, Lang, Tag, Data string }

// press clicks on an element of the page once it is shown.
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

// registration returns the id of the page's service worker.
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

// worker attaches to the page's service worker, which runs.
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

// notified waits for the notification that the worker shows.
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
