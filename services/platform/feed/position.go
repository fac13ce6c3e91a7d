// Package feed reads another service's events without missing one: Redis brings them fast, the source's
// feed brings what Redis forgot, and a look at the source's head every second finds the last one lost.
package feed

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers that carry positions between browser and services.
const (
	HeaderSeq = "X-Feed-Seq" // how far the answer is
	HeaderMin = "X-Feed-Min" // how far the answer should be
)

// Position is a place in one source's events.
type Position struct {
	Epoch string
	Seq   int64
}

// Nowhere is the position of a sink that keeps nothing over a restart of its process: it lies in no
// epoch, so that the source's head reaches the sink through Restart before any event does.
var Nowhere = Position{Epoch: "none"}

// Beginning is the place before the first event of p's epoch.
func (p Position) Beginning() Position { return Position{Epoch: p.Epoch} }

// Reached reports whether p is at or after min. Positions of different epochs cannot be compared;
// waiting would not help, so they count as reached. Who has not heard of the source yet has reached nothing.
func (p Position) Reached(min Position) bool {
	heard := p.Epoch != "" && p.Epoch != Nowhere.Epoch
	return heard && p.Epoch != min.Epoch || p.Seq >= min.Seq
}

// Header writes "source=epoch:seq"; the epoch is "none" until the source was reached for the first time.
func (p Position) Header(source string) string {
	return source + "=" + cmp.Or(p.Epoch, Nowhere.Epoch) + ":" + strconv.FormatInt(p.Seq, 10)
}

// ParsePositions reads "a=epoch:seq;b=epoch:seq"; ok is false when any part is malformed.
func ParsePositions(text string) (positions map[string]Position, ok bool) {
	positions = map[string]Position{}
	for part := range strings.SplitSeq(text, ";") {
		source, rest, found := strings.Cut(strings.TrimSpace(part), "=")
		epoch, number, both := strings.Cut(rest, ":")
		seq, err := strconv.ParseInt(number, 10, 64)
		if !found || !both || source == "" || epoch == "" || err != nil || seq < 0 {
			return nil, false
		}
		if _, twice := positions[source]; twice {
			return nil, false
		}
		positions[source] = Position{Epoch: epoch, Seq: seq}
	}
	return positions, true
}

// waitLimit is how long an answer is held back for a position it has not reached.
const waitLimit = time.Second

// Set is the followers of one service, by source.
type Set map[string]*Follower

// Await holds a request back until the followers reach the position its X-Feed-Min asks for, at most a second.
func (s Set) Await(ctx context.Context, header http.Header) {
	text := header.Get(HeaderMin)
	if text == "" {
		return
	}
	wanted, ok := ParsePositions(text)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, waitLimit)
	defer cancel()
	for source, min := range wanted {
		if follower, follows := s[source]; follows {
			follower.wait(ctx, min)
		}
	}
}
