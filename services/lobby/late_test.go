package lobby

import (
	"net/http"
	"testing"

	"baari.dev/services/contract"
)

// "I will be late" is used up only when visits has recorded it. While visits is unavailable, it stays possible.
func TestLateIsNotUsedUpWhileVisitsIsAway(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	p.shows(id, "waiting")
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusInternalServerError, http.StatusConflict} {
		p.mu.Lock()
		p.status = status
		p.mu.Unlock()
		p.post("/q/"+codeOf(id)+"/late", "minutes=20")
	}
	p.mu.Lock()
	p.status = 0
	p.mu.Unlock()
	p.post("/q/"+codeOf(id)+"/late", "minutes=20")
	p.caughtUp()
	if stage := p.known[id].Stage; stage != contract.StageHeld {
		t.Errorf("the visit is %s", stage)
	}
}
