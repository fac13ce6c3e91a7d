package lobby

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/office"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// An ended link and the link of an erased visit show the same page. The link of an erased visit ends within a second.
func TestALinkEnds(t *testing.T) {
	p := newPorch(t)
	hourAgo := wire.Time(time.Now().Add(-61 * time.Minute))
	ended := p.arrive(func(v *contract.Visit) { v.Stage, v.CompletedAt = contract.StageCompleted, &hourAgo })
	erased := p.arrive()
	old := p.arrive(func(v *contract.Visit) {
		before := time.Now().In(kolkata).AddDate(0, 0, -2)
		v.Day, v.CreatedAt = before.Format(time.DateOnly), wire.Time(before)
	})
	p.shows(erased, "waiting")
	p.agrees(erased, contract.ConsentGiven)
	p.subscribes(erased)
	p.visits.Publish(t, outbox.Change{Type: contract.VisitErased, Entity: contract.EntityVisit, EntityID: erased,
		Version: 9, After: p.known[erased]})
	began := time.Now()
	testkit.Eventually(t, "the page of an erased visit ends", func() bool {
		return p.get("/q/"+codeOf(erased)).Code == http.StatusGone
	})
	testkit.AtMost(t, "the end", time.Since(began), time.Second)
	if agreed, pushed, err := p.store.tellableBy(t.Context(), erased); err != nil || agreed || pushed {
		t.Errorf("of an erased visitor the consent is kept: %v, a subscription: %v; %v", agreed, pushed, err)
	}
	want := p.get("/q/" + codeOf(ended))
	for _, id := range []string{ended, erased, old} {
		w := p.get("/q/" + codeOf(id))
		w.Header().Set("X-Request-Id", want.Header().Get("X-Request-Id"))
		if w.Code != http.StatusGone || w.Body.String() != want.Body.String() || strings.Contains(w.Body.String(), "T-014") ||
			fmt.Sprint(w.Header()) != fmt.Sprint(want.Header()) {
			t.Errorf("an ended link: %d\n%s", w.Code, w.Body)
		}
		if w := p.post("/q/"+codeOf(id)+"/left", ""); w.Code != http.StatusGone {
			t.Errorf("an action of an ended link: %d", w.Code)
		}
	}
	if w := p.get("/q/00000000000000000000?lang=hi"); !strings.Contains(w.Body.String(), `lang="hi"`) {
		t.Errorf("the page of an unknown link is %s", w.Body)
	}
	ancient := p.arrive(func(v *contract.Visit) { v.Day = time.Now().In(kolkata).AddDate(0, 0, -9).Format(time.DateOnly) })
	if w := p.get("/q/" + codeOf(ancient)); w.Code != http.StatusNotFound {
		t.Errorf("a link of nine days ago: %d", w.Code)
	}
	testkit.Exec(t, p.db.Owner(t), `UPDATE links SET day = day - 20`)
	if err := p.store.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := p.get("/q/" + codeOf(ended)); w.Code != http.StatusNotFound {
		t.Errorf("a link that is not kept: %d", w.Code)
	}
}

// A visitor who is registered after the office has closed has a page for two hours.
func TestALinkOfALateRegistrationIsOpen(t *testing.T) {
	registered := time.Date(2026, 11, 24, 21, 30, 0, 0, kolkata)
	from, to := "9 AM", "7 PM"
	f := found{
		office: officeCopy{Hours: []office.Hours{{Days: "Monday-Sunday", Open: &from, Close: &to}}},
		visit:  projected{ID: "v", Day: "2026-11-24", CreatedAt: registered},
	}
	for created, want := range map[time.Time]string{registered: "23:30", registered.Add(-6 * time.Hour): "21:00"} {
		f.visit.CreatedAt = created
		if got := f.ends(kolkata).Format("15:04"); got != want {
			t.Errorf("registered at %v it ends at %s, want %s", created, got, want)
		}
	}
	f.office.Hours[0].Days, f.visit.Day, f.visit.CreatedAt = "Monday-Saturday", "2026-11-22", registered.AddDate(0, 0, -3)
	if got := f.ends(kolkata); !got.Equal(time.Date(2026, 11, 23, 2, 0, 0, 0, kolkata)) {
		t.Errorf("on a Sunday without hours it ends at %v", got)
	}
}

