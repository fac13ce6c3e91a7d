// Package feed follows another service's events: it applies each event exactly once and in order. Events arrive fast by
// Redis; events that Redis lost are read from the source's feed, and the source's head is read twice a second to detect
// the loss of the last one. Start with Follower (follow.go); Projection is the Sink for PostgreSQL.
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

// Position is a place in the events of one source.
type Position struct {
	Epoch string
	Seq   int64
}

// Nowhere is the initial position of a sink that stores nothing. It is in no epoch, so that Restart is called with the
// source's head before any event is delivered.
var Nowhere = Position{Epoch: "none"}

// Beginning is the place before the first event of p's epoch.
func (p Position) Beginning() Position { return Position{Epoch: p.Epoch} }

// Reached reports whether p is at or after min. Positions of different epochs cannot be compared; waiting would not
// help, so they count as reached. A follower that has not read the source yet has reached nothing.
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

// Set has the followers of one service, by source.
type Set map[string]*Follower

// Await blocks until the followers reach the position in the request's X-Feed-Min, at most a second.
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
