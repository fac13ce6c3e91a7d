package lobby

import (
	"net/http"
	"regexp"
	"testing"
)

// A user who has read a visitor's link can act as the visitor. The trail therefore has the user of each read of a link,
// and a digest of the visitor's address for each action on the page.
func TestWhoHasReadALinkAndFromWhereItIsUsedIsPublished(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for range 2 {
		p.contract.Call(t, p.table, "token-admin", http.MethodGet, "/api/lobby/visits/"+id+"/link", "")
	}
	p.contract.Call(t, p.table, "token-pa", http.MethodGet, "/api/lobby/visits/"+id+"/link", "")
	if got, want := p.events("link"), "link_shown The admin , link_shown The admin "; got != want {
		t.Errorf("the events of the link are %q, want %q", got, want)
	}
	p.get("/q/" + codeOf(id))
	p.post("/q/"+codeOf(id)+"/late", "minutes=10")
	p.post("/q/"+codeOf(id)+"/here", "")
	var opened string
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT actor->>'ip' FROM outbox WHERE type = 'link_opened'`).
		Scan(&opened); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^digest-[A-Z2-7]{16}$`).MatchString(opened) {
		t.Errorf("the page was opened from %q", opened)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.senders) != 2 || p.senders[0] != opened || p.senders[1] != opened {
		t.Errorf("visits got the senders %q, want twice %q", p.senders, opened)
	}
}

func TestADigestDoesNotLinkDaysAndOffices(t *testing.T) {
	seen := map[string]bool{}
	for _, key := range []string{"a key", "another key"} {
		for _, day := range []string{"2026-11-28", "2026-11-29"} {
			for _, address := range []string{"203.0.113.7", "203.0.113.8"} {
				seen[digestOf([]byte(key), day, address)] = true
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d digests of 8", len(seen))
	}
}
