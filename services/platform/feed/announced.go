package feed

import (
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/outbox"
)

// announced is the head in the last announcement of a source.
type announced struct {
	mu    sync.Mutex
	head  Position
	read  int64 // State.Read of the announcement
	heard time.Time
}

// set reads an announcement, an outbox.State. It ignores one that is not newer than the last, such as a repetition.
func (a *announced) set(object []byte) {
	var state outbox.State
	if json.Unmarshal(object, &state) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if state.Read > a.read {
		a.head, a.read, a.heard = Position{Epoch: state.Epoch, Seq: state.Head}, state.Read, time.Now()
	}
}

// at reports whether the last announcement is younger than headEvery and has pos as the head of the source.
func (a *announced) at(pos Position) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.head == pos && time.Since(a.heard) < headEvery
}
