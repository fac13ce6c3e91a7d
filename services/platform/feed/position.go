// Package feed follows another service's events and applies each of them in order and exactly once. Redis delivers most
// events. Because Redis may lose messages, a follower also reads the source's feed after a gap, after a reconnect, and
// every 500 ms unless an announcement shows that the follower is at the source's head. The package owns the table
// feed_cursor and the form of positions in X-Feed-Seq and X-Feed-Min.
//
// Start with Follower in follow.go; Projection in projection.go is the Sink for PostgreSQL.
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
	HeaderSeq = "X-Feed-Seq" // the position of the response
	HeaderMin = "X-Feed-Min" // the position that the response should have reached
)

// Position is a place in the events of one source.
type Position struct {
	Epoch string
	Seq   int64
}

// Nowhere is the initial position of a sink that stores nothing. No source has its epoch, so Restart is called with the
// source's head before any event is delivered.
var Nowhere = Position{Epoch: "none"}

// Beginning is the place before the first event of p's epoch.
func (p Position) Beginning() Position { return Position{Epoch: p.Epoch} }

// Reached reports whether p is at or after min. A position of another epoch counts as reached, because waiting would
// not help. A follower that has not read the source yet has reached only number 0.
func (p Position) Reached(min Position) bool {
	started := p.Epoch != "" && p.Epoch != Nowhere.Epoch
	return started && p.Epoch != min.Epoch || p.Seq >= min.Seq
}

// Header returns "source=epoch:seq". The epoch is "none" until the source was read for the first time.
func (p Position) Header(source string) string {
	return source + "=" + cmp.Or(p.Epoch, Nowhere.Epoch) + ":" + strconv.FormatInt(p.Seq, 10)
}

// ParsePositions parses "a=epoch:seq;b=epoch:seq". ok is false if a part is malformed or a source is repeated.
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

// WaitLimit is the longest wait of Await. Tests raise it, so that their answers do not depend on the machine's speed.
var WaitLimit = time.Second

// Set has the followers of one service, by source.
type Set map[string]*Follower

// Await blocks until the followers reach the position in the request's X-Feed-Min, at most WaitLimit.
func (s Set) Await(ctx context.Context, header http.Header) {
	text := header.Get(HeaderMin)
	if text == "" {
		return
	}
	wanted, ok := ParsePositions(text)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, WaitLimit)
	defer cancel()
	for source, min := range wanted {
		if follower, follows := s[source]; follows {
			follower.wait(ctx, min)
		}
	}
}
