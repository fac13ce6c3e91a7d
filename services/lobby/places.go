package lobby

import (
	"context"
	"sync"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

const (
	askEvery = 5 * time.Second // however many pages are open
	askLimit = 2 * time.Second
	tooOld   = time.Minute // older places are not shown
)

// places are the places in line, which visits is asked for when a page is read. While visits does not answer, pages go
// without them.
type places struct {
	visits *identity.Client

	mu    sync.Mutex
	tag   string
	asked time.Time
	at    time.Time // time when the answer was last right
	last  lineNow
}

// lineNow is the line at one time.
type lineNow struct {
	of  map[string]contract.LinePlace
	now []contract.LineCall
}

func newPlaces(visits *identity.Client) *places { return &places{visits: visits} }

// read returns the line, at most 5 seconds old while visits answers; the zero value when nothing newer than a minute is
// known. Of several readers one asks, and the others get what is known.
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

// forget lets the next reader ask at once, after a visitor's action has changed the line.
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
		return // the metrics of the client's requests are those of visits
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