func TestStaffReplaceALostLink(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	url := "/api/lobby/visits/" + id + "/link"
	call := func(role, method string) (code string, status int, opens int) {
		w := p.contract.Call(t, p.table, "token-"+role, method, url, "")
		var answer linkAnswer
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(answer.Link.URL, "HTTP://BAARI.TEST/Q/"), w.Code, answer.Link.Opens
	}
	p.get("/q/" + codeOf(id))
	p.get("/Q/" + codeOf(id))
	p.get("/q/" + codeOf(id) + "/state")
	testkit.Call(t, p.table, "", http.MethodHead, "/q/"+codeOf(id), "") // a chat's preview of the link
	if code, status, opens := call("reception", http.MethodGet); code != codeOf(id) || status != 200 || opens != 2 {
		t.Errorf("the link: %s %d, opened %d times", code, status, opens)
	}
	p.post("/q/"+codeOf(id)+"/late", "minutes=10")
	p.caughtUp()
	another, status, opens := call("reception", http.MethodPost)
	if another != link.Code(key, id, 2) || status != http.StatusCreated || opens != 0 {
		t.Errorf("another link: %s %d %d", another, status, opens)
	}
	if w := p.get("/q/" + codeOf(id)); w.Code != http.StatusGone {
		t.Errorf("the link before: %d", w.Code)
	}
	if w := p.get("/q/" + another); w.Code != 200 || strings.Contains(w.Body.String(), "/late") {
		t.Errorf("another link: %d\n%s", w.Code, w.Body)
	}
	for _, role := range []string{"pa", "consultant"} {
		if _, status, _ := call(role, http.MethodGet); status != http.StatusForbidden {
			t.Errorf("%s: %d", role, status)
		}
	}
	var events string
	if err := p.db.Pool.QueryRow(t.Context(), `
SELECT string_agg(type || ' ' || coalesce(actor->>'name', ''), ', ' ORDER BY id) FROM outbox WHERE entity = 'link'`,
	).Scan(&events); err != nil {
		t.Fatal(err)
	}
	if events != "link_opened Visitor, link_shown The reception, link_replaced The reception, link_opened Visitor" {
		t.Errorf("the events are %s", events)
	}
	if found := p.db.Find(t, another, codeOf(id)); len(found) > 0 {
		t.Errorf("the database has a code: %v", found)
	}
}

// The slip is printed when the response to the registration arrives, possibly before lobby has the visit's event.
func TestTheLinkOfANewVisitIsWaitedFor(t *testing.T) {
	p := newPorch(t)
	id := p.arrive(func(v *contract.Visit) { v.TokenNo = 1 })
	v := p.known[id]
	v.ID = "01890000-0000-7000-8000-0000000000ff"
	go func() {
		time.Sleep(200 * time.Millisecond)
		p.visits.Publish(t, outbox.Change{
			Type: contract.VisitCreated, Entity: contract.EntityVisit, EntityID: v.ID, After: v,
		})
	}()
	usual := patience
	for _, c := range []struct {
		id       string
		patience time.Duration
		want     int
	}{
		{v.ID, time.Minute, http.StatusCreated},
		{"01890000-0000-7000-8000-0000000000fe", usual, http.StatusNotFound},
	} {
		patience = c.patience
		w := p.contract.Call(t, p.table, "token-admin", http.MethodPost, "/api/lobby/visits/"+c.id+"/link", "")
		if w.Code != c.want {
			t.Errorf("%s answered %d %s", c.id, w.Code, w.Body)
		}
	}
	w := p.contract.Call(t, p.table, "token-admin", http.MethodGet, "/api/lobby/visits/"+v.ID+"/link", "")
	if w.Code != http.StatusOK {
		t.Errorf("it answered %d %s", w.Code, w.Body)
	}
}

// A rebuild in a new epoch of visits results in the same pages and links.
func TestARebuildKeepsTheLinks(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.shows(id, "waiting")
	p.visits.BeginEpoch(t)
	p.publish(contract.VisitHeld, p.known[id], nil)
	p.caughtUp()
	p.shows(id, "waiting")
}
