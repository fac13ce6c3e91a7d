package lobby

import (
	"net/http/httptest"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// heldPage counts in window.settled the page's requests whose response was read. A test can hold back the response to a
// request for a page. The page does not poll, because a poll would be counted.
const heldPage = `
const later = setTimeout
window.setTimeout = (work, ms, ...more) => later(work, ms >= 10000 ? 1e9 : ms, ...more)
const real = fetch
window.settled = 0
window.fetch = async (path, options) => {
  const r = await real(path, options)
  const body = await r.text()
  if (window.hold && /^\/q\/[^/]+$/.test(path)) {
    window.hold = false
    window.holds = true
    await new Promise(done => { window.release = done })
  }
  setTimeout(() => { window.settled += 1 })
  const taken = { text: async () => body, json: async () => JSON.parse(body) }
  return { status: r.status, ok: r.ok, headers: r.headers, ...taken }
}`

// The page requests its state when it becomes visible, even while it waits for a response. If that response arrives
// last, the page does not show it.
func TestAnAnswerThatIsOvertakenIsNotShown(t *testing.T) {
	p := newPorch(t)
	site := httptest.NewServer(p.table)
	t.Cleanup(site.Close)
	browser := openChromium(t)
	browser.do("Page.enable", map[string]any{})
	browser.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": heldPage})
	id := p.arrive()
	browser.do("Page.navigate", map[string]any{"url": site.URL + "/Q/" + codeOf(id)})
	testkit.Eventually(t, "the page waits", func() bool {
		return browser.evaluate(`document.readyState + document.body?.dataset.state`) == "completewaiting"
	})
	looks := func() { browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`) }
	settled := func(want string) {
		t.Helper()
		testkit.Eventually(t, want+" requests have an answer", func() bool {
			return browser.evaluate(`String(window.settled)`) == want
		})
	}

	browser.evaluate(`window.hold = true`)
	p.calls(id, "7")
	looks()
	testkit.Eventually(t, "the page of the call is held", func() bool {
		return browser.evaluate(`String(window.holds)`) == "true"
	})
	p.change(contract.VisitUndone, id, func(v *contract.Visit) {
		v.Stage, v.Counter, v.CalledAt = contract.StageWaiting, "", nil
	})
	settled("1") // the state with the call
	looks()
	settled("2") // the state without the call
	browser.evaluate(`window.release()`)
	settled("3")
	if got := browser.evaluate(`document.body.dataset.state`); got != "waiting" {
		t.Errorf("after the call was undone, an overtaken answer shows %s", got)
	}

	p.calls(id, "8")
	looks()
	testkit.Eventually(t, "the page shows the next call", func() bool {
		return browser.evaluate(`document.body?.dataset.state + document.body.innerText.includes('8')`) == "calledtrue"
	})
}
