package lobby

import (
	"context"
	"sync"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

const (
	askEvery = 5 * time.Second // interval of calls to the service visits, however many pages are open
	askLimit = 2 * time.Second
	tooOld   = time.Minute // older places are not shown
)

// places has the places in line, which it requests from the service visits when they are read. If visits has not
// responded for a minute, pages have no places.
type places struct {
	visits *identity.Client

	mu    sync.Mutex
	tag   string
	asked time.Time
	at    time.Time // time at which the places were last confirmed
	last  lineNow
}

type lineNow struct {
	of  map[string]contract.LinePlace
	now []contract.LineCall
}

func newPlaces(visits *identity.Client) *places { return &places{visits: visits} }

// read returns the line, or the zero value if no line of the last minute is known. If the last call is older than five
// seconds, one reader calls visits. Meanwhile other readers get the last result.
func (p *places) read(ctx context.Context) lineNow {
	p.mu.Lock()
	now := time.Now()
	asks := now.Sub(p.asked) >= askEvery
	if asks {
		p.asked = now
	}
	tag := p.tag
	p.mu.Unlock()
	if asks {
		p.ask(ctx, tag)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) > tooOld {
		return lineNow{}
	}
	return p.last
}

// forget makes the next reader call visits at once, after a visitor's action has changed the line.
func (p *places) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = time.Time{}
}

func (p *places) ask(ctx context.Context, tag string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	var answer contract.Line
	next, err := p.visits.GetTagged(ctx, "/internal/line", tag, &answer)
	if err != nil {
		return // the client counts failed calls
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = time.Now()
	if next == tag {
		return
	}
	p.tag, p.last = next, lineNow{of: make(map[string]contract.LinePlace, len(answer.Places)), now: answer.Now}
	for _, one := range answer.Places {
		p.last.of[one.VisitID] = one
	}
}
