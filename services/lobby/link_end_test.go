package lobby

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// A change of a visit after its erasure does not open its page again.
func TestTheLinkOfAnErasedVisitStaysEnded(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.change(contract.VisitErased, id, func(v *contract.Visit) { v.Name, v.Phone = "Erased", "" })
	p.change(contract.VisitInSession, id, func(v *contract.Visit) { v.Stage = contract.StageInSession })
	if w := p.get("/q/" + codeOf(id)); w.Code != http.StatusGone {
		t.Errorf("it answered %d\n%s", w.Code, w.Body)
	}
}

func TestALinkEndsAnHourAfterAnyEnd(t *testing.T) {
	p := newPorch(t)
	for stage, end := range map[string]func(*contract.Visit, *wire.Time){
		contract.StageCompleted: func(v *contract.Visit, at *wire.Time) { v.CompletedAt = at },
		contract.StageDenied:    func(v *contract.Visit, at *wire.Time) { v.DecidedAt = at },
		contract.StageLeft:      func(v *contract.Visit, at *wire.Time) { v.EndedAt = at },
		contract.StageNoShow:    func(v *contract.Visit, at *wire.Time) { v.EndedAt = at },
		contract.StageCancelled: func(v *contract.Visit, at *wire.Time) { v.EndedAt = at },
	} {
		for minutes, want := range map[int]int{59: http.StatusOK, 61: http.StatusGone} {
			at := wire.Time(time.Now().Add(-time.Duration(minutes) * time.Minute))
			id := p.arrive(func(v *contract.Visit) { v.Stage = stage; end(v, &at) })
			if w := p.get("/q/" + codeOf(id)); w.Code != want {
				t.Errorf("%s %d minutes ago: %d, want %d", stage, minutes, w.Code, want)
			}
		}
	}
	var phones int
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT count(phone) FROM visits`).Scan(&phones); err != nil || phones != 0 {
		t.Errorf("%d phones of visits that are over are kept: %v", phones, err)
	}
}

// A lunch break does not end a link: the office closes with the last span of the day.
func TestALinkOutlastsTheBreakOfTheOffice(t *testing.T) {
	open := func(from, to string) office.Hours {
		return office.Hours{Days: "Monday-Friday", Open: &from, Close: &to}
	}
	broken := officeCopy{Hours: []office.Hours{open("9 AM", "1 PM"), open("2 PM", "7 PM")}}
	whole := officeCopy{Hours: []office.Hours{open("9 AM", "7 PM")}}
	for _, hour := range []int{10, 13, 15} {
		arrived := projected{Day: "2026-11-26", CreatedAt: time.Date(2026, 11, 26, hour, 30, 0, 0, kolkata)} // a Thursday
		got, want := found{office: broken, visit: arrived}.ends(kolkata), found{office: whole, visit: arrived}.ends(kolkata)
		if closes := time.Date(2026, 11, 26, 19, 0, 0, 0, kolkata); !got.Equal(want) || !got.After(closes) {
			t.Errorf("the link of %d:30 ends at %s, without the break at %s", hour, got, want)
		}
	}
}

// A visitor who left with the page's button can undo this on the page. A visitor whom reception marked as left cannot.
func TestOnlyTheVisitorsOwnLeavingCanBeTakenBack(t *testing.T) {
	p := newPorch(t)
	own, noted := p.arrive(), p.arrive()
	p.post("/q/"+codeOf(own)+"/left", "")
	p.caughtUp()
	if html := p.shows(own, "left"); !strings.Contains(html, "/here") {
		t.Errorf("it cannot be taken back:\n%s", html)
	}
	v, now := p.known[noted], wire.Time(time.Now())
	v.Stage, v.EndedAt = contract.StageLeft, &now
	p.publish(contract.VisitLeft, v, &outbox.Actor{Name: "The reception", Role: contract.RoleReception})
	if html := p.shows(noted, "left"); strings.Contains(html, "/here") {
		t.Errorf("it can be taken back:\n%s", html)
	}
}

// While lobby rebuilds its projection, a link responds with 503 instead of a page without a token.
func TestALinkWithoutItsVisitIsNotAnswered(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	testkit.Exec(t, p.db.Owner(t), `DELETE FROM visits`)
	if w := p.get("/q/" + codeOf(id)); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("the page: %d %v\n%s", w.Code, w.Header(), w.Body)
	}
	w := p.contract.Call(t, p.table, "token-reception", http.MethodGet, "/api/lobby/visits/"+id+"/link", "")
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("the link of the slip: %d %s", w.Code, w.Body)
	}
}

// The push subscription of a closed visit is deleted, the subscription of an open visit is kept. Consents are deleted
// with the visit's row.
func TestWhatIsKeptOfAVisitEndsWithIt(t *testing.T) {
	p := newPorch(t)
	over, open, gone := p.arrive(), p.arrive(), p.arrive()
	for _, id := range []string{over, open, gone} {
		p.agrees(id, contract.ConsentGiven)
		p.subscribes(id)
	}
	now := wire.Time(time.Now())
	p.change(contract.VisitCompleted, over, func(v *contract.Visit) {
		v.Stage, v.CompletedAt = contract.StageCompleted, &now
	})
	testkit.Exec(t, p.db.Owner(t), `UPDATE visits SET day = day - 20 WHERE id = $1`, gone)
	if err := p.store.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][2]bool{over: {true, false}, open: {true, true}, gone: {false, false}} {
		if agreed, pushed, err := p.store.tellableBy(t.Context(), id); err != nil || agreed != want[0] || pushed != want[1] {
			t.Errorf("%s: agreed %v, pushed %v, want %v: %v", id, agreed, pushed, want, err)
		}
	}
}

func TestAVisitThatIsOverHasNoLinkForASlip(t *testing.T) {
	p := newPorch(t)
	ago := wire.Time(time.Now().Add(-2 * time.Hour))
	id := p.arrive(func(v *contract.Visit) { v.Stage, v.CompletedAt = contract.StageCompleted, &ago })
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		w := p.contract.Call(t, p.table, "token-reception", method, "/api/lobby/visits/"+id+"/link", "")
		if w.Code != http.StatusNotFound {
			t.Errorf("%s answered %d %s", method, w.Code, w.Body)
		}
	}
	if got := p.events("link"); got != "" {
		t.Errorf("the events are %s", got)
	}
}

// Several requests that replace a lost link at the same moment return the same new link, which is open. A later request
// replaces it again.
func TestReplacementsAtTheSameMomentAreOneLink(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	replace := func() (status int, code string) {
		w := testkit.Call(t, p.table, "token-reception", http.MethodPost, "/api/lobby/visits/"+id+"/link", "")
		_, code, _ = strings.Cut(w.Body.String(), "/Q/")
		return w.Code, code[:min(len(code), 20)]
	}
	const together = 4
	statuses, codes := make([]int, together), make([]string, together)
	var group sync.WaitGroup
	for i := range together {
		group.Go(func() { statuses[i], codes[i] = replace() })
	}
	group.Wait()
	if want := slices.Repeat([]int{http.StatusCreated}, together); !slices.Equal(statuses, want) {
		t.Fatalf("they answered %v", statuses)
	}
	if len(slices.Compact(codes)) != 1 || p.get("/q/"+codes[0]).Code != http.StatusOK {
		t.Errorf("the links are %v", codes)
	}
	if got := strings.Count(p.events("link"), "link_replaced"); got != 1 {
		t.Errorf("%d events of one replacement", got)
	}
	testkit.Exec(t, p.db.Owner(t), `UPDATE links SET created_at = created_at - interval '10 seconds'`)
	if _, later := replace(); later == codes[0] || p.get("/q/"+codes[0]).Code == http.StatusOK {
		t.Error("a link that is lost later is not replaced")
	}
}
